#include "bench/automatic_communicator.h"

#include <algorithm>
#include <vector>

#include "bench/busy_network.h"
#include "bench/calibrate.h"
#include "bench/observe.h"

namespace mgbench {
namespace {

constexpr Bytes kMessage = Bytes{4} << 20;
/// Between polls a network computes for one step: AlexNet's backward pass has about as many.
constexpr int kSteps = 20;

/// Of the slowest rank.
Seconds time_of_allreduce(ProcessGroup& group) {
  constexpr int kWarmUp = 2;
  constexpr int kCalls = 7;
  std::vector<float> data(static_cast<std::size_t>(kMessage) / sizeof(float));
  const auto allreduce = library_allreduce(group);
  std::vector<double> seconds;
  for (int call = 0; call < kWarmUp + kCalls; ++call) {
    group.barrier();
    const Seconds slowest = group.maximum((*allreduce)(data));
    if (call >= kWarmUp) seconds.push_back(slowest);
  }
  return median(seconds);
}

}  // namespace

CommunicatorChoice choose_communicator(ProcessGroup& group, Network& network, const CommunicatorTrial& trial,
                                       Progress& progress) {
  const std::size_t tensors = ready_tensors(network.outline()).size();
  const Schedule schedule = make_schedule(network.outline(), probe_plan(tensors));
  return try_communicators(group, network, schedule, "under a probe schedule", trial, progress);
}

CommunicatorChoice choose_communicator(ProcessGroup& group, int threads, const CommunicatorTrial& trial,
                                       Progress& progress) {
  const auto network = make_busy_network({.gradients = kMessage,
                                          .steps = kSteps,
                                          .threads = threads,
                                          .duration = std::max(1e-5, time_of_allreduce(group))});
  const Schedule schedule = make_schedule(network->outline(), MergePlan({1}));
  return try_communicators(group, *network, schedule,
                           fmt::format("of an allreduce of {} beside as long a computation", format_bytes(kMessage)),
                           trial, progress);
}

}  // namespace mgbench
