#include "report/communicator_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace mgbench {
namespace {

/// Without an interval, less than this is noise: medians of equal schedules differ by 2 % at five rounds.
constexpr double kEqual = 1.05;
/// Shares hidden that differ by less are alike.
constexpr double kAsHidden = 0.05;

CommunicatorFigures figures_of(const CommunicatorRounds& rounds) {
  for (const auto* values : {&rounds.computation, &rounds.computation_without, &rounds.exposed, &rounds.alone})
    require(!rounds.iteration.empty() && values->size() == rounds.iteration.size(),
            "communicator {}: {} iterations beside {} values", rounds.communicator, rounds.iteration.size(),
            values->size());
  CommunicatorFigures figures{.communicator = rounds.communicator, .iteration = estimate_median(rounds.iteration)};
  figures.alone = median(rounds.alone);
  figures.exposed = median(rounds.exposed);
  figures.hidden = figures.alone > 0 ? std::clamp(1 - figures.exposed / figures.alone, 0.0, 1.0) : 1;
  figures.slowdown = estimate_ratio(rounds.computation, rounds.computation_without).median;
  return figures;
}

bool equally_fast(const CommunicatorRounds& candidate, const CommunicatorRounds& fastest) {
  const MedianEstimate ratio = estimate_ratio(candidate.iteration, fastest.iteration);
  return ratio.interval ? not_distinguishable(ratio) : ratio.median < kEqual;
}

/// Certainly slows computation less, and hides as much.
bool disturbs_less(const CommunicatorRounds& candidate, const CommunicatorRounds& other) {
  if (figures_of(candidate).hidden < figures_of(other).hidden - kAsHidden) return false;
  const MedianEstimate ratio = estimate_ratio(candidate.computation, other.computation);
  return ratio.interval ? ratio.interval->high < 1 : ratio.median * kEqual < 1;
}

const CommunicatorRounds& choose(const std::vector<CommunicatorRounds>& candidates, const CommunicatorRounds& fastest) {
  const CommunicatorRounds* chosen = nullptr;
  for (const CommunicatorRounds& candidate : candidates) {
    if (&candidate != &fastest && !equally_fast(candidate, fastest)) continue;
    if (chosen == nullptr || disturbs_less(candidate, *chosen)) chosen = &candidate;
  }
  return *chosen;
}

std::string describe(const CommunicatorFigures& figures) {
  return fmt::format("{} {} ({:.0f} % of the messages' time hidden, computation {:.2f} times as long)",
                     figures.communicator, format_seconds(figures.iteration.median), 100 * figures.hidden,
                     figures.slowdown);
}

std::string sentence(const CommunicatorChoice& choice, const CommunicatorFigures& fastest, const std::string& probe) {
  if (choice.candidates.size() == 1)
    return fmt::format("Communicator: {}, the only one that can be used here.", choice.chosen);
  std::vector<std::string> figures;
  for (const CommunicatorFigures& candidate : choice.candidates) figures.push_back(describe(candidate));
  const std::string why = choice.chosen == fastest.communicator
                              ? "is the shortest"
                              : fmt::format(
                                    "cannot be distinguished from the shortest, {}'s, and of such the first that "
                                    "disturbs computation least is taken",
                                    fastest.communicator);
  return fmt::format("Communicator: {}, since its iteration {} {}{}: {}.", choice.chosen, probe, why,
                     fastest.iteration.interval ? "" : " (too few rounds for intervals: under 5 % counts as equal)",
                     fmt::join(figures, ", "));
}

}  // namespace

CommunicatorChoice choose_communicator(const std::vector<CommunicatorRounds>& candidates, const std::string& probe) {
  require(!candidates.empty(), "no communicator can be used here");
  CommunicatorChoice choice;
  for (const CommunicatorRounds& candidate : candidates) choice.candidates.push_back(figures_of(candidate));
  const auto fastest = std::min_element(
      choice.candidates.begin(), choice.candidates.end(),
      [](const auto& left, const auto& right) { return left.iteration.median < right.iteration.median; });
  const CommunicatorRounds& fastest_rounds = candidates[static_cast<std::size_t>(fastest - choice.candidates.begin())];
  choice.chosen = choose(candidates, fastest_rounds).communicator;
  choice.reason = sentence(choice, *fastest, probe);
  return choice;
}

}  // namespace mgbench
