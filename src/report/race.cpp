#include "report/race.h"

#include <algorithm>
#include <cmath>

namespace mgbench {
namespace {

constexpr double kError = 0.05;          // of dropping the truly fastest, over all looks and contestants
constexpr std::size_t kLeastRounds = 6;  // before anything is dropped
constexpr std::size_t kImaginary = 4;    // slower rounds before the first one: what is slow should be dropped soon

/// Logarithm of the integral of p^k (1-p)^(n-k) dp over 1/2 <= p <= 1, which is P(B <= k) / ((n + 1) C(n, k)) with B
/// binomial(n + 1, 1/2).
double log_integral(std::size_t k, std::size_t n) {
  const auto log_choose = [](std::size_t of, std::size_t chosen) {
    return std::lgamma(static_cast<double>(of) + 1) - std::lgamma(static_cast<double>(chosen) + 1) -
           std::lgamma(static_cast<double>(of - chosen) + 1);
  };
  double below = 0;
  for (std::size_t i = 0; i <= k; ++i)
    below += std::exp(log_choose(n + 1, i) - static_cast<double>(n + 1) * std::log(2.0));
  return std::log(below) - std::log(static_cast<double>(n + 1)) - log_choose(n, k);
}

template <typename Eligible>
std::optional<std::size_t> fastest(const std::vector<Racer>& racers, Eligible eligible) {
  std::optional<std::size_t> best;
  Seconds least = 0;
  for (std::size_t i = 0; i < racers.size(); ++i) {
    if (!racers[i].left || racers[i].times.empty() || !eligible(i)) continue;
    const Seconds median = median_of_rounds(racers[i].times).median;
    if (best && median >= least) continue;
    best = i;
    least = median;
  }
  return best;
}

/// Whether the 95 % interval shows `other` to take longer than `own`.
bool measurably_slower(const Racer& other, const Racer& own) {
  const auto ratio = ratio_by_rounds(other.times, own.times);
  return ratio && ratio->interval && ratio->interval->low > 1;
}

}  // namespace

double evidence_of_slower(std::size_t slower, std::size_t rounds) {
  return std::exp(log_integral(slower + kImaginary, rounds + kImaginary) - log_integral(kImaginary, kImaginary) +
                  static_cast<double>(rounds) * std::log(2.0));
}

std::vector<Loss> losses(const std::vector<Racer>& racers) {
  std::vector<Loss> result;
  const auto best = fastest(racers, [](std::size_t) { return true; });
  if (!best) return result;
  const auto best_fixed = fastest(racers, [&](std::size_t i) { return racers[i].fixed; });
  const double enough = static_cast<double>(racers.size() - 1) / kError;
  for (std::size_t i = 0; i < racers.size(); ++i) {
    if (!racers[i].left || i == best || i == best_fixed) continue;
    std::size_t rounds = 0;
    std::size_t slower = 0;
    for (const auto& [round, time] : racers[i].times) {
      const auto other = racers[*best].times.find(round);
      if (other == racers[*best].times.end()) continue;
      ++rounds;
      if (time > other->second) ++slower;
    }
    if (rounds >= kLeastRounds && evidence_of_slower(slower, rounds) >= enough) result.push_back({i, *best, rounds});
  }
  return result;
}

std::optional<RaceEnd> conclude(const std::vector<Racer>& racers) {
  const auto undefeated = [&](std::size_t i) {
    return std::none_of(racers.begin(), racers.end(),
                        [&](const Racer& other) { return other.fixed && measurably_slower(racers[i], other); });
  };
  const auto is_fixed = [&](std::size_t i) { return racers[i].fixed; };
  auto leader = fastest(racers, undefeated);
  if (!leader) leader = fastest(racers, [](std::size_t) { return true; });
  if (!leader) return std::nullopt;
  auto best_fixed = fastest(racers, [&](std::size_t i) { return is_fixed(i) && undefeated(i); });
  if (!best_fixed) best_fixed = fastest(racers, is_fixed);
  const bool proven = !best_fixed || measurably_slower(racers[*best_fixed], racers[*leader]);
  return RaceEnd{.chosen = proven ? *leader : *best_fixed, .leader = *leader, .best_fixed = best_fixed};
}

}  // namespace mgbench
