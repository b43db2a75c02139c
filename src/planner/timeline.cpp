#include "planner/timeline.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "planner/progress.h"
#include "planner/shared_link.h"

namespace mgbench {
namespace {

/// When computation has done given amounts of work, which increase, while messages disturb it.
class WorkClock {
 public:
  explicit WorkClock(std::vector<Seconds> amounts) : amounts_(std::move(amounts)) {}

  /// Computation runs undisturbed, `delay` behind, until `until`.
  void run(Seconds until, Seconds delay) {
    for (; more() && amounts_[reached_.size()] + delay <= until;) reached_.push_back(amounts_[reached_.size()] + delay);
  }

  /// Computation runs at `rate` beside a message for passage.shared; it is `delay` behind at first.
  void run_beside(const Passage& passage, Seconds delay, double rate) {
    if (rate == 0) return;
    const Seconds end = passage.start + passage.shared;
    for (; more() && amounts_[reached_.size()] + passage.after.delay <= end;) {
      const Seconds undisturbed = amounts_[reached_.size()] + delay;
      reached_.push_back(undisturbed + (undisturbed - passage.start) * (1 / rate - 1));
    }
  }

  /// The times of all amounts; computation runs undisturbed from now on.
  std::vector<Seconds> finish(Seconds delay) && {
    while (more()) reached_.push_back(amounts_[reached_.size()] + delay);
    return std::move(reached_);
  }

 private:
  bool more() const { return reached_.size() < amounts_.size(); }

  std::vector<Seconds> amounts_;
  std::vector<Seconds> reached_;
};

/// The work to be done before each message is complete, in order of the schedule.
std::vector<Seconds> release_work(const Profile& profile, const Schedule& schedule) {
  std::vector<Seconds> step_ends(profile.steps.size());
  Seconds now = profile.forward();
  for (std::size_t step = profile.steps.size(); step-- > 0;) step_ends[step] = now += profile.steps[step].backward;

  std::vector<Seconds> result;
  std::size_t previous = profile.steps.size();
  for (const Message& message : schedule) {
    const std::size_t index = result.size();
    require(message.released_by < profile.steps.size(), "schedule: message {} is released by step {} of {}", index,
            message.released_by, profile.steps.size());
    require(message.released_by <= previous, "schedule: message {} is released by step {} after step {}; expected {}",
            index, message.released_by, previous, "the order of release, from the last step to the first");
    require(message.arena.size() > 0, "schedule: message {} is empty", index);
    previous = message.released_by;
    result.push_back(step_ends[previous]);
  }
  return result;
}

}  // namespace

Seconds Timeline::exposed() const {
  return stall + std::max(0.0, communication_end - backward_end);
}

namespace {

/// One channel: messages and computation disturb each other.
void send_in_turn(const Profile& profile, const Schedule& schedule, const CostModel& cost, Timeline& timeline) {
  const Overlap& overlap = cost.overlap();
  const Seconds computation = profile.computation();
  const std::vector<Seconds> release = release_work(profile, schedule);

  std::vector<Seconds> amounts = {profile.forward()};
  amounts.insert(amounts.end(), release.begin(), release.end());
  WorkClock clock(std::move(amounts));

  timeline.messages.resize(schedule.size());
  Progress progress;
  for (std::size_t index = 0; index < schedule.size(); ++index) {
    const Seconds duration = cost.time(schedule[index].collective, schedule[index].arena.size());
    const Passage passage = send(progress, release[index], duration, computation, overlap);
    clock.run(passage.start, progress.delay);
    clock.run_beside(passage, passage.after.delay - overlap.core_share * passage.shared, 1 - overlap.core_share);
    progress = passage.after;
    timeline.messages[index].start = passage.start;
    timeline.messages[index].end = progress.free;
  }

  const std::vector<Seconds> reached = std::move(clock).finish(progress.delay);
  timeline.forward_end = reached.front();
  for (std::size_t index = 0; index < schedule.size(); ++index)
    timeline.messages[index].ready = std::min(reached[index + 1], timeline.messages[index].start);
  timeline.backward_end = computation + progress.delay;
  timeline.communication_end = schedule.empty() ? timeline.backward_end : progress.free;
}

/// Several channels: messages disturb each other, computation runs on.
void send_at_once(const Profile& profile, const Schedule& schedule, const CostModel& cost, Timeline& timeline) {
  std::vector<SharedMessage> messages;
  const std::vector<Seconds> release = release_work(profile, schedule);
  for (std::size_t index = 0; index < schedule.size(); ++index) {
    const Seconds duration = cost.time(schedule[index].collective, schedule[index].arena.size());
    const Seconds startup = std::min(duration, cost.as_allreduce(schedule[index].collective).line().a);
    messages.push_back({schedule[index].channel, release[index], startup, duration - startup});
  }
  timeline.messages = share_link(messages, cost.sharing());
  timeline.forward_end = profile.forward();
  timeline.backward_end = timeline.communication_end = profile.computation();
  if (!timeline.messages.empty()) timeline.communication_end = 0;
  for (const MessageTimes& times : timeline.messages)
    timeline.communication_end = std::max(timeline.communication_end, times.end);
}

/// Messages of the iteration before, sent one after the other from the start on. How long forward waits for them.
Seconds gather(const Profile& profile, const Schedule& gathers, const CostModel& cost,
               std::vector<MessageTimes>& times) {
  std::vector<Seconds> earliest(profile.steps.size());
  Seconds free = 0;
  for (const Message& message : gathers) {
    const std::size_t step = *message.needed_by;
    require(step < profile.steps.size(), "schedule: a message is needed by step {} of {}", step, profile.steps.size());
    const Seconds start = free;
    free += cost.time(message.collective, message.arena.size());
    times.push_back({.start = start, .end = free});
    earliest[step] = free;
  }
  Seconds now = 0;
  for (std::size_t step = 0; step < profile.steps.size(); ++step)
    now = std::max(now, earliest[step]) + profile.steps[step].forward;
  return now - profile.forward();
}

}  // namespace

Timeline predict(const Profile& profile, const Schedule& schedule, const CostModel& cost) {
  validate(profile);
  Schedule gathers, others;
  for (const Message& message : schedule) (message.needed_by ? gathers : others).push_back(message);
  const bool one_channel =
      std::all_of(others.begin(), others.end(), [](const Message& message) { return message.channel == 0; });
  require(cost.overlap().none() || (gathers.empty() && one_channel),
          "schedule: with messages that slow computation, one channel and no message for the next forward can be "
          "predicted");

  Timeline timeline;
  Profile stalled = profile;
  std::vector<MessageTimes> gathered;
  if (!gathers.empty()) {
    timeline.stall = gather(profile, gathers, cost, gathered);
    stalled.steps.front().forward += timeline.stall;
  }
  if (one_channel)
    send_in_turn(stalled, others, cost, timeline);
  else
    send_at_once(stalled, others, cost, timeline);
  timeline.messages.insert(timeline.messages.end(), gathered.begin(), gathered.end());
  timeline.iteration = std::max(timeline.communication_end, timeline.backward_end) + profile.update;
  return timeline;
}

}  // namespace mgbench
