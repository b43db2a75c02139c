#pragma once

#include <cudnn.h>

#include <utility>

#include "bench/cuda/check.h"
#include "bench/cuda/element.h"
#include "models/operation.h"

namespace mgbench::cuda {

/// Owns what one of cuDNN's Create functions made.
template <auto Create, auto Destroy, typename Handle>
class Owned {
 public:
  Owned() { check(Create(&handle_), "cudnnCreate"); }
  ~Owned() {
    if (handle_) Destroy(handle_);
  }
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&&) = delete;
  operator Handle() const { return handle_; }  // NOLINT(google-explicit-constructor): stands for the handle in calls

 private:
  Handle handle_ = nullptr;
};

using PoolingDescriptor = Owned<cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor, cudnnPoolingDescriptor_t>;
using NormDescriptor = Owned<cudnnCreateLRNDescriptor, cudnnDestroyLRNDescriptor, cudnnLRNDescriptor_t>;
using ActivationDescriptor =
    Owned<cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor, cudnnActivationDescriptor_t>;
using OperationDescriptor =
    Owned<cudnnCreateOpTensorDescriptor, cudnnDestroyOpTensorDescriptor, cudnnOpTensorDescriptor_t>;

/// [batch, channels, height, width] of `type`, in either layout.
class TensorDescriptor
    : public Owned<cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor, cudnnTensorDescriptor_t> {
 public:
  TensorDescriptor() = default;
  TensorDescriptor(ElementType type, Layout layout, int batch, const Shape& shape);
  /// `shape` as a part of the channels of a tensor of `whole`.
  TensorDescriptor(ElementType type, Layout layout, int batch, const Shape& shape, const Shape& whole);
};

/// [outputs, inputs, kernel, kernel]; in memory channels last where activations are.
class FilterDescriptor
    : public Owned<cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor, cudnnFilterDescriptor_t> {
 public:
  FilterDescriptor(ElementType type, Layout layout, int outputs, int inputs, int kernel);
};

class ConvolutionDescriptor
    : public Owned<cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor, cudnnConvolutionDescriptor_t> {
 public:
  ConvolutionDescriptor(const Convolution& convolution, Precision precision);
};

/// The larger output of ceil mode comes with the output's descriptor.
PoolingDescriptor make_pooling_descriptor(const Pooling& pooling);

}  // namespace mgbench::cuda
