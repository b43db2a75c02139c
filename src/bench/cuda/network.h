#pragma once

#include <memory>
#include <vector>

#include "bench/backends/outline.h"
#include "bench/cuda/layer.h"

namespace mgbench::cuda {

/// A model on the GPU: every call enqueues on one stream.
class CudnnNetwork final : public Network {
 public:
  CudnnNetwork(CudaDevice& device, const NetworkRequest& request);
  ~CudnnNetwork() override;

  void forward(std::size_t step) override;
  void backward(std::size_t step) override;
  void update() override;
  GradientView gradients(ByteRange range) override { return parameters_->gradients(range); }
  Event record() override { return device_.record(context_.stream); }
  void wait(const Event& event) override { device_.wait(context_.stream, event); }
  Mark mark() override { return {static_cast<std::int64_t>(record().id)}; }
  void synchronize() override { context_.finish(); }
  std::unique_ptr<Graph> capture(const std::function<void()>& enqueue) override {
    return device_.capture(context_.stream, enqueue);
  }
  Seconds seconds(Mark mark) const override { return device_.seconds({static_cast<std::uint64_t>(mark.value)}); }
  const Profile& outline() const override { return outline_; }
  double loss() const override;

  NetworkState save() const override;
  void restore(const NetworkState& state) override;
  std::vector<float> plain_parameters() const override;
  void set_plain_parameters(std::span<const float> values) override;
  std::vector<float> plain_gradients() const override;
  std::vector<float> stored_gradients() override;
  void store_gradients(std::span<const float> values) override;

  /// Of one replica, but for workspaces and what the libraries keep for themselves.
  static Bytes memory(const NetworkRequest& request);

 private:
  struct Handles;  ///< of the libraries
  static const Handles& handles(CudaDevice& device);
  void set_iteration(std::uint64_t iteration);

  CudaDevice& device_;
  ModelSpec model_;
  NetworkRequest request_;
  const Handles& handles_;
  Context context_;
  Profile outline_;
  std::vector<ExecutionStep> steps_;
  ActivationPlan plan_;
  std::unique_ptr<Activations> activations_;
  std::unique_ptr<Parameters> parameters_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<LayerPointer> layers_;  ///< null for the input
};

}  // namespace mgbench::cuda
