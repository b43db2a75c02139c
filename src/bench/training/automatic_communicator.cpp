#include "bench/training/automatic_communicator.h"

#include <algorithm>
#include <vector>

#include "bench/calibration/calibrate.h"
#include "bench/calibration/gradient_buffer.h"
#include "bench/communicator.h"
#include "bench/communicators/no_communication.h"
#include "bench/training/busy_network.h"
#include "bench/training/observe.h"
#include "bench/training/train_step.h"
#include "bench/watch/activity.h"

namespace mgbench {
namespace {

constexpr Bytes kMessage = Bytes{4} << 20;
/// Between polls a network computes for one step: AlexNet's backward pass has about as many.
constexpr int kSteps = 20;
constexpr Seconds kShortest = 10e-6;  // one rank sums nothing

/// Of the slowest rank.
Seconds time_of_allreduce(ProcessGroup& group) {
  constexpr int kWarmUp = 2;
  constexpr int kCalls = 7;
  GradientBuffer buffer({.bytes = kMessage});
  const GradientView data = buffer.part(0, buffer.count());
  const auto allreduce = library_allreduce(group);
  std::vector<double> seconds;
  for (int call = 0; call < kWarmUp + kCalls; ++call) {
    group.barrier();
    const Seconds slowest = group.maximum((*allreduce)(data));
    if (call >= kWarmUp) seconds.push_back(slowest);
  }
  return median(seconds);
}

/// Of the slowest rank, without messages.
Seconds time_of_iteration(ProcessGroup& group, Network& network) {
  NoCommunication none;
  IterationMarks marks(network.steps());
  const NetworkState before = network.save();
  group.barrier();
  const Seconds begin = steady_clock().now();
  train_step(network, none, {}, marks);
  const Seconds end = steady_clock().now();
  network.restore(before);
  return group.maximum(end - begin);
}

/// Of a warm-up and a round: each communicator sends all messages alone, twice, and beside an iteration.
Seconds time_of_round(ProcessGroup& group, Network& network, Seconds allreduce) {
  const auto candidates = static_cast<double>(fitting_communicators(MemorySpace::host, ElementType::float32).size());
  const Seconds messages = allreduce * static_cast<double>(network.outline().bytes()) / static_cast<double>(kMessage);
  activity().expect(messages);
  return (2 + candidates) * time_of_iteration(group, network) + 3 * candidates * messages;
}

CommunicatorChoice try_without_network(ProcessGroup& group, int threads, Seconds allreduce, const std::string& why,
                                       const CommunicatorTrial& trial, Progress& progress) {
  const auto network = make_busy_network(
      {.gradients = kMessage, .steps = kSteps, .threads = threads, .duration = std::max(kShortest, allreduce)});
  const Schedule schedule = make_schedule(network->outline(), MergePlan({1}));
  const std::string probe =
      fmt::format("of an allreduce of {} beside as long a computation{}", format_bytes(kMessage), why);
  return try_communicators(group, *network, schedule, probe, trial, progress);
}

}  // namespace

CommunicatorChoice choose_communicator(ProcessGroup& group, int threads, const CommunicatorTrial& trial,
                                       Progress& progress) {
  return try_without_network(group, threads, time_of_allreduce(group), "", trial, progress);
}

CommunicatorChoice choose_communicator(ProcessGroup& group, Network& network, int threads,
                                       const CommunicatorTrial& trial, Progress& progress) {
  if (trial.device == nullptr) {  // no arithmetic of the host stands for that of a device
    const Seconds allreduce = time_of_allreduce(group);
    const Seconds round = time_of_round(group, network, allreduce);
    if (group.maximum(round) > group.minimum(trial.budget))
      return try_without_network(
          group, threads, allreduce,
          fmt::format(" (real iterations would take {}, more than their share of the budget)", format_seconds(round)),
          trial, progress);
  }
  const std::size_t tensors = ready_tensors(network.outline()).size();
  const Schedule schedule = make_schedule(network.outline(), probe_plan(tensors));
  return try_communicators(group, network, schedule, "under a probe schedule", trial, progress);
}

}  // namespace mgbench
