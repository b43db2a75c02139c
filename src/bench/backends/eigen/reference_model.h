#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/backends/eigen/layer.h"

namespace mgbench {

/// A model computed plainly, layer by layer, every tensor in its plain layout: slow, and right by inspection.
/// With Scalar = double its gradients can be held against finite differences.
template <typename Scalar>
class ReferenceModel {
 public:
  /// `request.model` is copied.
  explicit ReferenceModel(const NetworkRequest& request);
  ReferenceModel(const ReferenceModel&) = delete;
  ReferenceModel& operator=(const ReferenceModel&) = delete;

  void forward(std::size_t step);
  void backward(std::size_t step);
  void update();

  std::size_t steps() const { return steps_.size(); }
  double loss() const;

  /// In the arena's order.
  std::span<Scalar> parameters() { return parameters_; }
  std::span<Scalar> momentum() { return momentum_; }
  std::span<Scalar> gradients() { return gradients_; }
  std::span<const Scalar> parameters() const { return parameters_; }
  std::span<const Scalar> momentum() const { return momentum_; }
  std::span<const Scalar> gradients() const { return gradients_; }

  std::uint64_t iteration() const { return iteration_; }
  void set_iteration(std::uint64_t iteration) { iteration_ = iteration; }

  const Activation<Scalar>& activation(int layer) const { return activations_[static_cast<std::size_t>(layer)]; }
  /// Of a batch norm, else null.
  const RunningStatistics* running_statistics(int layer) const;

 private:
  LayerContext<Scalar> context(int layer);

  ModelSpec model_;
  NetworkRequest request_;
  std::vector<ExecutionStep> steps_;
  std::vector<Scalar> parameters_;
  std::vector<Scalar> momentum_;
  std::vector<Scalar> gradients_;
  std::vector<Activation<Scalar>> activations_;
  std::vector<LayerPointer<Scalar>> layers_;  ///< null for the input
  std::uint64_t iteration_ = 0;
};

extern template class ReferenceModel<float>;
extern template class ReferenceModel<double>;

}  // namespace mgbench
