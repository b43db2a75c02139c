#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/cuda/tensors.h"

namespace mgbench::cuda {

/// Parameters, momentum and gradients: an arena each, tensors in ready order without gaps, all as the device stores
/// them (channels last where activations are). Parameters and momentum are single precision.
///
/// Layers in another type read a copy of the parameters in theirs, and gradients of another type than the arena's, or
/// that would lie where vector instructions cannot write, are computed beside it.
class Parameters {
 public:
  Parameters(const Context& context, const ModelSpec& model);

  /// What a layer reads: its tensor `parameter` in the type of activations, aligned.
  const void* value(int layer, std::size_t parameter) const;
  /// The same in single precision, wherever it lies: batch norms want it so.
  const float* single(int layer, std::size_t parameter) const;
  /// Where a layer writes the gradient, in `type`; deliver() brings it to the arena.
  void* target(int layer, std::size_t parameter, ElementType type);
  void deliver(int layer, std::size_t parameter, ElementType type);

  /// The step of NetworkRequest::sgd, and the copies that layers read.
  void update();

  GradientView gradients(ByteRange range) const;

  /// In the arena's order, as stored; gradients without the loss's scale.
  std::vector<float> stored_parameters() const;
  std::vector<float> stored_momentum() const;
  std::vector<float> stored_gradients() const;
  void set_stored_parameters(std::span<const float> values);
  void set_stored_momentum(std::span<const float> values);
  void set_stored_gradients(std::span<const float> values);

  /// Between the stored and the plain layout of each tensor.
  std::vector<float> plain(std::span<const float> stored) const;
  std::vector<float> stored(std::span<const float> plain) const;

  /// What losses multiply their gradients by, so that small ones do not vanish in half precision.
  float loss_scale() const { return context_.type == ElementType::float16 ? 1024.0F : 1.0F; }

  static Bytes memory(const ModelSpec& model, ElementType activations, ElementType gradients);

 private:
  struct Tensor {
    std::size_t offset = 0;  ///< in elements
    std::size_t count = 0;
    std::size_t channels = 1;  ///< of a filter's inputs, beside `pixels` of its window
    std::size_t pixels = 1;
    void* aligned = nullptr;  ///< a copy that layers read where the arena's is not aligned
  };
  const Tensor& tensor(int layer, std::size_t parameter) const;
  bool in_arena(const Tensor& tensor, ElementType type) const;
  void refresh();  ///< what layers read
  float* at(const std::shared_ptr<void>& arena, const Tensor& tensor) const;
  std::vector<float> transposed(std::span<const float> values, bool to_plain) const;

  const Context& context_;
  std::size_t count_ = 0;
  std::vector<Tensor> tensors_;
  std::vector<std::vector<std::size_t>> tensor_of_;  ///< by layer and parameter
  std::vector<std::shared_ptr<void>> aligned_;
  std::shared_ptr<void> values_, momentum_, gradients_;
  std::shared_ptr<void> copy_;     ///< of values_ in the type of activations; null where that is single precision
  std::shared_ptr<void> scratch_;  ///< of the largest tensor; of all where the update must widen gradients
};

}  // namespace mgbench::cuda
