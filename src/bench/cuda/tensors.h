#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/cuda/activation_plan.h"
#include "bench/cuda/cuda_device.h"
#include "bench/cuda/descriptors.h"
#include "bench/cuda/kernels.h"

namespace mgbench::cuda {

/// What all layers of a network work with.
struct Context {
  CudaDevice& device;
  Stream stream;  ///< of all computation
  cudaStream_t queue;
  cudnnHandle_t cudnn = nullptr;
  cublasHandle_t cublas = nullptr;
  const Kernels& kernels;
  const NetworkRequest& request;
  ElementType type;  ///< of activations
  Layout layout;
  std::shared_ptr<std::uint64_t> iteration;  ///< its number, for dropout's masks; on the device

  void copy(void* to, const void* from, Bytes bytes) const { device.copy(stream, to, from, bytes); }
  /// Returns once all that was enqueued has run.
  void finish() const { device.synchronize(device.record(stream)); }
  /// Values of [batch, channels, height, width] in plain order, into device memory of `type` in the network's layout.
  void upload(std::span<const float> values, const Shape& shape, ElementType to_type, void* to) const;
  /// `count` numbers of the device; complete on return.
  std::vector<float> download(ElementType from_type, const void* from, std::size_t count) const;
};

/// A layer's output and the gradient of the loss with respect to it.
struct Activation {
  Shape shape;
  TensorDescriptor descriptor;
  void* value = nullptr;
  void* gradient = nullptr;  ///< null: nobody needs it
  std::size_t count = 0;     ///< elements, of the whole batch
};

/// Device memory of all layers' outputs, as planned.
class Activations {
 public:
  Activations(const Context& context, const ModelSpec& model, const ActivationPlan& plan);
  const Activation& operator[](int layer) const { return activations_[static_cast<std::size_t>(layer)]; }

 private:
  std::vector<std::shared_ptr<void>> memory_;
  std::vector<Activation> activations_;
};

/// Elements from plain order [outer, channels, pixels] to [outer, pixels, channels], and back.
std::vector<float> channels_last(std::span<const float> plain, std::size_t channels, std::size_t pixels);
std::vector<float> channels_first(std::span<const float> stored, std::size_t channels, std::size_t pixels);

}  // namespace mgbench::cuda
