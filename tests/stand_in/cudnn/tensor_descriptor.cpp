// Descriptors of tensors and filters.
#include "cudnn/call.h"

std::size_t cudnnTensorStruct::elements() const {
  std::size_t product = 1;
  for (const int extent : size) product *= static_cast<std::size_t>(extent);
  return product;
}

std::size_t cudnnTensorStruct::footprint() const {
  std::size_t last = 0;
  for (std::size_t i = 0; i < size.size(); ++i)
    last += static_cast<std::size_t>(size[i] - 1) * static_cast<std::size_t>(stride[i]);
  return last + 1;
}

cudnnTensorStruct cudnnFilterStruct::as_tensor() const {
  return {true, type, size, stand_in::packed_strides(format, size)};
}

namespace stand_in {

namespace {

constexpr std::size_t kMostElements = (std::size_t{1} << 31) - 1;

void require_type(cudnnDataType_t type) {
  require_consistent(type >= CUDNN_DATA_FLOAT && type <= CUDNN_DATA_COMPLEX_FP64, "no such type");
  require_supported(type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16,
                    "data type " + std::to_string(type));
}

void require_format(cudnnTensorFormat_t format) {
  require_consistent(format >= CUDNN_TENSOR_NCHW && format <= CUDNN_TENSOR_NCHW_VECT_C, "no such format");
  require_supported(format == CUDNN_TENSOR_NCHW || format == CUDNN_TENSOR_NHWC, "format " + std::to_string(format));
}

void require_sizes(const std::array<int, 4>& size) {
  for (const int extent : size) require_consistent(extent > 0, "a size of " + std::to_string(extent));
}

void set(cudnnTensorDescriptor_t descriptor, const Tensor& tensor) {
  require_consistent(descriptor != nullptr, "the descriptor is null");
  require_type(tensor.type);
  require_sizes(tensor.size);
  for (const int stride : tensor.stride) require_consistent(stride > 0, "a stride of " + std::to_string(stride));
  require_supported(tensor.footprint() <= kMostElements, "more than 2^31 - 1 elements");
  *descriptor = tensor;
}

}  // namespace

std::size_t bytes_of(cudnnDataType_t type) {
  return type == CUDNN_DATA_FLOAT ? 4 : 2;
}

std::array<int, 4> packed_strides(cudnnTensorFormat_t format, const std::array<int, 4>& size) {
  const auto [n, c, h, w] = size;
  if (format == CUDNN_TENSOR_NHWC) return {h * w * c, 1, w * c, c};
  return {c * h * w, h * w, w, 1};
}

bool packed_as(const Tensor& tensor, cudnnTensorFormat_t format) {
  const auto wanted = packed_strides(format, tensor.size);
  for (std::size_t i = 0; i < 4; ++i) {
    if (tensor.size[i] > 1 && tensor.stride[i] != wanted[i]) return false;
  }
  return true;
}

std::string text(const Tensor& tensor) {
  std::string sizes;
  for (const int extent : tensor.size) sizes += (sizes.empty() ? "" : "x") + std::to_string(extent);
  return sizes + " of type " + std::to_string(tensor.type);
}

bool same_size(const Tensor& left, const Tensor& right) {
  return left.size == right.size;
}

bool same_layout(const Tensor& left, const Tensor& right) {
  return left.type == right.type && left.size == right.size && left.stride == right.stride;
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t descriptor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  return call(__func__, [&] {
    require_format(format);
    set(descriptor, {true, type, {n, c, h, w}, packed_strides(format, {n, c, h, w})});
  });
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t descriptor, cudnnDataType_t type, int n, int c,
                                           int h, int w, int n_stride, int c_stride, int h_stride, int w_stride) {
  return call(__func__, [&] { set(descriptor, {true, type, {n, c, h, w}, {n_stride, c_stride, h_stride, w_stride}}); });
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t descriptor, cudnnDataType_t type, int dimensions,
                                         const int sizes[], const int strides[]) {
  return call(__func__, [&] {
    require_supported(dimensions == 4, std::to_string(dimensions) + " dimensions; the stand-in has 4");
    set(descriptor,
        {true, type, {sizes[0], sizes[1], sizes[2], sizes[3]}, {strides[0], strides[1], strides[2], strides[3]}});
  });
}

cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t descriptor, cudnnDataType_t* type, int* n, int* c,
                                         int* h, int* w, int* n_stride, int* c_stride, int* h_stride, int* w_stride) {
  return call(__func__, [&] {
    const Tensor& tensor = described(descriptor, "tensorDesc");
    put(type, tensor.type);
    int* const sizes[] = {n, c, h, w};
    int* const strides[] = {n_stride, c_stride, h_stride, w_stride};
    for (std::size_t i = 0; i < 4; ++i) {
      put(sizes[i], tensor.size[i]);
      put(strides[i], tensor.stride[i]);
    }
  });
}

cudnnStatus_t cudnnGetTensorSizeInBytes(cudnnTensorDescriptor_t descriptor, size_t* bytes) {
  return call(__func__, [&] {
    const Tensor& tensor = described(descriptor, "tensorDesc");
    require_consistent(bytes != nullptr, "size is null");
    *bytes = tensor.footprint() * bytes_of(tensor.type);
  });
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t descriptor, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "filterDesc is null");
    require_type(type);
    require_format(format);
    require_sizes({k, c, h, w});
    *descriptor = {true, type, format, {k, c, h, w}};
  });
}

cudnnStatus_t cudnnGetFilter4dDescriptor(cudnnFilterDescriptor_t descriptor, cudnnDataType_t* type,
                                         cudnnTensorFormat_t* format, int* k, int* c, int* h, int* w) {
  return call(__func__, [&] {
    const Filter& filter = described(descriptor, "filterDesc");
    put(type, filter.type);
    put(format, filter.format);
    int* const sizes[] = {k, c, h, w};
    for (std::size_t i = 0; i < 4; ++i) put(sizes[i], filter.size[i]);
  });
}

cudnnStatus_t cudnnGetFilterSizeInBytes(cudnnFilterDescriptor_t descriptor, size_t* bytes) {
  return call(__func__, [&] {
    const Tensor filter = described(descriptor, "filterDesc").as_tensor();
    require_consistent(bytes != nullptr, "size is null");
    *bytes = filter.elements() * bytes_of(filter.type);
  });
}

}  // extern "C"
