// Operations that take one value at a time.
#include <algorithm>
#include <limits>

#include "core/memory.h"
#include "cudnn/values.h"

namespace stand_in {

namespace {

/// Each size must be the other tensor's, or 1.
bool spreads_over(const Tensor& small, const Tensor& large) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (small.size[i] != 1 && small.size[i] != large.size[i]) return false;
  }
  return true;
}

/// The small tensor's values, repeated over the large one.
std::vector<float> spread(const Tensor& small, const std::vector<float>& values, const Tensor& large) {
  std::vector<float> result;
  result.reserve(large.elements());
  const auto at = [&](std::size_t axis, int index) {
    return static_cast<std::size_t>(small.size[axis] == 1 ? 0 : index);
  };
  const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(small.size[axis]); };
  for (int n = 0; n < large.size[0]; ++n) {
    for (int c = 0; c < large.size[1]; ++c) {
      for (int h = 0; h < large.size[2]; ++h) {
        for (int w = 0; w < large.size[3]; ++w) {
          result.push_back(values[((at(0, n) * extent(1) + at(1, c)) * extent(2) + at(2, h)) * extent(3) + at(3, w)]);
        }
      }
    }
  }
  return result;
}

float combine(cudnnOpTensorOp_t operation, float a, float b) {
  switch (operation) {
    case CUDNN_OP_TENSOR_ADD:
      return a + b;
    case CUDNN_OP_TENSOR_MUL:
      return a * b;
    case CUDNN_OP_TENSOR_MIN:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

/// Types of a, b and c that the documentation lists for computing in float.
bool combines(cudnnDataType_t a, cudnnDataType_t b, cudnnDataType_t c) {
  return a == b && (a == c || a == CUDNN_DATA_FLOAT || c == CUDNN_DATA_FLOAT);
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t a_descriptor,
                             const void* a, const void* beta, cudnnTensorDescriptor_t c_descriptor, void* c) {
  return call(__func__, [&] {
    const Tensor in = described(a_descriptor, "aDesc");
    const Tensor out = described(c_descriptor, "cDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(spreads_over(in, out), text(in) + " over " + text(out));
    require_supported(in.type == out.type, "different data types");
    require_memory(in, a, "A");
    require_memory(out, c, "C");
    run(handle, [=] { store(out, c, spread(in, load(in, a), out), scales); });
  });
}

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor, cudnnOpTensorOp_t operation,
                                         cudnnDataType_t compute, cudnnNanPropagation_t nan) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "opTensorDesc is null");
    require_consistent(operation >= CUDNN_OP_TENSOR_ADD && operation <= CUDNN_OP_TENSOR_NOT, "no such operation");
    require_consistent(compute == CUDNN_DATA_FLOAT || compute == CUDNN_DATA_DOUBLE || compute == CUDNN_DATA_HALF,
                       "no type to compute in");
    require_nan_choice(nan);
    *descriptor = {true, operation, compute, nan};
  });
}

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, cudnnOpTensorDescriptor_t descriptor, const void* alpha1,
                            cudnnTensorDescriptor_t a_descriptor, const void* a, const void* alpha2,
                            cudnnTensorDescriptor_t b_descriptor, const void* b, const void* beta,
                            cudnnTensorDescriptor_t c_descriptor, void* c) {
  return call(__func__, [&] {
    const cudnnOpTensorStruct operation = described(descriptor, "opTensorDesc");
    const Tensor left = described(a_descriptor, "aDesc");
    const Tensor right = described(b_descriptor, "bDesc");
    const Tensor out = described(c_descriptor, "cDesc");
    const float left_scale = scalar(alpha1, "alpha1"), right_scale = scalar(alpha2, "alpha2");
    const Blend scales{1, scalar(beta, "beta")};
    require_supported(operation.operation >= CUDNN_OP_TENSOR_ADD && operation.operation <= CUDNN_OP_TENSOR_MAX,
                      "operation " + std::to_string(operation.operation));
    require_supported(operation.compute == CUDNN_DATA_FLOAT, "computing in another type than float");
    require_supported(combines(left.type, right.type, out.type), "these data types together");
    require_consistent(same_size(left, out), text(left) + " and " + text(out));
    require_consistent(spreads_over(right, out), text(right) + " over " + text(out));
    require_consistent((a != c || same_layout(left, out)) && (b != c || same_layout(right, out)),
                       "in place with different layouts");
    require_memory(left, a, "A");
    require_memory(right, b, "B");
    require_memory(out, c, "C");
    run(handle, [=] {
      std::vector<float> values = load(left, a);
      const std::vector<float> others = spread(right, load(right, b), out);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = combine(operation.operation, left_scale * values[i], right_scale * others[i]);
      }
      store(out, c, values, scales);
    });
  });
}

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, cudnnTensorDescriptor_t descriptor, void* y, const void* value) {
  return call(__func__, [&] {
    const Tensor tensor = described(descriptor, "yDesc");
    require_consistent(value != nullptr, "valuePtr is null");
    require_consistent(memory().is_host(value), "valuePtr is not in host memory");
    require_memory(tensor, y, "y");
    const Tensor one{true, tensor.type, {1, 1, 1, 1}, {1, 1, 1, 1}};  // the value has the tensor's type
    const float number = load(one, value).front();
    run(handle, [=] { store(tensor, y, std::vector(tensor.elements(), number), {1, 0}); });
  });
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, cudnnTensorDescriptor_t descriptor, void* y, const void* alpha) {
  return call(__func__, [&] {
    const Tensor tensor = described(descriptor, "yDesc");
    const float factor = scalar(alpha, "alpha");
    require_memory(tensor, y, "y");
    run(handle, [=] { store(tensor, y, load(tensor, y), {factor, 0}); });
  });
}

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x_descriptor,
                                   const void* x, const void* beta, cudnnTensorDescriptor_t y_descriptor, void* y) {
  return call(__func__, [&] {
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(in.type == out.type && same_size(in, out), "input " + text(in) + ", output " + text(out));
    require_consistent(x != y, "in place");
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] { store(out, y, load(in, x), scales); });
  });
}

}  // extern "C"
