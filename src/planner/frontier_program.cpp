#include "planner/frontier_program.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace mgbench {
namespace {

// For each boundary the program keeps, of all plans for the tensors before it, the states in which they leave
// channel and computation, but no state that another one dominates: whatever may follow, that one then ends
// no later, with no more messages. p dominates q if p.free <= q.free, p.messages <= q.messages, and one of
//
// (1) p.done >= q.done. Let both send the same group. Neither the wait for its release nor the work that is
// left when
//     it starts is longer for p, so it runs beside computation no longer and ends no later. Work done: either
//     p has done all of it by then, or both messages ran beside computation all the time and it grew equally.
//
// (2) p.late + K message_cpu <= q.late, where late = free - done and core_share stretch <= 1. A plan cannot choose to
//     wait, but it gains work done by wasting time on the channel, and (1) alone would keep every plan that does.
//     Let M be the time on the channel so far (in undisturbed seconds), C the work done, s the messages started,
//     and d the difference p less q at one moment of time; both send the same groups. While d M >= 0,
//       I = d C + core_share stretch d M + message_cpu d s
//     does not fall, whichever of computing, sending or both each of them is at, except by message_cpu where q starts
//     a message after its computation has ended. K bounds the number of those: from the first of them on q may as well
//     follow the cheapest partition of the rest, and a message that no plan can start earlier does not count, as
//     then p pays as little. So I stays >= 0; where d M = 0 this means d C >= 0, and p starts the next message no later
//     than q does. Hence d M stays >= 0 to the end, where d C >= 0 again: p ends no later.
//
//     Until an end is noticed computation runs undisturbed, so that I does not fall by it; and where d M = 0,
//     computation ends no later for p, hence p does not notice later.
//
// (3) p.late <= q.late, where stretch = 1, notice = 0 and message_cpu <= (1 - core_share) T for all messages. p's
// messages start and
//     end no later as long as its computation is no later. It may fall behind q's in a message beside which q computes
//     for a shorter time or not at all; even then it ends by the end of q's message, and so on for those that follow.
//
// Where p is earlier and less late, but none of these holds, q can be better only by starting a message just after
// computation has ended and p just before, or if core_share stretch > 1. If costs jump with size there may be so many
// such states that no time suffices. Then they, too, count as dominated, and the plan is the best but for that.

constexpr Seconds kNever = std::numeric_limits<Seconds>::infinity();

/// In what state a plan for the tensors before `boundary` leaves the iteration.
struct State {
  Progress progress;
  Seconds done = 0;  ///< work done at progress.free
  Seconds late = 0;  ///< progress.free - done
  std::uint32_t messages = 0;
  std::uint32_t boundary = 0;
  std::uint32_t parent = 0;  ///< the state before the last message
};

/// What holds of the tensors from a boundary on, in whatever state the iteration is.
struct Rest {
  Seconds channel = 0;         ///< the least sum of T over all partitions
  std::uint32_t messages = 0;  ///< of a partition with that sum
  std::uint32_t saved = 0;     ///< K of (2)
  Seconds critical = -kNever;  ///< the greatest r_k + (1 - toll) (the least sum of T from tensor k on)
};

class FrontierProgram {
 public:
  explicit FrontierProgram(const MergeProblem& problem)
      : problem_(problem),
        overlap_(problem.cost().overlap()),
        mild_(overlap_.core_share * overlap_.stretch <= 1),
        no_stretch_(overlap_.stretch == 1 && overlap_.notice == 0 &&
                    overlap_.message_cpu <= (1 - overlap_.core_share) * problem.cost().start_up()),
        toll_(std::min(1.0, overlap_.core_share * overlap_.stretch)),
        rests_(problem.tensors() + 1) {
    fill_rests();
  }

  /// The best plan, or none if all end after `limit`. Best is the one with the fewest messages if `fewest`,
  /// else the one that ends soonest.
  std::optional<MergePlan> search(Seconds limit, bool fewest, std::size_t most_comparisons) {
    limit_ = limit;
    fewest_ = fewest;
    relaxed_ = false;
    if (!fill_states(most_comparisons)) {
      relaxed_ = true;
      fill_states(std::numeric_limits<std::size_t>::max());
    }
    const auto better = [&](const State& left, const State& right) {
      if (fewest && left.messages != right.messages) return left.messages < right.messages;
      return problem_.finish(left.progress) < problem_.finish(right.progress);
    };
    const auto ends = states_.begin() + static_cast<std::ptrdiff_t>(first_[problem_.tensors()]);
    const auto best = std::min_element(ends, states_.end(), better);
    if (best == states_.end()) return std::nullopt;
    return plan(*best);
  }

 private:
  void fill_rests() {
    const std::size_t n = problem_.tensors();
    const bool last_after_all = problem_.ready(n) >= problem_.computation();
    for (std::size_t i = n; i-- > 0;) {
      Rest& rest = rests_[i];
      rest.channel = kNever;
      for (std::size_t j = i + 1; j <= n; ++j) {
        const Seconds channel = problem_.duration(i, j) + rests_[j].channel;
        if (channel < rest.channel) {
          rest.channel = channel;
          rest.messages = rests_[j].messages + 1;
        }
      }
      rest.saved = std::max(rests_[i + 1].saved, rest.messages - (last_after_all ? 1 : 0));
    }
    // The message that holds tensor k begins at any boundary up to k.
    std::vector<Seconds> least(n);
    for (std::size_t k = 0; k < n; ++k) least[k] = std::min(rests_[k].channel, k > 0 ? least[k - 1] : kNever);
    for (std::size_t k = n; k-- > 0;)
      rests_[k].critical = std::max(rests_[k + 1].critical, problem_.ready(k + 1) + (1 - toll_) * least[k]);
  }

