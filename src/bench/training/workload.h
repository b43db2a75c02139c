#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/host/placement.h"
#include "bench/mpi/process_group.h"
#include "bench/network.h"
#include "bench/run_config.h"
#include "bench/training/layout_choice.h"
#include "planner/profile.h"

namespace mgbench {

/// The backend that --backend names, or that is taken where it names none.
const BackendEntry& chosen_backend(const RunConfig& config);

/// Whether ranks compute, or sum, on GPUs: then there is one a GPU.
bool uses_gpus(const RunConfig& config);

/// What is trained: a registered model, or for `replay` a profile. Made before ranks are started, so that
/// wrong input is found there.
class Workload {
 public:
  /// Throws Error for an unknown model, a missing or broken profile, or a profile given to a backend that
  /// computes.
  explicit Workload(const RunConfig& config);

  const BackendEntry& backend() const { return backend_; }
  /// "fp16, gradients in fp32".
  std::string precision() const;
  const std::string& name() const { return model_ ? model_->name : profile_->model; }
  int batch() const { return batch_; }
  /// What the profile's source does not tell.
  const std::vector<std::string>& remarks() const { return remarks_; }
  Bytes memory_per_rank() const;
  /// With the copies of parameters and gradients that CorrectnessCheck keeps.
  Bytes training_memory_per_rank() const;
  Bytes gradient_bytes() const;

  /// Steps and tensors; times are those of the profile, or zero.
  Profile outline() const;

  /// The device of its own that this rank computes on, where the backend has some. Collective.
  std::optional<RankDevice> claim_device(ProcessGroup& group) const;

  /// Of activations, where the backend leaves it open: as told, or by trying both once a process for each model, batch
  /// and type. Collective.
  std::optional<LayoutChoice> choose_layout(ProcessGroup& group, int threads) const;

  /// This rank's network, on its own device where the backend has some, in the layout of choose_layout(). Collective.
  std::unique_ptr<Network> make_network(ProcessGroup& group, int threads) const;

 private:
  NetworkRequest request(int rank, int ranks, int threads) const;

  const BackendEntry& backend_;
  std::optional<ModelSpec> model_;
  std::optional<Profile> profile_;
  std::vector<std::string> remarks_;
  int batch_ = 1;
  std::uint64_t seed_ = 1;
  Precision precision_ = Precision::fp32;
  ElementType gradients_ = ElementType::float32;
  std::optional<Layout> layout_;  ///< as told
};

}  // namespace mgbench
