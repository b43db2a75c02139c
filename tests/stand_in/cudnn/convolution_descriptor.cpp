// Descriptors of convolutions.
#include "cudnn/convolution.h"

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t descriptor, int pad_h, int pad_w,
                                              int stride_h, int stride_w, int dilation_h, int dilation_w,
                                              cudnnConvolutionMode_t mode, cudnnDataType_t compute) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "convDesc is null");
    require_consistent(pad_h >= 0 && pad_w >= 0, "a negative padding");
    require_consistent(stride_h > 0 && stride_w > 0, "a stride that is not positive");
    require_consistent(dilation_h > 0 && dilation_w > 0, "a dilation that is not positive");
    require_consistent(mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION, "no such mode");
    require_consistent(compute >= CUDNN_DATA_FLOAT && compute <= CUDNN_DATA_COMPLEX_FP64, "no such type");
    descriptor->set = true;
    descriptor->pad = {pad_h, pad_w};
    descriptor->stride = {stride_h, stride_w};
    descriptor->dilation = {dilation_h, dilation_w};
    descriptor->mode = mode;
    descriptor->compute = compute;
  });
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(cudnnConvolutionDescriptor_t descriptor, int* pad_h, int* pad_w,
                                              int* stride_h, int* stride_w, int* dilation_h, int* dilation_w,
                                              cudnnConvolutionMode_t* mode, cudnnDataType_t* compute) {
  return call(__func__, [&] {
    const auto& settings = described(descriptor, "convDesc");
    put(pad_h, settings.pad[0]);
    put(pad_w, settings.pad[1]);
    put(stride_h, settings.stride[0]);
    put(stride_w, settings.stride[1]);
    put(dilation_h, settings.dilation[0]);
    put(dilation_w, settings.dilation[1]);
    put(mode, settings.mode);
    put(compute, settings.compute);
  });
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t descriptor, cudnnMathType_t math) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "convDesc is null");
    require_consistent(math >= CUDNN_DEFAULT_MATH && math <= CUDNN_FMA_MATH, "no such math type");
    descriptor->math = math;
  });
}

cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t descriptor, cudnnMathType_t* math) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr && math != nullptr, "a pointer is null");
    *math = descriptor->math;
  });
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t descriptor, int groups) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "convDesc is null");
    require_consistent(groups > 0, std::to_string(groups) + " groups");
    descriptor->groups = groups;
  });
}

cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t descriptor, int* groups) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr && groups != nullptr, "a pointer is null");
    *groups = descriptor->groups;
  });
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t descriptor,
                                                    cudnnTensorDescriptor_t input, cudnnFilterDescriptor_t filter,
                                                    int* n, int* c, int* h, int* w) {
  return call(__func__, [&] {
    require_consistent(n != nullptr && c != nullptr && h != nullptr && w != nullptr, "a pointer is null");
    const auto size = output_size(described(input, "inputTensorDesc"), described(filter, "filterDesc"),
                                  described(descriptor, "convDesc"));
    *n = size[0];
    *c = size[1];
    *h = size[2];
    *w = size[3];
  });
}

}  // extern "C"
