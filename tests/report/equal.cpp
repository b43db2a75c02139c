#include "report/equal.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace mgbench {
namespace {

/// In a class, so that each overload sees the others whatever their order.
struct Compare {
  template <typename T>
  static bool equal(const T& left, const T& right) {
    return left == right;
  }
  static bool equal(const Interval& left, const Interval& right) {
    const auto& [a, b] = left;
    const auto& [c, d] = right;
    return a == c && b == d;
  }
  template <typename T>
  static bool equal(const std::optional<T>& left, const std::optional<T>& right) {
    return left.has_value() == right.has_value() && (!left || equal(*left, *right));
  }
  template <typename T>
  static bool equal(const std::vector<T>& left, const std::vector<T>& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const T& a, const T& b) { return equal(a, b); });
  }

  static bool equal(const Tensor& left, const Tensor& right) {
    const auto& [name, bytes] = left;
    const auto& [other_name, other_bytes] = right;
    return name == other_name && bytes == other_bytes;
  }
  static bool equal(const Profile::Step& left, const Profile::Step& right) {
    const auto& [name, forward, backward, tensors] = left;
    const auto& [name2, forward2, backward2, tensors2] = right;
    return name == name2 && forward == forward2 && backward == backward2 && equal(tensors, tensors2);
  }
  static bool equal(const CalibrationPoint& left, const CalibrationPoint& right) {
    const auto& [bytes, seconds, interval, samples] = left;
    const auto& [bytes2, seconds2, interval2, samples2] = right;
    return bytes == bytes2 && seconds == seconds2 && equal(interval, interval2) && samples == samples2;
  }
  static bool equal(const LineFit& left, const LineFit& right) {
    const auto& [line, a, b, largest_residual, held_out, smallest, largest] = left;
    const auto& [line2, a2, b2, largest_residual2, held_out2, smallest2, largest2] = right;
    return line.a == line2.a && line.b == line2.b && equal(a, a2) && equal(b, b2) &&
           largest_residual == largest_residual2 && held_out == held_out2 && smallest == smallest2 &&
           largest == largest2;
  }
  static bool equal(const CalibrationCurve& left, const CalibrationCurve& right) {
    const auto& [name, communicator, points, calls, spikes, fit, regimes] = left;
    const auto& [name2, communicator2, points2, calls2, spikes2, fit2, regimes2] = right;
    return name == name2 && communicator == communicator2 && equal(points, points2) && calls == calls2 &&
           spikes == spikes2 && equal(fit, fit2) && regimes.regimes.size() == regimes2.regimes.size() &&
           regimes.stepped == regimes2.stepped && regimes.largest_residual == regimes2.largest_residual;
  }
  static bool equal(const Sample& left, const Sample& right) {
    const auto& [round, position, rank, iteration, forward, backward, exposed, update, rejected] = left;
    const auto& [round2, position2, rank2, iteration2, forward2, backward2, exposed2, update2, rejected2] = right;
    return round == round2 && position == position2 && rank == rank2 && iteration == iteration2 &&
           forward == forward2 && backward == backward2 && exposed == exposed2 && update == update2 &&
           rejected == rejected2;
  }
  static bool equal(const MessageTimes& left, const MessageTimes& right) {
    const auto& [ready, start, end] = left;
    const auto& [ready2, start2, end2] = right;
    return ready == ready2 && start == start2 && end == end2;
  }
  static bool equal(const Timeline& left, const Timeline& right) {
    const auto& [stall, forward, backward, communication, iteration, messages] = left;
    const auto& [stall2, forward2, backward2, communication2, iteration2, messages2] = right;
    return stall == stall2 && forward == forward2 && backward == backward2 && communication == communication2 &&
           iteration == iteration2 && equal(messages, messages2);
  }
  static bool equal(const RankTime& left, const RankTime& right) {
    const auto& [rank, host, seconds, ratio, slow] = left;
    const auto& [rank2, host2, seconds2, ratio2, slow2] = right;
    return rank == rank2 && host == host2 && seconds == seconds2 && ratio == ratio2 && slow == slow2;
  }
  static bool equal(const RankTimes& left, const RankTimes& right) {
    const auto& [typical, spread, slow, lost, slowest] = left;
    const auto& [typical2, spread2, slow2, lost2, slowest2] = right;
    return typical == typical2 && spread == spread2 && slow == slow2 && lost == lost2 && equal(slowest, slowest2);
  }
  static bool equal(const HostLoad& left, const HostLoad& right) {
    const auto& [host, first, processors, seconds, others, steal, stalled, begin, end, throttled] = left;
    const auto& [host2, first2, processors2, seconds2, others2, steal2, stalled2, begin2, end2, throttled2] = right;
    return host == host2 && first == first2 && processors == processors2 && seconds == seconds2 && others == others2 &&
           steal == steal2 && stalled == stalled2 && begin == begin2 && end == end2 && throttled == throttled2;
  }
  static bool equal(const MachineLoad& left, const MachineLoad& right) {
    const auto& [hosts, disturbed, worst] = left;
    const auto& [hosts2, disturbed2, worst2] = right;
    return hosts == hosts2 && disturbed == disturbed2 && equal(worst, worst2);
  }
  static bool equal(const Dropped& left, const Dropped& right) {
    const auto& [rounds, by] = left;
    const auto& [rounds2, by2] = right;
    return rounds == rounds2 && by == by2;
  }
  static bool equal(const StrategyResult& left, const StrategyResult& right) {
    const auto& [name, ends, bytes, samples, predicted, no_overlap, measured, transfers, failure, origin, same, dropped,
                 arrival] = left;
    const auto& [name2, ends2, bytes2, samples2, predicted2, no_overlap2, measured2, transfers2, failure2, origin2,
                 same2, dropped2, arrival2] = right;
    return name == name2 && ends == ends2 && bytes == bytes2 && equal(samples, samples2) &&
           equal(predicted, predicted2) && equal(no_overlap, no_overlap2) && equal(measured, measured2) &&
           transfers == transfers2 && failure == failure2 && origin == origin2 && same == same2 &&
           equal(dropped, dropped2) && equal(arrival, arrival2);
  }
  static bool equal(const Stage& left, const Stage& right) {
    const auto& [name, seconds] = left;
    const auto& [name2, seconds2] = right;
    return name == name2 && seconds == seconds2;
  }
  static bool equal(const Overlap& left, const Overlap& right) {
    const auto& [share, stretch, cpu, notice] = left;
    const auto& [share2, stretch2, cpu2, notice2] = right;
    return share == share2 && stretch == stretch2 && cpu == cpu2 && notice == notice2;
  }
  static bool equal(const MedianEstimate& left, const MedianEstimate& right) {
    const auto& [median, interval, samples] = left;
    const auto& [median2, interval2, samples2] = right;
    return median == median2 && equal(interval, interval2) && samples == samples2;
  }
  static bool equal(const CommunicatorFigures& left, const CommunicatorFigures& right) {
    const auto& [name, iteration, alone, exposed, hidden, slowdown] = left;
    const auto& [name2, iteration2, alone2, exposed2, hidden2, slowdown2] = right;
    return name == name2 && equal(iteration, iteration2) && alone == alone2 && exposed == exposed2 &&
           hidden == hidden2 && slowdown == slowdown2;
  }
  static bool equal(const CommunicatorChoice& left, const CommunicatorChoice& right) {
    const auto& [chosen, reason, candidates] = left;
    const auto& [chosen2, reason2, candidates2] = right;
    return chosen == chosen2 && reason == reason2 && equal(candidates, candidates2);
  }
};

}  // namespace

