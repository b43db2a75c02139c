#include "bench/workload.h"

#include <fmt/format.h>

#include "bench/files.h"
#include "planner/model_profile.h"
#include "report/profile_reader.h"

namespace mgbench {
namespace {

constexpr const char* kReplay = "replay";

}  // namespace

Workload::Workload(const RunConfig& config) : backend_(backends().find(config.backend)), seed_(config.seed) {
  const bool replays = backend_.name == kReplay;
  require(replays == !config.profile.empty(),
          "--profile and --backend replay belong together: a profile's times are taken instead of layers");
  if (replays) {
    ReadProfile read = read_profile_text(read_file(config.profile), config.profile);
    profile_ = std::move(read.profile);
    remarks_ = std::move(read.remarks);
  } else {
    model_ = models().find(config.model).make();
  }
  if (profile_ && profile_->batch == 0 && !config.batch)
    remarks_.push_back(fmt::format("{} does not tell its batch: throughput counts {} images a rank (--batch)",
                                   config.profile, kDefaultBatch));
  batch_ = config.batch.value_or(profile_ && profile_->batch > 0 ? profile_->batch : kDefaultBatch);
}

Bytes Workload::memory_per_rank() const {
  return backend_.memory(request(0, 1, 1));
}

Bytes Workload::training_memory_per_rank() const {
  constexpr int kCopies = 9;  // two states with momentum, two gradients, the last parameters, and a state to compare
  return memory_per_rank() + kCopies * gradient_bytes();
}

Bytes Workload::gradient_bytes() const {
  return model_ ? static_cast<Bytes>(sizeof(float)) * model_->parameters() : profile_->bytes();
}

Profile Workload::outline() const {
  return model_ ? model_profile(*model_) : *profile_;
}

std::unique_ptr<Network> Workload::make_network(const ProcessGroup& group, int threads) const {
  return backend_.make(request(group.rank(), group.size(), threads));
}

NetworkRequest Workload::request(int rank, int ranks, int threads) const {
  return {.model = model_ ? &*model_ : nullptr,
          .profile = profile_ ? &*profile_ : nullptr,
          .batch = batch_,
          .seed = seed_,
          .rank = rank,
          .ranks = ranks,
          .threads = threads,
          .sgd = {},
          .clock = &steady_clock()};
}

}  // namespace mgbench
