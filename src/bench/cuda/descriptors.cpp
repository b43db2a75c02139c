#include "bench/cuda/descriptors.h"

namespace mgbench::cuda {
namespace {

/// How products are summed: with `fp32` no factor is rounded; the others may use tensor cores.
cudnnMathType_t math_type(Precision precision) {
  if (precision == Precision::fp32) return CUDNN_FMA_MATH;
  return precision == Precision::tf32 ? CUDNN_DEFAULT_MATH : CUDNN_TENSOR_OP_MATH;
}

}  // namespace

TensorDescriptor::TensorDescriptor(ElementType type, Layout layout, int batch, const Shape& shape)
    : TensorDescriptor(type, layout, batch, shape, shape) {}

TensorDescriptor::TensorDescriptor(ElementType type, Layout layout, int batch, const Shape& shape, const Shape& whole) {
  const int image = whole.channels * whole.height * whole.width;
  const bool last = layout == Layout::channels_last;
  check(cudnnSetTensor4dDescriptorEx(*this, cudnn_type(type), batch, shape.channels, shape.height, shape.width, image,
                                     last ? 1 : whole.height * whole.width,
                                     last ? whole.width * whole.channels : whole.width, last ? whole.channels : 1),
        "cudnnSetTensor4dDescriptorEx");
}

FilterDescriptor::FilterDescriptor(ElementType type, Layout layout, int outputs, int inputs, int kernel) {
  check(cudnnSetFilter4dDescriptor(*this, cudnn_type(type),
                                   layout == Layout::channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW, outputs,
                                   inputs, kernel, kernel),
        "cudnnSetFilter4dDescriptor");
}

ConvolutionDescriptor::ConvolutionDescriptor(const Convolution& convolution, Precision precision) {
  check(cudnnSetConvolution2dDescriptor(*this, convolution.padding, convolution.padding, convolution.stride,
                                        convolution.stride, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
        "cudnnSetConvolution2dDescriptor");
  check(cudnnSetConvolutionGroupCount(*this, convolution.groups), "cudnnSetConvolutionGroupCount");
  check(cudnnSetConvolutionMathType(*this, math_type(precision)), "cudnnSetConvolutionMathType");
}

PoolingDescriptor make_pooling_descriptor(const Pooling& pooling) {
  PoolingDescriptor descriptor;
  const cudnnPoolingMode_t mode = pooling.kind == PoolingKind::maximum ? CUDNN_POOLING_MAX_DETERMINISTIC
                                                                       : CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
  check(cudnnSetPooling2dDescriptor(descriptor, mode, CUDNN_PROPAGATE_NAN, pooling.kernel, pooling.kernel,
                                    pooling.padding, pooling.padding, pooling.stride, pooling.stride),
        "cudnnSetPooling2dDescriptor");
  return descriptor;
}

}  // namespace mgbench::cuda
