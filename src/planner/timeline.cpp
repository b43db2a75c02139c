#include "planner/timeline.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "planner/progress.h"

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
    require(message.channel == 0, "schedule: message {} uses channel {}; predictions know channel 0 alone", index,
            message.channel);
    previous = message.released_by;
    result.push_back(step_ends[previous]);
  }
  return result;
}

}  // namespace

Seconds Timeline::exposed() const {
  return std::max(0.0, communication_end - backward_end);
}

Timeline predict(const Profile& profile, const Schedule& schedule, const CostModel& cost) {
  validate(profile);
  const Overlap& overlap = cost.overlap();
  const Seconds computation = profile.computation();
  const std::vector<Seconds> release = release_work(profile, schedule);

  std::vector<Seconds> amounts = {profile.forward()};
  amounts.insert(amounts.end(), release.begin(), release.end());
  WorkClock clock(std::move(amounts));

  Timeline timeline;
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
  timeline.iteration = std::max(timeline.communication_end, timeline.backward_end) + profile.update;
  return timeline;
}

}  // namespace mgbench
