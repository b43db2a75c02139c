#pragma once

#include <cstddef>
#include <vector>

#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "planner/progress.h"

namespace mgbench {

/// What the planners need of a profile and a cost: boundaries 0..n stand between tensors; boundary j has j of
/// them before it. A group is a pair of boundaries.
class MergeProblem {
 public:
  /// `cost` must outlive the problem. Throws Error for an invalid profile.
  MergeProblem(const Profile& profile, const CostModel& cost);

  std::size_t tensors() const { return ready_.size() - 1; }
  /// Work to be done before the group ending at `boundary` >= 1 is complete.
  Seconds ready(std::size_t boundary) const { return ready_[boundary]; }
  /// Bytes before a boundary.
  Bytes offset(std::size_t boundary) const { return offsets_[boundary]; }
  Seconds computation() const { return computation_; }
  const CostModel& cost() const { return *cost_; }

  /// T of the group from one boundary to another.
  Seconds duration(std::size_t begin, std::size_t end) const {
    return cost_->time(Collective::allreduce, offsets_[end] - offsets_[begin]);
  }

  /// `progress` after the group has been sent.
  Progress after(Progress progress, std::size_t begin, std::size_t end) const {
    return send(progress, ready_[end], duration(begin, end), computation_, cost_->overlap()).after;
  }

  /// When both computation and the channel have ended.
  Seconds finish(Progress progress) const { return std::max(progress.free, computation_ + progress.delay); }

  /// finish() of a whole plan, given by its ends.
  Seconds finish(const std::vector<std::size_t>& ends) const;

 private:
  std::vector<Seconds> ready_;  // by boundary; the one at 0 is unused
  std::vector<Bytes> offsets_;  // by boundary
  Seconds computation_;
  const CostModel* cost_;
};

/// Plans whose ends differ from the best by less than this relative amount count as equally good.
inline constexpr double kTie = 1e-9;

}  // namespace mgbench
