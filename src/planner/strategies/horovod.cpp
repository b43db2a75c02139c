#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "planner/progress.h"
#include "planner/strategy.h"

namespace mgbench::strategies_entries {
namespace {

/// Horovod's background thread wakes once a cycle, fuses what is ready then, in ready order, into messages of
/// at most the threshold (a larger tensor goes alone), and blocks until they have ended; a cycle that took
/// longer than its time is followed by the next one at once. Simulated in predicted time, the first cycle at
/// the iteration's start. Not simulated: negotiation between ranks and its response cache, copies into and
/// out of the fusion buffer, jitter of the cycles, and looking past a tensor that does not fit. The plan keeps the
/// groups alone: whoever runs or predicts it sends a group once it is ready, without waiting for a tick.
MergePlan cycles(const Profile& profile, const CostModel& cost, const StrategyOptions& options) {
  const Seconds cycle = options.horovod_cycle;
  require(std::isfinite(cycle) && cycle > 0, "horovod: a cycle of {} s; expected a finite time > 0", cycle);
  require(options.horovod_threshold >= 0, "horovod: a threshold of {} bytes; expected at least zero",
          options.horovod_threshold);
  const std::vector<ReadyTensor> tensors = ready_tensors(profile);
  const Seconds computation = profile.computation();

  std::vector<std::size_t> ends;
  Progress progress;
  Seconds tick = 0;
  for (std::size_t next = 0; next < tensors.size();) {
    // Cycles that find nothing ready pass.
    const Seconds wait = tensors[next].ready + progress.delay - tick;
    if (wait > 0) tick += cycle * std::ceil(wait / cycle);
    progress.free = std::max(progress.free, tick);

    std::size_t ready = next + 1;  // rounding must not leave out the tensor that was waited for
    while (ready < tensors.size() && tensors[ready].ready + progress.delay <= tick) ++ready;
    while (next < ready) {
      Bytes size = tensors[next++].bytes;
      while (next < ready && size + tensors[next].bytes <= options.horovod_threshold) size += tensors[next++].bytes;
      progress =
          send(progress, tensors[next - 1].ready, cost.time(Collective::allreduce, size), computation, cost.overlap())
              .after;
      ends.push_back(next);
    }
    tick = std::max(tick + cycle, progress.free);
  }
  return MergePlan(std::move(ends));
}

}  // namespace

StrategyEntry horovod() {
  return {
      "horovod",
      "Horovod's fusion: each cycle of 1 ms sends what is ready, up to 128 MiB a message (the groups alone, without "
      "ticks and negotiation)",
      cycles};
}

}  // namespace mgbench::strategies_entries
