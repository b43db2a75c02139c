#include "planner/oracles.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace mgbench::testing {

Timeline simulate(const Profile& profile, const Schedule& schedule, const CostModel& cost) {
  constexpr double kRounding = 1e-12;
  const Overlap& overlap = cost.overlap();

  Seconds total = 0;
  for (const auto& step : profile.steps) total += step.forward;
  const Seconds forward = total;
  std::vector<Seconds> step_end(profile.steps.size());
  for (std::size_t step = profile.steps.size(); step-- > 0;) step_end[step] = total += profile.steps[step].backward;

  Timeline timeline;
  timeline.messages.resize(schedule.size());
  std::vector<bool> ready(schedule.size());
  Seconds now = 0;
  Seconds work = 0;
  bool forward_done = false;
  bool backward_done = false;
  std::size_t current = 0;
  bool in_flight = false;
  Seconds message_left = 0;
  Seconds unnoticed = 0;  // how long its end will be, while computation runs
  Seconds cpu_had = 0;    // the work at which the message in flight has had its CPU time
  for (;;) {
    // What has come about by now.
    if (!forward_done && work >= forward - kRounding) forward_done = true, timeline.forward_end = now;
    for (std::size_t i = 0; i < schedule.size(); ++i)
      if (!ready[i] && work >= step_end[schedule[i].released_by] - kRounding) {
        ready[i] = true;
        timeline.messages[i].ready = now;
      }
    if (!backward_done && work >= total - kRounding) backward_done = true, timeline.backward_end = now;
    bool transferred = in_flight && message_left <= kRounding && work >= cpu_had - kRounding;
    if (transferred && (backward_done || unnoticed <= kRounding)) {
      transferred = false;
      in_flight = false;
      timeline.messages[current++].end = now;
    }
    if (!in_flight && current < schedule.size() && work >= step_end[schedule[current].released_by] - kRounding) {
      in_flight = true;
      timeline.messages[current].start = now;
      message_left = cost.time(schedule[current].collective, schedule[current].arena.size());
      cpu_had = work;
      unnoticed = overlap.notice;
      if (!backward_done) work -= overlap.message_cpu;
    }
    if (backward_done && current == schedule.size()) break;

    // Run until the next of them.
    const double work_rate = backward_done ? 0 : message_left > kRounding ? 1 - overlap.core_share : 1;
    const double message_rate = message_left <= kRounding ? 0 : backward_done ? 1 : 1 / overlap.stretch;
    Seconds wait = std::numeric_limits<Seconds>::infinity();
    const auto until = [&](Seconds amount, double rate) {
      if (amount > kRounding && rate > 0) wait = std::min(wait, amount / rate);
    };
    until(forward - work, work_rate);
    until(total - work, work_rate);
    for (const Seconds end : step_end) until(end - work, work_rate);
    until(cpu_had - work, work_rate);
    if (transferred) until(unnoticed, 1);
    until(message_left, message_rate);
    now += wait;
    work += work_rate * wait;
    message_left -= message_rate * wait;
    if (transferred) unnoticed -= wait;
  }
  timeline.communication_end = schedule.empty() ? timeline.backward_end : timeline.messages.back().end;
  timeline.iteration = std::max(timeline.communication_end, timeline.backward_end) + profile.update;
  return timeline;
}

Seconds predicted_finish(const Profile& profile, const CostModel& cost, const MergePlan& plan) {
  const Timeline timeline = predict(profile, make_schedule(profile, plan), cost);
  return std::max(timeline.communication_end, timeline.backward_end);
}

BruteForce brute_force(const Profile& profile, const CostModel& cost) {
  const std::size_t tensors = ready_tensors(profile).size();
  std::vector<std::pair<Seconds, std::size_t>> plans;
  for (std::size_t cuts = 0; cuts < std::size_t{1} << (tensors - 1); ++cuts) {
    std::vector<std::size_t> ends;
    for (std::size_t end = 1; end < tensors; ++end)
      if (cuts >> (end - 1) & 1) ends.push_back(end);
    ends.push_back(tensors);
    const MergePlan plan(std::move(ends));
    plans.emplace_back(predicted_finish(profile, cost, plan), plan.groups());
  }
  BruteForce best{std::min_element(plans.begin(), plans.end())->first, tensors};
  for (const auto& [finish, messages] : plans)
    if (finish <= best.finish * (1 + 1e-9)) best.messages = std::min(best.messages, messages);
  return best;
}

}  // namespace mgbench::testing
