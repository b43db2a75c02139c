#include "bench/training/workload.h"

#include <fmt/format.h>

#include "bench/backends/layout.h"
#include "bench/backends/outline.h"
#include "bench/backends/precision.h"
#include "bench/communicator.h"
#include "bench/files/files.h"
#include "bench/training/layout_trial.h"
#include "report/profile_reader.h"

namespace mgbench {
namespace {

constexpr const char* kReplay = "replay";
constexpr int kDefaultBatch = 4;

}  // namespace

const BackendEntry& chosen_backend(const RunConfig& config) {
  if (config.backend != kAutomatic) return backends().find(config.backend);
  if (!config.profile.empty()) return backends().find(kReplay);
  const BackendEntry& gpu = backends().find("cudnn");
  return gpu.unavailable().empty() ? gpu : backends().find("onednn");
}

bool uses_gpus(const RunConfig& config) {
  return chosen_backend(config).device && !config.pairs && (!config.algorithms || config.communicator != kAutomatic) &&
         (config.communicator == kAutomatic || communicators().find(config.communicator).device);
}

Workload::Workload(const RunConfig& config)
    : backend_(chosen_backend(config)),
      seed_(config.seed),
      precision_(precision_named(config.precision)),
      gradients_(element_type_named(config.gradients)),
      layout_(layout_named(config.layout)) {
  const bool replays = backend_.name == kReplay;
  require(replays == !config.profile.empty(),
          "--profile and --backend replay belong together: a profile's times are taken instead of layers");
  if (replays) {
    ReadProfile read = read_profile_text(read_file(config.profile), config.profile);
    profile_ = std::move(read.profile);
    remarks_ = std::move(read.remarks);
  } else {
    const ModelEntry& model = models().find(config.model);
    model_ = model.make();
    batch_ = backend_.device ? model.batch : kDefaultBatch;
  }
  if (profile_ && profile_->batch == 0 && !config.batch)
    remarks_.push_back(fmt::format("{} does not tell its batch: throughput counts {} images a rank (--batch)",
                                   config.profile, kDefaultBatch));
  if (profile_) batch_ = profile_->batch > 0 ? profile_->batch : kDefaultBatch;
  batch_ = config.batch.value_or(batch_);
}

Bytes Workload::memory_per_rank() const {
  return backend_.memory(request(0, 1, 1));
}

Bytes Workload::training_memory_per_rank() const {
  constexpr int kCopies = 9;  // two states with momentum, two gradients, the last parameters, and a state to compare
  const Bytes widening = size_of(ElementType::float32) / size_of(gradients_);
  return memory_per_rank() + kCopies * widening * gradient_bytes();
}

Bytes Workload::gradient_bytes() const {
  return outline().bytes();
}

Profile Workload::outline() const {
  return model_ ? mgbench::outline(*model_, backend_.name, request(0, 1, 1)) : *profile_;
}

std::string Workload::precision() const {
  return describe(precision_, gradients_);
}

std::optional<RankDevice> Workload::claim_device(ProcessGroup& group) const {
  if (!backend_.claim_device) return std::nullopt;
  return backend_.claim_device(group);
}

std::optional<LayoutChoice> Workload::choose_layout(ProcessGroup& group, int threads) const {
  if (backend_.layouts.empty()) return std::nullopt;
  if (layout_) return LayoutChoice{.layout = *layout_, .why = "as told", .times = ""};
  claim_device(group);
  NetworkRequest wanted = request(group.rank(), group.size(), threads);
  return try_layouts(group, fmt::format("{} on {}, batch {}, {}", name(), backend_.name, batch_, precision()),
                     [&](Layout layout) {
                       wanted.layout = layout;
                       return backend_.make(wanted);
                     });
}

std::unique_ptr<Network> Workload::make_network(ProcessGroup& group, int threads) const {
  claim_device(group);
  NetworkRequest wanted = request(group.rank(), group.size(), threads);
  if (const auto choice = choose_layout(group, threads)) wanted.layout = choice->layout;
  return backend_.make(wanted);
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
          .precision = precision_,
          .gradients = gradients_,
          .clock = &steady_clock()};
}

}  // namespace mgbench
