#include "planner/allreduce_law.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/names.h"

namespace mgbench {
namespace {

/// Lines at different numbers of ranks are measured no better than this, relatively.
constexpr double kLeastMisfit = 0.02;
/// Laws whose Akaike weight is below a twentieth of the best one's are left out: exp(-6 / 2).
constexpr double kMostAkaikeDifference = 6;
constexpr const char* kGuess = "halving-doubling";

double relative_variance(double squares, double values) {
  return squares / values + kLeastMisfit * kLeastMisfit;
}

/// Doublings from the nearest measured number of ranks.
double distance(const std::map<int, Line>& lines, int ranks) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [measured, line] : lines)
    least = std::min(least, std::abs(std::log2(static_cast<double>(ranks) / measured)));
  return least;
}

std::string listed(const std::map<int, Line>& lines) {
  std::vector<int> ranks;
  for (const auto& [measured, line] : lines) ranks.push_back(measured);
  return fmt::format("{}", fmt::join(ranks, ", "));
}

}  // namespace

const std::vector<AllreduceLaw>& allreduce_laws() {
  static const std::vector<AllreduceLaw> laws = {
      {"recursive-doubling", [](double p) { return std::log2(p); }, [](double p) { return std::log2(p); }},
      {kGuess, [](double p) { return 2 * std::log2(p); }, [](double p) { return 1 - 1 / p; }},
      {"double-binary-tree", [](double p) { return 2 * std::log2(p); }, [](double) { return 1.0; }},
      {"ring", [](double p) { return 2 * (p - 1); }, [](double p) { return (p - 1) / p; }},
  };
  return laws;
}

const AllreduceLaw& find_law(const std::string& name) {
  std::vector<std::string> names;
  for (const AllreduceLaw& law : allreduce_laws()) {
    if (law.name == name) return law;
    names.push_back(law.name);
  }
  fail(ExitCode::bad_input, "unknown law '{}'{}", name, suggestion(name, names));
}

AllreduceScaling::Fit AllreduceScaling::fit(const AllreduceLaw& law, const std::map<int, Line>& lines) {
  // Each figure alone, by least squares of relative residuals.
  const auto coefficient = [&](auto factor, auto value) {
    double sum = 0;
    double squares = 0;
    for (const auto& [ranks, line] : lines) {
      const double ratio = factor(ranks) / value(line);
      sum += ratio;
      squares += ratio * ratio;
    }
    return sum / squares;
  };
  Fit fit{.law = &law,
          .alpha = coefficient(law.startup, [](const Line& line) { return line.a; }),
          .beta = coefficient(law.transfer, [](const Line& line) { return line.b; })};
  for (const auto& [ranks, line] : lines)
    fit.squares += std::pow(fit.alpha * law.startup(ranks) / line.a - 1, 2) +
                   std::pow(fit.beta * law.transfer(ranks) / line.b - 1, 2);
  return fit;
}

AllreduceScaling::AllreduceScaling(std::map<int, Line> lines, const AllreduceLaw* law)
    : lines_(std::move(lines)), asked_for_(law != nullptr) {
  require(!lines_.empty(), "allreduce law: no number of ranks was measured");
  for (const auto& [ranks, line] : lines_)
    require(ranks >= 2, "allreduce law: a cost of {} ranks; expected at least 2", ranks);
  if (law != nullptr) {
    plausible_ = {fit(*law, lines_)};
    chosen_ = law;
    return;
  }
  for (const AllreduceLaw& candidate : allreduce_laws()) plausible_.push_back(fit(candidate, lines_));
  if (lines_.size() == 1) {
    std::stable_partition(plausible_.begin(), plausible_.end(), [](const Fit& fit) { return fit.law->name == kGuess; });
    return;
  }
  std::stable_sort(plausible_.begin(), plausible_.end(),
                   [](const Fit& left, const Fit& right) { return left.squares < right.squares; });
  const auto values = 2 * static_cast<double>(lines_.size());
  const double best = relative_variance(plausible_.front().squares, values);
  std::erase_if(plausible_, [&](const Fit& fit) {
    return values * std::log(relative_variance(fit.squares, values) / best) > kMostAkaikeDifference;
  });
  chosen_ = plausible_.front().law;
}

ScaledLine AllreduceScaling::by(const Fit& fit, int ranks) const {
  ScaledLine scaled;
  scaled.line = {fit.alpha * fit.law->startup(ranks), fit.beta * fit.law->transfer(ranks)};
  scaled.low = scaled.high = scaled.line;
  if (lines_.size() == 1) return scaled;
  const auto values = 2 * static_cast<double>(lines_.size());
  const double degrees = values - 2;
  const double misfit = std::sqrt(relative_variance(fit.squares, degrees));
  const double quantile = boost::math::quantile(boost::math::students_t(degrees), 0.975);
  const double away = distance(lines_, ranks);
  const double spread = quantile * misfit * std::sqrt(2 / values + away);
  // In logarithms, so that no cost falls below zero.
  scaled.low = {scaled.line.a * std::exp(-spread), scaled.line.b * std::exp(-spread)};
  scaled.high = {scaled.line.a * std::exp(spread), scaled.line.b * std::exp(spread)};
  return scaled;
}

ScaledLine AllreduceScaling::at(int ranks) const {
  require(ranks >= 2, "allreduce law: {} ranks; expected at least 2", ranks);
  if (const auto measured = lines_.find(ranks); measured != lines_.end())
    return {measured->second, measured->second, measured->second, "measured"};
  ScaledLine scaled = by(plausible_.front(), ranks);
  for (const Fit& other : plausible_) {
    const ScaledLine own = by(other, ranks);
    scaled.low = {std::min(scaled.low.a, own.low.a), std::min(scaled.low.b, own.low.b)};
    scaled.high = {std::max(scaled.high.a, own.high.a), std::max(scaled.high.b, own.high.b)};
  }
  const std::string& name = plausible_.front().law->name;
  if (asked_for_)
    scaled.basis = fmt::format("by the law of {}, which was asked for, from {} ranks", name, listed(lines_));
  else if (chosen_ == nullptr)
    scaled.basis = fmt::format(
        "a guess of mgbench, since one number of ranks ({}) does not tell how cost grows: by the law of {}; the range "
        "holds "
        "every law",
        listed(lines_), name);
  else
    scaled.basis = fmt::format("by the law of {}, which explains {} ranks best{}", name, listed(lines_),
                               plausible_.size() > 1 ? "; the range holds others that do about as well" : "");
  return scaled;
}

}  // namespace mgbench