  /// The states of all boundaries. False if that takes more comparisons.
  bool fill_states(std::size_t most_comparisons) {
    comparisons_ = 0;
    states_.assign(1, State{});
    first_.assign({0, 1});
    for (std::size_t j = 1; j <= problem_.tensors(); ++j) {
      frontier_.clear();
      for (std::size_t i = j; i-- > 0;) {
        const Seconds duration = problem_.duration(i, j);
        if (problem_.ready(j) + duration + rests_[j].channel > limit_) continue;
        for (std::size_t parent = first_[i]; parent < first_[i + 1]; ++parent) extend(parent, j, duration);
        if (comparisons_ > most_comparisons) return false;
      }
      states_.insert(states_.end(), frontier_.begin(), frontier_.end());
      first_.push_back(states_.size());
    }
    return true;
  }

  /// Sends the tensors up to boundary `j` from a kept state on, and keeps the outcome if it may lead to the best plan.
  void extend(std::size_t parent, std::size_t j, Seconds duration) {
    const State& from = states_[parent];
    const Seconds computation = problem_.computation();
    State state;
    state.progress = send(from.progress, problem_.ready(j), duration, computation, overlap_).after;
    state.done = std::min(state.progress.free - state.progress.delay, computation);
    state.late = std::max(state.progress.free - computation, state.progress.delay);
    state.messages = from.messages + 1;
    state.boundary = static_cast<std::uint32_t>(j);
    state.parent = static_cast<std::uint32_t>(parent);
    if (bound(state) > limit_) return;

    comparisons_ += frontier_.size();
    for (const State& other : frontier_)
      if (dominates(other, state)) return;
    std::erase_if(frontier_, [&](const State& other) { return dominates(state, other); });
    frontier_.push_back(state);
  }

  bool dominates(const State& p, const State& q) const {
    if (p.progress.free > q.progress.free || (fewest_ && p.messages > q.messages)) return false;
    if (p.done >= q.done) return true;
    if (no_stretch_ || relaxed_) return p.late <= q.late;
    return mild_ && p.late + rests_[p.boundary].saved * overlap_.message_cpu <= q.late;
  }

  /// The plan that led to a state.
  MergePlan plan(const State& last) const {
    std::vector<std::size_t> ends;
    for (const State* state = &last; state->boundary > 0; state = &states_[state->parent])
      ends.push_back(state->boundary);
    std::reverse(ends.begin(), ends.end());
    return MergePlan(std::move(ends));
  }

  /// No plan that goes on from `state` ends sooner. A second of message that runs beside computation delays
  /// it by `toll_` seconds (or gains nothing over sending it afterwards).
  Seconds bound(const State& state) const {
    if (state.boundary == problem_.tensors()) return problem_.finish(state.progress);
    const Rest& rest = rests_[state.boundary];
    // If something is always under way: work and messages, less what runs beside each other.
    const Seconds left = problem_.computation() - state.done;
    const Seconds beside =
        toll_ < 1 ? std::min(rest.channel, left / (overlap_.stretch * (1 - overlap_.core_share))) : 0;
    const Seconds busy = state.progress.free + left + rest.channel - (1 - toll_) * beside;
    // If the channel waits for tensor k: what is sent before delays r_k, and tensor k and all behind it are
    // still to be sent.
    const Seconds waiting = state.late + rest.critical + toll_ * rest.channel;
    return std::max(busy, waiting);
  }

  const MergeProblem& problem_;
  const Overlap overlap_;
  const bool mild_;        // (2) holds
  const bool no_stretch_;  // (3) holds
  const double toll_;      // computation that a second of message beside it takes, or would take; 1 at most
  Seconds limit_ = 0;
  bool fewest_ = false;
  bool relaxed_ = false;
  std::size_t comparisons_ = 0;
  std::vector<Rest> rests_;         // by boundary
  std::vector<State> states_;       // the kept ones, in order of boundaries
  std::vector<std::size_t> first_;  // of a boundary's, in states_
  std::vector<State> frontier_;     // of the boundary that is being worked on
};

}  // namespace

MergePlan frontier_plan(const MergeProblem& problem, const MergePlan& known, std::size_t most_comparisons) {
  FrontierProgram program(problem);
  MergePlan best = known;
  const Seconds known_finish = problem.finish(known.ends());
  const auto soonest = program.search(known_finish * (1 + kTie), false, most_comparisons);
  if (soonest && problem.finish(soonest->ends()) < known_finish) best = *soonest;
  const auto fewest = program.search(problem.finish(best.ends()) * (1 + kTie), true, most_comparisons);
  return fewest && fewest->groups() <= best.groups() ? *fewest : best;
}

}  // namespace mgbench
