#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/units.h"
#include "planner/cost_model.h"
#include "planner/profile.h"

namespace mgbench {

/// A cut of tensors 0..n-1 (in ready order) into consecutive groups: group g holds [ends[g-1], ends[g]).
class MergePlan {
 public:
  /// Throws Error unless `ends` is strictly increasing and starts above zero.
  explicit MergePlan(std::vector<std::size_t> ends);

  const std::vector<std::size_t>& ends() const { return ends_; }
  std::size_t groups() const { return ends_.size(); }
  std::size_t tensors() const { return ends_.back(); }
  bool operator==(const MergePlan&) const = default;

 private:
  std::vector<std::size_t> ends_;
};

/// One collective of the iteration. Messages of a channel run one at a time, in the order of the schedule; messages of
/// different channels share the link.
struct Message {
  ByteRange arena;  ///< the part of the gradient arena that it reduces
  Collective collective = Collective::allreduce;
  int channel = 0;
  std::size_t released_by = 0;  ///< the backward step whose end makes its gradients complete
  /// The forward step of the next iteration that waits for it; none: the update waits. Such messages are sent when the
  /// iteration ends.
  std::optional<std::size_t> needed_by = {};
};

/// What predict() and the training loop consume: in order of release (steps from last to first).
using Schedule = std::vector<Message>;

/// Throws Error unless the plan has as many tensors as the profile.
Schedule make_schedule(const Profile& profile, const MergePlan& plan);

}  // namespace mgbench
