#include "report/device_clock.h"

#include <algorithm>
#include <utility>

namespace mgbench {

DeviceClock::DeviceClock(std::vector<DeviceWork> work) : work_(std::move(work)) {
  std::stable_sort(work_.begin(), work_.end(),
                   [](const DeviceWork& left, const DeviceWork& right) { return left.launched < right.launched; });
  for (std::size_t i = 1; i < work_.size(); ++i)
    work_[i].span.end = std::max(work_[i].span.end, work_[i - 1].span.end);  // streams side by side
}

Seconds DeviceClock::done(Seconds time) const {
  const auto after = std::upper_bound(work_.begin(), work_.end(), time,
                                      [](Seconds limit, const DeviceWork& work) { return limit < work.launched; });
  return after == work_.begin() ? work_.front().span.begin : std::prev(after)->span.end;
}

Seconds DeviceClock::begun(Seconds time) const {
  const auto first = std::lower_bound(work_.begin(), work_.end(), time,
                                      [](const DeviceWork& work, Seconds limit) { return work.launched < limit; });
  return first == work_.end() ? work_.back().span.end : first->span.begin;
}

void DeviceClock::move(TraceStep& step) const {
  step.span.begin = begun(step.span.begin);
  const TraceSpan host = step.autograd;
  step.autograd.begin = std::max(step.span.begin, begun(host.begin));
  step.autograd.end = std::max(step.autograd.begin, done(host.end));
  // A gradient that took no work of its own is ready as backward begins, at the earliest.
  for (TraceGradient& gradient : step.gradients)
    gradient.span.end = std::max(step.autograd.begin, done(gradient.span.end));
}

}  // namespace mgbench
