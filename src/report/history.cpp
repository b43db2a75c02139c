#include "report/history.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "report/drift.h"

namespace mgbench {
namespace {

constexpr double kError = 0.01;  // of reporting anything where nothing changes
constexpr double kLeast = 0.01;  // a smaller change is not worth a word
/// No machine is steadier than this from run to run; without it equal values would make any step certain.
constexpr double kLeastDeviation = 1e-3;
/// Figures that a step counts as beside the two levels, since its place is searched for: with the second level three,
/// as in the criterion of Zhang and Siegmund (Biometrics 63, 2007) for changes of a level.
constexpr double kPlace = 2;

/// A change with the sum of squares that it leaves, in logarithms.
struct Candidate {
  Change change;
  double squares = 0;
  double figures = 0;

  double criterion(std::size_t n) const {
    const auto count = static_cast<double>(n);
    return count * std::log(squares / count) + figures * std::log(count);
  }
};

double mean_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                         values.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
         static_cast<double>(end - begin);
}

double squares_about(const std::vector<double>& values, std::size_t begin, std::size_t end, double level) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += std::pow(values[i] - level, 2);
  return sum;
}

double at_least_noise(double squares, std::size_t n) {
  return std::max(squares, static_cast<double>(n) * kLeastDeviation * kLeastDeviation);
}

/// The split with the least sum of squares, if Student's t of its two levels is as large with a probability of at most
/// `error`, times the number of splits that could have been the best one.
std::optional<Candidate> find_step(const std::vector<double>& logs, double error) {
  const std::size_t n = logs.size();
  Candidate best{.change = {}, .squares = std::numeric_limits<double>::infinity(), .figures = 2 + kPlace};
  double difference = 0;
  for (std::size_t split = 1; split < n; ++split) {
    const double before = mean_of(logs, 0, split);
    const double after = mean_of(logs, split, n);
    const double squares = squares_about(logs, 0, split, before) + squares_about(logs, split, n, after);
    if (squares >= best.squares) continue;
    best.squares = squares;
    best.change = {.kind = Change::Kind::step, .at = split, .ratio = std::exp(after - before)};
    difference = after - before;
  }
  best.squares = at_least_noise(best.squares, n);
  const auto count = static_cast<double>(n);
  const auto early = static_cast<double>(best.change.at);
  const double deviation = std::sqrt(best.squares / (count - 2) * (1 / early + 1 / (count - early)));
  const boost::math::students_t distribution(count - 2);
  const double probability =
      (count - 1) * 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(difference) / deviation));
  if (probability > error) return std::nullopt;
  return best;
}

/// The line of least squares, if values rise or fall more clearly than `error` (Mann's test).
std::optional<Candidate> find_trend(const std::vector<double>& logs, double error) {
  if (trend_probability(logs) > error) return std::nullopt;
  const std::size_t n = logs.size();
  const auto middle = static_cast<double>(n - 1) / 2;
  const double level = mean_of(logs, 0, n);
  double products = 0;
  double spread = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double offset = static_cast<double>(i) - middle;
    products += offset * (logs[i] - level);
    spread += offset * offset;
  }
  const double slope = products / spread;
  const double squares = squares_about(logs, 0, n, level) - slope * products;
  return Candidate{.change = {.kind = Change::Kind::trend, .at = 0, .ratio = std::exp(slope * (2 * middle))},
                   .squares = at_least_noise(squares, n),
                   .figures = 2};
}

bool is_iteration(const Metric& metric) {
  return metric.name.starts_with("iteration/");
}

History history_of(std::vector<const Measurement*> runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Measurement* left, const Measurement* right) { return left->date < right->date; });
  History history{.runs = std::move(runs), .metrics = {}};
  std::map<std::string, std::size_t> places;
  for (const Measurement* run : history.runs)
    for (const Metric& metric : run->metrics) {
      if (!is_iteration(metric)) continue;
      const auto [place, is_new] = places.emplace(metric.name, history.metrics.size());
      if (is_new) history.metrics.push_back({.name = metric.name, .runs = {}, .seconds = {}, .change = std::nullopt});
      history.metrics[place->second].runs.push_back(run);
      history.metrics[place->second].seconds.push_back(metric.value.median);
    }
  for (MetricHistory& metric : history.metrics)
    metric.change = find_change(metric.seconds, kError / static_cast<double>(history.metrics.size()));
  return history;
}

}  // namespace

std::optional<Change> find_change(const std::vector<double>& values, double error) {
  if (values.size() < kLeastHistory) return std::nullopt;
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const auto step = find_step(logs, error / 2);
  const auto trend = find_trend(logs, error / 2);
  if (!step && !trend) return std::nullopt;
  const bool is_step = step && (!trend || step->criterion(logs.size()) <= trend->criterion(logs.size()));
  const Change change = is_step ? step->change : trend->change;
  if (std::abs(change.ratio - 1) < kLeast) return std::nullopt;
  return change;
}

std::vector<History> histories(const std::vector<Measurement>& measurements) {
  std::map<std::map<std::string, std::string>, std::vector<const Measurement*>> groups;
  for (const Measurement& measurement : measurements) groups[measurement.conditions].push_back(&measurement);
  std::vector<History> result;
  for (auto& [conditions, runs] : groups) result.push_back(history_of(std::move(runs)));
  std::stable_sort(result.begin(), result.end(),
                   [](const History& left, const History& right) { return left.runs.size() > right.runs.size(); });
  return result;
}

}  // namespace mgbench
