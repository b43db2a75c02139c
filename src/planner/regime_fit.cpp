#include "planner/regime_fit.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace mgbench {
namespace {

constexpr std::size_t kFewestPoints = 3;  // of a regime: two fit any line
constexpr std::size_t kMostRegimes = 8;
/// Figures that a break counts as, since it is searched for (Hall, Osborn, Sakkas 2013). Counted as one, every fifth
/// noisy line of 24 points gets a break.
constexpr double kBreak = 3;
constexpr double kMostHeldOutResidual = 0.10;
/// No clock and no link is steadier than this; without it an exact fit would be worth any number of breaks.
constexpr double kLeastResidual = 1e-3;

/// Sizes from which regimes begin; the first is the smallest measured one.
using Breaks = std::vector<Bytes>;

double squares(const Regimes& regimes, const Curve& points) {
  double sum = 0;
  std::size_t regime = 0;
  for (const CurvePoint& point : points) {
    while (regime + 1 < regimes.size() && point.bytes >= regimes[regime + 1].from) ++regime;
    sum += std::pow(regimes[regime].time(point.bytes) / point.seconds - 1, 2);
  }
  return sum;
}

bool is_possible(const Regimes& regimes, const Curve& points) {
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    const auto& [from, at, slope] = regimes[i];
    if (!(at > 0) || !(slope >= 0) || (i > 0 && at < regimes[i - 1].time(from))) return false;
  }
  return regimes.front().time(points.front().bytes) > 0;
}

/// `columns` times unknowns = seconds, by least squares of relative residuals.
Eigen::VectorXd solve(Eigen::MatrixXd columns, const Curve& points) {
  for (Eigen::Index row = 0; row < columns.rows(); ++row)
    columns.row(row) /= points[static_cast<std::size_t>(row)].seconds;
  return columns.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(columns.rows()));
}

/// The line through points as a regime that begins at a size; flat where it would fall.
Regime fit_regime(const Curve& points, Bytes from) {
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(points.size()), 2);
  for (std::size_t i = 0; i < points.size(); ++i)
    columns.row(static_cast<Eigen::Index>(i)) << 1, static_cast<double>(points[i].bytes - from);
  Eigen::VectorXd found = solve(columns, points);
  if (found[1] < 0) found = (Eigen::VectorXd(2) << solve(columns.leftCols(1), points)[0], 0).finished();
  return {from, found[0], found[1]};
}

Curve between(const Curve& points, Bytes low, Bytes high) {
  Curve result;
  for (const CurvePoint& point : points)
    if (point.bytes >= low && point.bytes < high) result.push_back(point);
  return result;
}

/// Begins at 0 B, where the first regime's line may be followed down to, but not to zero.
void begin_at_zero(Regimes& regimes) {
  Regime& first = regimes.front();
  const Seconds at_zero = first.time(0);
  if (at_zero > 0) {
    first = {0, at_zero, first.slope};
    // Counted from another size, it ends a rounding error higher or lower: regimes that meet must not fall by that.
    regimes = never_falling(std::move(regimes));
    return;
  }
  // Constant below the first measured size.
  regimes.insert(regimes.begin(), {0, first.at, 0});
}

std::optional<Regimes> fit_stepped(const Curve& points, const Breaks& breaks) {
  Regimes regimes;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const Curve own =
        between(points, breaks[i], i + 1 < breaks.size() ? breaks[i + 1] : std::numeric_limits<Bytes>::max());
    if (own.size() < 2) return std::nullopt;
    regimes.push_back(fit_regime(own, breaks[i]));
  }
  if (!is_possible(regimes, points)) return std::nullopt;
  return regimes;
}

/// Regimes that meet: T = t + s_0 (m - m_0) + sum of (change of slope) max(0, m - break).
std::optional<Regimes> fit_continuous(const Curve& points, const Breaks& breaks) {
  const auto beyond = [&](std::size_t row, std::size_t regime) {
    return std::max(0.0, static_cast<double>(points[row].bytes - breaks[regime]));
  };
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(breaks.size()) + 1);
  for (std::size_t row = 0; row < points.size(); ++row) {
    columns(static_cast<Eigen::Index>(row), 0) = 1;
    for (std::size_t regime = 0; regime < breaks.size(); ++regime)
      columns(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(regime) + 1) = beyond(row, regime);
  }
  const Eigen::VectorXd found = solve(columns, points);
  Regimes regimes;
  double slope = 0;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const Seconds at = regimes.empty() ? found[0] : regimes.back().time(breaks[i]);
    regimes.push_back({breaks[i], at, slope += found[static_cast<Eigen::Index>(i) + 1]});
  }
  if (!is_possible(regimes, points)) return std::nullopt;
  return regimes;
}

std::optional<Regimes> fit(const Curve& points, const Breaks& breaks, bool stepped) {
  return stepped ? fit_stepped(points, breaks) : fit_continuous(points, breaks);
}