bool equal(const Profile& left, const Profile& right) {
  const auto& [model, backend, ranks, batch, steps, update] = left;
  const auto& [model2, backend2, ranks2, batch2, steps2, update2] = right;
  return model == model2 && backend == backend2 && ranks == ranks2 && batch == batch2 &&
         Compare::equal(steps, steps2) && update == update2;
}

bool equal(const Calibration& left, const Calibration& right) {
  const auto& [ranks, library, curves, above, emulated, provenance] = left;
  const auto& [ranks2, library2, curves2, above2, emulated2, provenance2] = right;
  return ranks == ranks2 && library == library2 && Compare::equal(curves, curves2) && above == above2 &&
         emulated == emulated2 && provenance == provenance2;
}

bool equal(const PlanFile& left, const PlanFile& right) {
  const auto& [name, model, origin, emulated, command, date, ranks, predicted, measured, groups] = left;
  const auto& [name2, model2, origin2, emulated2, command2, date2, ranks2, predicted2, measured2, groups2] = right;
  return name == name2 && model == model2 && origin == origin2 && emulated == emulated2 && command == command2 &&
         date == date2 && ranks == ranks2 && predicted == predicted2 && Compare::equal(measured, measured2) &&
         Compare::equal(groups, groups2);
}

bool equal(const RunResult& left, const RunResult& right) {
  const auto& [command, date, environment, seed, model, backend, communicator, choice, emulated, ranks, threads, batch,
               calibration, cost, profile, overlap, without, probe, computation, load, alone, strategies, remarks,
               ended, stages] = left;
  const auto& [command2, date2, environment2, seed2, model2, backend2, communicator2, choice2, emulated2, ranks2,
               threads2, batch2, calibration2, cost2, profile2, overlap2, without2, probe2, computation2, load2, alone2,
               strategies2, remarks2, ended2, stages2] = right;
  return command == command2 && date == date2 && environment == environment2 && seed == seed2 && model == model2 &&
         backend == backend2 && communicator == communicator2 && Compare::equal(choice, choice2) &&
         emulated == emulated2 && ranks == ranks2 && threads == threads2 && batch == batch2 &&
         equal(calibration, calibration2) && cost == cost2 && equal(profile, profile2) &&
         Compare::equal(overlap, overlap2) && Compare::equal(without, without2) && Compare::equal(probe, probe2) &&
         Compare::equal(computation, computation2) && Compare::equal(load, load2) && Compare::equal(alone, alone2) &&
         Compare::equal(strategies, strategies2) && remarks == remarks2 && ended == ended2 &&
         Compare::equal(stages, stages2);
}

}  // namespace mgbench
