#include "bench/training/layout_trial.h"

#include <algorithm>
#include <map>

#include "bench/communicators/no_communication.h"
#include "bench/training/train_step.h"

namespace mgbench {
namespace {

constexpr std::size_t kWarmUp = 3;
constexpr std::size_t kIterations = 11;

/// Of this rank.
std::vector<Seconds> time_iterations(const MakeNetwork& make, Layout layout) {
  const std::unique_ptr<Network> network = make(layout);
  NoCommunication none;
  IterationMarks marks(network->steps());
  std::vector<Seconds> times;
  for (std::size_t i = 0; i < kWarmUp + kIterations; ++i) {
    train_step(*network, none, {}, marks);
    if (i >= kWarmUp) times.push_back(network->seconds(marks.end) - network->seconds(marks.begin));
  }
  return times;
}

LayoutTimes try_channels_last(ProcessGroup& group, const MakeNetwork& make) {
  LayoutTimes times;
  try {
    times.iterations = time_iterations(make, Layout::channels_last);
  } catch (const Error& error) {
    times.obstacle = error.what();
    times.iterations.resize(kIterations);
  }
  times.iterations = group.maximum(times.iterations);
  const std::vector<std::string> obstacles = group.gather(times.obstacle);
  const auto first = std::ranges::find_if(obstacles, [](const std::string& text) { return !text.empty(); });
  times.obstacle = first == obstacles.end() ? "" : *first;
  group.broadcast(times.obstacle);
  return times;
}

}  // namespace

LayoutChoice try_layouts(ProcessGroup& group, const std::string& workload, const MakeNetwork& make) {
  static std::map<std::string, LayoutChoice> known;  // the same on all ranks
  if (const auto found = known.find(workload); found != known.end()) return found->second;
  const LayoutTimes first{.iterations = group.maximum(time_iterations(make, Layout::channels_first)), .obstacle = ""};
  return known.emplace(workload, choose_layout(first, try_channels_last(group, make))).first->second;
}

}  // namespace mgbench