/// Breaks of the stepped fit with the least sum of squares for each number of regimes, by dynamic programming over
/// where the last regime begins.
std::vector<Breaks> best_breaks(const Curve& points) {
  const std::size_t n = points.size();
  const std::size_t most = std::min(kMostRegimes, n / kFewestPoints);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> loss(n + 1, std::vector<double>(n + 1, kNever));
  for (std::size_t begin = 0; begin < n; ++begin)
    for (std::size_t end = begin + kFewestPoints; end <= n; ++end) {
      const Curve own(points.begin() + static_cast<std::ptrdiff_t>(begin),
                      points.begin() + static_cast<std::ptrdiff_t>(end));
      loss[begin][end] = squares({fit_regime(own, own.front().bytes)}, own);
    }
  std::vector<std::vector<double>> best(most + 1, std::vector<double>(n + 1, kNever));
  std::vector<std::vector<std::size_t>> last(most + 1, std::vector<std::size_t>(n + 1, 0));
  best[0][0] = 0;
  for (std::size_t regimes = 1; regimes <= most; ++regimes)
    for (std::size_t end = 1; end <= n; ++end)
      for (std::size_t begin = 0; begin < end; ++begin)
        if (best[regimes - 1][begin] + loss[begin][end] < best[regimes][end]) {
          best[regimes][end] = best[regimes - 1][begin] + loss[begin][end];
          last[regimes][end] = begin;
        }
  std::vector<Breaks> result;
  for (std::size_t regimes = 1; regimes <= most; ++regimes) {
    if (best[regimes][n] == kNever) continue;
    Breaks breaks;
    for (std::size_t end = n, left = regimes; left > 0; --left) {
      end = last[left][end];
      breaks.push_back(points[end].bytes);
    }
    std::reverse(breaks.begin(), breaks.end());
    result.push_back(std::move(breaks));
  }
  return result;
}

struct Candidate {
  Breaks breaks;
  bool stepped = false;
  Regimes regimes;
  double criterion = std::numeric_limits<double>::infinity();
};

Candidate judge(const Curve& points, Breaks breaks, bool stepped) {
  Candidate candidate{.breaks = std::move(breaks), .stepped = stepped};
  auto regimes = fit(points, candidate.breaks, stepped);
  if (!regimes) return candidate;
  candidate.regimes = std::move(*regimes);
  const auto n = static_cast<double>(points.size());
  const auto k = static_cast<double>(candidate.breaks.size());
  const double figures = (stepped ? 2 * k : k + 1) + kBreak * (k - 1);
  const double mean_square = squares(candidate.regimes, points) / n + kLeastResidual * kLeastResidual;
  candidate.criterion = n * std::log(mean_square) + figures * std::log(n);
  return candidate;
}

/// Moves one break at a time as long as that helps.
Candidate descend(const Curve& points, Candidate best) {
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t i = 1; i < best.breaks.size(); ++i)
      for (const CurvePoint& place : points) {
        Breaks breaks = best.breaks;
        breaks[i] = place.bytes;
        if (std::adjacent_find(breaks.begin(), breaks.end(), std::greater_equal<>()) != breaks.end()) continue;
        Candidate moved = judge(points, std::move(breaks), best.stepped);
        if (moved.criterion >= best.criterion) continue;
        best = std::move(moved);
        improved = true;
      }
  }
  return best;
}

double held_out_residual(const Curve& points, const Candidate& candidate) {
  double largest = 0;
  for (std::size_t out = 1; out + 1 < points.size(); ++out) {
    Curve others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    if (const auto regimes = fit(others, candidate.breaks, candidate.stepped)) {
      const Curve own{points[out]};
      largest = std::max(largest, std::sqrt(squares(*regimes, own)));
    }
  }
  return largest;
}

}  // namespace

RegimeFit fit_regimes(const Curve& points) {
  const LineFit line = fit_line(points);
  Candidate best = judge(points, {points.front().bytes}, true);
  for (const Breaks& breaks : best_breaks(points)) {
    if (breaks.size() == 1) continue;
    for (const bool stepped : {true, false}) {
      Candidate candidate = judge(points, breaks, stepped);
      if (!stepped) candidate = descend(points, std::move(candidate));
      if (candidate.criterion < best.criterion) best = std::move(candidate);
    }
  }
  RegimeFit fit;
  // Where no break is worth it, the regimes are the line.
  fit.regimes = best.breaks.size() == 1 ? Regimes{{0, line.line.a, line.line.b}} : best.regimes;
  fit.stepped = best.breaks.size() > 1 && best.stepped;
  for (const CurvePoint& point : points)
    fit.largest_residual = std::max(fit.largest_residual, std::sqrt(squares(fit.regimes, {point})));
  fit.held_out_residual = best.breaks.size() == 1 ? line.held_out_residual : held_out_residual(points, best);
  if (fit.regimes.front().from > 0) begin_at_zero(fit.regimes);
  return fit;
}

PlanningChoice choose_planning_cost(const LineFit& line, const RegimeFit& regimes) {
  const auto percent = [](double residual) { return 100 * residual; };
  const std::string off =
      fmt::format("at sizes held out of the fit the line is off by up to {:.1f} %", percent(line.held_out_residual));
  if (line.held_out_residual < kMostHeldOutResidual)
    return {CostModel::Form::line,
            fmt::format("The line: {} (allowed: under {:.0f} %).", off, percent(kMostHeldOutResidual))};
  if (regimes.regimes.size() > 1 && regimes.held_out_residual < kMostHeldOutResidual)
    return {
        CostModel::Form::regimes,
        fmt::format("Lines in {} regimes, off by up to {:.1f} % at sizes held out: {} (the limit is {:.0f} %).",
                    regimes.regimes.size(), percent(regimes.held_out_residual), off, percent(kMostHeldOutResidual))};
  return {CostModel::Form::curve,
          fmt::format("The measured curve: {} (too much: the limit is {:.0f} %).", off, percent(kMostHeldOutResidual))};
}

}  // namespace mgbench
