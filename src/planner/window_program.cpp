#include "planner/window_program.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace mgbench {
namespace {

// f(j) = min_{i<j} max(f(i), r_j) + T(S_j - S_i), f(i) the earliest end of messages holding the first i
// tensors.
//
// T is linear in regimes, so take each of them alone: base + slope m for
// low <= m < high. The i whose S_j - S_i falls into it form a window that only moves on as j grows. f does
// not fall (leave the last tensor out of a plan for j + 1: no later release, no longer message), so the
// window splits in two:
//   f(i) <= r_j: r_j + T(S_j - S_i), least at the largest such i;
//   f(i) >  r_j: base + slope S_j + (f(i) - slope S_i), least where the bracket is: a sliding-window minimum.
// Both borders of the second part only move on too, and a queue of candidates with rising brackets serves
// each j in amortized constant time.
class Stretch {
 public:
  Stretch(Bytes low, Bytes high, double slope) : low_(low), high_(high), slope_(slope) {}

  /// Makes room for boundaries 0..n and forgets the last pass.
  void reset(std::size_t boundaries) {
    queue_.resize(boundaries);
    head_ = tail_ = begin_ = end_ = 0;
  }

  /// Calls visit(i) for the at most two boundaries that may be best in this regime.
  template <typename Visit>
  void candidates(const MergeProblem& problem, const std::vector<Seconds>& before, std::size_t j,
                  std::size_t last_waiting, const Visit& visit) {
    const Bytes offset = problem.offset(j);
    const auto bracket = [&](std::size_t i) { return before[i] - slope_ * static_cast<double>(problem.offset(i)); };
    for (; end_ < j && offset - problem.offset(end_) >= low_; ++end_) {
      while (tail_ > head_ && bracket(queue_[tail_ - 1]) >= bracket(end_)) --tail_;
      queue_[tail_++] = static_cast<std::uint32_t>(end_);
    }
    while (begin_ < end_ && offset - problem.offset(begin_) >= high_) ++begin_;
    while (head_ < tail_ && queue_[head_] < std::max(begin_, last_waiting + 1)) ++head_;

    if (begin_ < end_ && last_waiting >= begin_) visit(std::min(last_waiting, end_ - 1));
    if (head_ < tail_) visit(std::size_t{queue_[head_]});
  }

 private:
  Bytes low_;
  Bytes high_;
  double slope_;
  std::vector<std::uint32_t> queue_;  // boundaries with rising brackets, in [head_, tail_)
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::size_t begin_ = 0;  // the window
  std::size_t end_ = 0;
};

std::vector<Stretch> stretches(const CostModel& cost) {
  std::vector<Stretch> result;
  const Regimes& regimes = cost.regimes();
  for (std::size_t i = 0; i < regimes.size(); ++i)
    result.emplace_back(regimes[i].from,
                        i + 1 < regimes.size() ? regimes[i + 1].from : std::numeric_limits<Bytes>::max(),
                        regimes[i].slope);
  return result;
}

class WindowProgram {
 public:
  explicit WindowProgram(const MergeProblem& problem)
      : problem_(problem), stretches_(stretches(problem.cost())), boundaries_(problem.tensors() + 1) {}

  MergePlan solve() {
    // Without a limit on messages, f may read what it has just written: it needs only f(i), i < j.
    std::vector<Seconds> best(boundaries_, kNever);
    best[0] = 0;
    std::vector<std::uint32_t> cuts(boundaries_);
    add_group(best, best, cuts.data());
    const std::vector<std::size_t> any = trace([&](std::size_t j, std::size_t) { return cuts[j]; }, boundaries_);
    return MergePlan(fewest(std::max(best.back(), problem_.computation()) * (1 + kTie), any));
  }

 private:
  static constexpr Seconds kNever = std::numeric_limits<Seconds>::infinity();
  // Fewer messages are looked for as long as the table of cuts stays below this size (256 MiB).
  static constexpr std::size_t kMostCuts = std::size_t{1} << 26;

  /// after(j) = min_{i<j} max(before(i), r_j) + T(S_j - S_i) and the i, for all j > 0. `after` may be
  /// `before`.
  void add_group(const std::vector<Seconds>& before, std::vector<Seconds>& after, std::uint32_t* cuts) {
    for (Stretch& stretch : stretches_) stretch.reset(boundaries_);
    std::size_t last_waiting = 0;  // the largest i < j with before(i) <= r_j; there is one, as before(0) = 0
    for (std::size_t j = 1; j < boundaries_; ++j) {
      while (last_waiting + 1 < j && before[last_waiting + 1] <= problem_.ready(j)) ++last_waiting;
      Seconds best = kNever;
      const auto visit = [&](std::size_t i) {
        const Seconds end = send({before[i], 0}, problem_.ready(j), problem_.duration(i, j), 0, {}).after.free;
        if (end < best) {
          best = end;
          cuts[j] = static_cast<std::uint32_t>(i);
        }
      };
      for (Stretch& stretch : stretches_) stretch.candidates(problem_, before, j, last_waiting, visit);
      after[j] = best;
    }
  }

  /// Adds a group at a time until n tensors end by `limit`; `otherwise` if that takes no fewer groups.
  std::vector<std::size_t> fewest(Seconds limit, const std::vector<std::size_t>& otherwise) {
    std::vector<Seconds> ends(boundaries_, kNever);  // with at most `groups` groups
    ends[0] = 0;
    std::vector<Seconds> next = ends;
    std::vector<std::uint32_t> cuts;  // a row a group
    for (std::size_t groups = 1; groups < otherwise.size() && groups * boundaries_ <= kMostCuts; ++groups) {
      cuts.resize(groups * boundaries_);
      add_group(ends, next, cuts.data() + (groups - 1) * boundaries_);
      ends.swap(next);
      if (ends.back() <= limit)
        return trace([&](std::size_t j, std::size_t group) { return cuts[(group - 1) * boundaries_ + j]; }, groups);
    }
    return otherwise;
  }

  /// Follows cut(j, group) back from n.
  template <typename Cut>
  std::vector<std::size_t> trace(const Cut& cut, std::size_t groups) const {
    std::vector<std::size_t> ends;
    for (std::size_t j = boundaries_ - 1; j > 0; j = cut(j, groups--)) ends.push_back(j);
    std::reverse(ends.begin(), ends.end());
    return ends;
  }

  const MergeProblem& problem_;
  std::vector<Stretch> stretches_;
  std::size_t boundaries_;
};

}  // namespace

MergePlan window_plan(const MergeProblem& problem) {
  return WindowProgram(problem).solve();
}

bool never_falls(const CostModel& cost) {
  const Regimes& regimes = cost.regimes();
  for (std::size_t i = 0; i < regimes.size(); ++i)
    if (regimes[i].slope < 0 || (i > 0 && regimes[i].at < regimes[i - 1].time(regimes[i].from) * (1 - kTie)))
      return false;
  return true;
}

}  // namespace mgbench
