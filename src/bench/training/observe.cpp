#include "bench/training/observe.h"

#include <algorithm>

#include "report/statistics.h"

namespace mgbench {
namespace {

/// Median over the records of what `read` takes from each.
template <typename Read>
Seconds median_of(const std::vector<IterationRecord>& records, Read read) {
  std::vector<double> values;
  values.reserve(records.size());
  for (const IterationRecord& record : records) values.push_back(read(record));
  return median(values);
}

/// Ends of all steps in the order of execution: forward up, backward down.
std::vector<Seconds> median_ends(const std::vector<IterationRecord>& records) {
  const std::size_t steps = records.front().forward_ends.size();
  std::vector<Seconds> ends;
  for (std::size_t step = 0; step < steps; ++step)
    ends.push_back(median_of(records, [&](const IterationRecord& record) { return record.forward_ends[step]; }));
  for (std::size_t step = steps; step-- > 0;)
    ends.push_back(median_of(records, [&](const IterationRecord& record) { return record.backward_ends[step]; }));
  return ends;
}

}  // namespace

Profile observe_profile(ProcessGroup& group, const Profile& outline, const std::vector<IterationRecord>& records) {
  std::vector<Seconds> ends = median_ends(records);
  ends.push_back(median_of(records, [](const IterationRecord& record) { return record.update; }));
  ends = group.maximum(ends);

  Profile profile = outline;
  const std::size_t steps = profile.steps.size();
  auto since_last = [&, last = Seconds{0}](Seconds end) mutable {
    // Medians of neighbouring points may cross by the clock's resolution.
    const Seconds duration = std::max(0.0, end - last);
    last = std::max(last, end);
    return duration;
  };
  for (std::size_t step = 0; step < steps; ++step) profile.steps[step].forward = since_last(ends[step]);
  for (std::size_t i = 0; i < steps; ++i) profile.steps[steps - 1 - i].backward = since_last(ends[steps + i]);
  profile.update = ends.back();
  return profile;
}

Timeline observe_timeline(const std::vector<IterationRecord>& records) {
  Timeline timeline;
  timeline.forward_end = median_of(records, [](const auto& record) { return record.timeline.forward_end; });
  timeline.backward_end = median_of(records, [](const auto& record) { return record.timeline.backward_end; });
  timeline.communication_end = median_of(records, [](const auto& record) { return record.timeline.communication_end; });
  timeline.iteration = median_of(records, [](const auto& record) { return record.timeline.iteration; });
  for (std::size_t i = 0; i < records.front().timeline.messages.size(); ++i)
    timeline.messages.push_back(
        {.ready = median_of(records, [&](const auto& record) { return record.timeline.messages[i].ready; }),
         .start = median_of(records, [&](const auto& record) { return record.timeline.messages[i].start; }),
         .end = median_of(records, [&](const auto& record) { return record.timeline.messages[i].end; })});
  return timeline;
}

std::vector<Seconds> observe_transfers(ProcessGroup& group, const std::vector<IterationRecord>& records) {
  const std::size_t messages = records.front().timeline.messages.size();
  std::vector<double> durations;
  for (const IterationRecord& record : records)
    for (const MessageTimes& times : record.timeline.messages) durations.push_back(times.end - times.start);
  durations = group.minimum(durations);

  std::vector<Seconds> transfers;
  for (std::size_t message = 0; message < messages; ++message) {
    std::vector<double> values;
    for (std::size_t i = message; i < durations.size(); i += messages) values.push_back(durations[i]);
    transfers.push_back(median(values));
  }
  return transfers;
}

ObservedSchedule observe_schedule(ProcessGroup& group, const std::vector<IterationRecord>& without_communication,
                                  const std::vector<IterationRecord>& records, const Schedule& schedule,
                                  const CostModel& cost) {
  const std::vector<Seconds> quiet = median_ends(without_communication);
  const std::vector<Seconds> busy = median_ends(records);
  const Timeline timeline = observe_timeline(records);
  const std::size_t steps = quiet.size() / 2;
  const Seconds begin = busy[steps - 1];

  // Means over ranks, so that all fit the same.
  const auto mean = [&](std::vector<double> values) {
    group.sum(values);
    for (double& value : values) value /= group.size();
    return values;
  };

  // As a calibration measures them, from the moment on when a message could have started. 0: of a message that did not
  // end beside backward on this rank.
  std::vector<double> durations, spans;
  Seconds free = 0;
  for (const MessageTimes& message : timeline.messages) {
    durations.push_back(message.end < timeline.backward_end ? message.end - std::max(message.ready, free) : 0);
    spans.insert(spans.end(), {message.ready - begin, message.start - begin, message.end - begin});
    free = message.end;
  }
  const std::vector<double> shortest = group.minimum(durations);
  durations = mean(std::move(durations));
  spans = mean(std::move(spans));

  ObservedSchedule observed;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (shortest[i] > 0)
      observed.ended.push_back({durations[i], cost.time(schedule[i].collective, schedule[i].arena.size())});
    observed.messages.push_back({.ready = spans[3 * i], .start = spans[3 * i + 1], .end = spans[3 * i + 2]});
  }
  const auto since = [&](const std::vector<Seconds>& ends) {
    std::vector<Seconds> result;
    for (std::size_t i = steps; i < 2 * steps; ++i) result.push_back(ends[i] - ends[steps - 1]);
    return mean(std::move(result));
  };
  observed.step_ends = since(busy);
  observed.quiet_step_ends = since(quiet);
  return observed;
}

MergePlan probe_plan(std::size_t tensors) {
  constexpr std::size_t kSingles = 6;
  constexpr std::size_t kMerged = 14;
  std::vector<std::size_t> ends;
  while (ends.empty() || ends.back() < tensors) {
    const std::size_t begin = ends.empty() ? 0 : ends.back();
    const bool single = ends.size() % (kSingles + 1) < kSingles;
    ends.push_back(std::min(tensors, begin + (single ? 1 : kMerged)));
  }
  return MergePlan(std::move(ends));
}

}  // namespace mgbench
