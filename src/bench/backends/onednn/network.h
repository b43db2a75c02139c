#pragma once

#include <cstdint>
#include <vector>

#include "bench/backends/onednn/compilation.h"
#include "bench/backends/onednn/layer.h"
#include "bench/network.h"

namespace mgbench::onednn {

/// A model on oneDNN. Everything is decided when it is constructed: a step is a list of tasks with their
/// arguments bound.
class OnednnNetwork final : public Network {
 public:
  explicit OnednnNetwork(const NetworkRequest& request);

  void forward(std::size_t step) override;
  void backward(std::size_t step) override;
  void update() override;
  GradientView gradients(ByteRange range) override;
  Mark mark() override;
  Seconds seconds(Mark mark) const override;
  const Profile& outline() const override { return outline_; }
  double loss() const override;
  NetworkState save() const override;
  void restore(const NetworkState& state) override;
  std::vector<float> plain_parameters() const override;
  void set_plain_parameters(std::span<const float> values) override;
  std::vector<float> plain_gradients() const override;

  /// The steps, and parts of them for finer timing: forward(step) is run_forward() of its layers,
  /// backward(step) is run_backward() of its operations in order.
  const std::vector<ExecutionStep>& execution_steps() const { return steps_; }
  void run_forward(int layer);
  void run_backward(std::size_t step, std::size_t operation);

  /// What was allocated for tensors and scratch.
  Bytes bytes() const { return compilation_.bytes(); }
  /// Of a batch norm, else null.
  const RunningStatistics* running_statistics(int layer) const;

 private:
  void use_threads() const;

  ModelSpec model_;
  NetworkRequest request_;
  Profile outline_;
  std::vector<ExecutionStep> steps_;
  std::uint64_t iteration_ = 0;
  Compilation compilation_;
  std::vector<LayerPointer> layers_;
  std::vector<std::vector<Task>> forward_;                ///< by layer
  std::vector<std::vector<std::vector<Task>>> backward_;  ///< by step and operation
};

/// An estimate from the model alone of what OnednnNetwork::bytes() will be.
Bytes estimated_memory(const NetworkRequest& request);

}  // namespace mgbench::onednn
