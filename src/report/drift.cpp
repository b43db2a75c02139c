#include "report/drift.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace mgbench {
namespace {

constexpr double kError = 0.01;  // of reporting anything where nothing changes
constexpr double kLeast = 0.01;  // a smaller change is not worth a word

/// Exact numbers take time as the third power of the values; from here on the normal distribution is at most 5 % above
/// them where they are 0.002 and more (test).
constexpr std::size_t kMostExact = 100;

/// Probability that a random order of `n` values has at most `most` pairs out of order. Of the n-th value 0 to n - 1
/// earlier ones are larger, each as likely: p_n(k) = (p_{n-1}(k) + ... + p_{n-1}(k - n + 1)) / n.
double probability_of_inversions(std::size_t n, std::size_t most) {
  std::vector<double> probability(most + 1);
  probability[0] = 1;
  for (std::size_t values = 2; values <= n; ++values) {
    std::vector<double> next(most + 1);
    double window = 0;
    for (std::size_t k = 0; k <= most; ++k) {
      window += probability[k];
      if (k >= values) window -= probability[k - values];
      next[k] = window / static_cast<double>(values);
    }
    probability = std::move(next);
  }
  double sum = 0;
  for (const double each : probability) sum += each;
  return sum;
}

/// The same by the normal distribution (Mann, Econometrica 13, 1945): mean n (n - 1) / 4, variance n (n - 1) (2 n + 5)
/// / 72.
double normal_probability_of_inversions(double n, double most) {
  const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 72);
  const double below = (n * (n - 1) / 4 - (most + 0.5)) / deviation;  // half a pair for continuity
  return 0.5 * std::erfc(below / std::sqrt(2.0));
}

/// Each round's time by the median of all.
RoundTimes relative(RoundTimes times) {
  const double typical = median_of_rounds(times).median;
  for (auto& [round, time] : times) time /= typical;
  return times;
}

/// In each round the median over `contestants` of those that have times.
RoundTimes common_mood(const std::vector<RoundTimes>& contestants) {
  std::map<int, std::vector<double>> values;
  for (const RoundTimes& times : contestants)
    for (const auto& [round, time] : relative(times)) values[round].push_back(time);
  RoundTimes mood;
  for (const auto& [round, of_round] : values) mood[round] = median(of_round);
  return mood;
}

RoundTimes without_mood(RoundTimes times, const RoundTimes& mood) {
  for (auto& [round, time] : times) time /= mood.at(round);
  return times;
}

}  // namespace

double trend_probability(const std::vector<double>& values) {
  const std::size_t n = values.size();
  if (n < 2) return 1;
  double falling = 0;
  for (std::size_t later = 1; later < n; ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (values[earlier] > values[later]) falling += 1;
      if (values[earlier] == values[later]) falling += 0.5;
    }
  const std::size_t pairs_in_all = n * (n - 1) / 2;  // one of the two factors is even
  const auto pairs = static_cast<double>(pairs_in_all);
  const double fewer = std::ceil(std::min(falling, pairs - falling));
  const double probability = n <= kMostExact ? probability_of_inversions(n, static_cast<std::size_t>(fewer))
                                             : normal_probability_of_inversions(static_cast<double>(n), fewer);
  return std::min(1.0, 2 * probability);
}

std::optional<double> drift_of(const RoundTimes& times, double error) {
  std::vector<double> values;
  for (const auto& [round, time] : times) values.push_back(time);
  if (trend_probability(values) > error) return std::nullopt;
  const std::size_t third = (values.size() + 2) / 3;
  const std::span<const double> all(values);
  const double ratio = median(all.last(third)) / median(all.first(third));
  if (std::abs(ratio - 1) < kLeast) return std::nullopt;
  return ratio;
}

Drift find_drift(const RunResult& result) {
  std::vector<std::string> names;
  std::vector<RoundTimes> contestants;
  for (const StrategyResult& strategy : result.strategies) {
    RoundTimes times = round_times(strategy.samples);
    if (!strategy.failure.empty() || strategy.dropped || times.empty()) continue;
    names.push_back(strategy.strategy);
    contestants.push_back(std::move(times));
  }
  if (names.empty()) return {};
  if (RoundTimes quiet = round_times(result.without_communication); !quiet.empty())
    contestants.push_back(std::move(quiet));

  const RoundTimes mood = common_mood(contestants);
  Drift drift{.machine = drift_of(mood, kError / 2), .strategies = {}};
  const double error = kError / 2 / static_cast<double>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto ratio = drift_of(without_mood(contestants[i], mood), error))
      drift.strategies.emplace_back(names[i], *ratio);
  return drift;
}

}  // namespace mgbench
