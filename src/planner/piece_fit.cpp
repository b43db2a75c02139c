#include "planner/piece_fit.h"

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

constexpr std::size_t kFewestPoints = 3;  // of a piece: two fit any line
constexpr std::size_t kMostPieces = 8;
/// Figures that a break counts as, since it is searched for (Hall, Osborn, Sakkas 2013). Counted as one, every fifth
/// noisy line of 24 points gets a break.
constexpr double kBreak = 3;
constexpr double kMostHeldOutResidual = 0.10;
/// No clock and no link is steadier than this; without it an exact fit would be worth any number of breaks.
constexpr double kLeastResidual = 1e-3;

/// Sizes from which pieces begin; the first is the smallest measured one.
using Breaks = std::vector<Bytes>;

double squares(const Pieces& pieces, const Curve& points) {
  double sum = 0;
  std::size_t piece = 0;
  for (const CurvePoint& point : points) {
    while (piece + 1 < pieces.size() && point.bytes >= pieces[piece + 1].from) ++piece;
    sum += std::pow(pieces[piece].time(point.bytes) / point.seconds - 1, 2);
  }
  return sum;
}

bool is_possible(const Pieces& pieces, const Curve& points) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [from, at, slope] = pieces[i];
    if (!(at > 0) || !(slope >= 0) || (i > 0 && at < pieces[i - 1].time(from))) return false;
  }
  return pieces.front().time(points.front().bytes) > 0;
}

/// `columns` times unknowns = seconds, by least squares of relative residuals.
Eigen::VectorXd solve(Eigen::MatrixXd columns, const Curve& points) {
  for (Eigen::Index row = 0; row < columns.rows(); ++row)
    columns.row(row) /= points[static_cast<std::size_t>(row)].seconds;
  return columns.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(columns.rows()));
}

/// The line through points as a piece that begins at a size; flat where it would fall.
Piece fit_piece(const Curve& points, Bytes from) {
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

/// Begins at 0 B, where the first piece's line may be followed down to, but not to zero.
void begin_at_zero(Pieces& pieces) {
  Piece& first = pieces.front();
  const Seconds at_zero = first.time(0);
  if (at_zero > 0) {
    first = {0, at_zero, first.slope};
    // Counted from another size, it ends a rounding error higher or lower: pieces that meet must not fall by that.
    pieces = never_falling(std::move(pieces));
    return;
  }
  // Constant below the first measured size.
  pieces.insert(pieces.begin(), {0, first.at, 0});
}

std::optional<Pieces> fit_stepped(const Curve& points, const Breaks& breaks) {
  Pieces pieces;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const Curve own =
        between(points, breaks[i], i + 1 < breaks.size() ? breaks[i + 1] : std::numeric_limits<Bytes>::max());
    if (own.size() < 2) return std::nullopt;
    pieces.push_back(fit_piece(own, breaks[i]));
  }
  if (!is_possible(pieces, points)) return std::nullopt;
  return pieces;
}

/// Pieces that meet: T = t + s_0 (m - m_0) + sum of (change of slope) max(0, m - break).
std::optional<Pieces> fit_continuous(const Curve& points, const Breaks& breaks) {
  const auto beyond = [&](std::size_t row, std::size_t piece) {
    return std::max(0.0, static_cast<double>(points[row].bytes - breaks[piece]));
  };
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(breaks.size()) + 1);
  for (std::size_t row = 0; row < points.size(); ++row) {
    columns(static_cast<Eigen::Index>(row), 0) = 1;
    for (std::size_t piece = 0; piece < breaks.size(); ++piece)
      columns(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(piece) + 1) = beyond(row, piece);
  }
  const Eigen::VectorXd found = solve(columns, points);
  Pieces pieces;
  double slope = 0;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const Seconds at = pieces.empty() ? found[0] : pieces.back().time(breaks[i]);
    pieces.push_back({breaks[i], at, slope += found[static_cast<Eigen::Index>(i) + 1]});
  }
  if (!is_possible(pieces, points)) return std::nullopt;
  return pieces;
}

std::optional<Pieces> fit(const Curve& points, const Breaks& breaks, bool stepped) {
  return stepped ? fit_stepped(points, breaks) : fit_continuous(points, breaks);
}

/// Breaks of the stepped fit with the least sum of squares for each number of pieces, by dynamic programming over where
/// the last piece begins.
std::vector<Breaks> best_breaks(const Curve& points) {
  const std::size_t n = points.size();
  const std::size_t most = std::min(kMostPieces, n / kFewestPoints);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> loss(n + 1, std::vector<double>(n + 1, kNever));
  for (std::size_t begin = 0; begin < n; ++begin)
    for (std::size_t end = begin + kFewestPoints; end <= n; ++end) {
      const Curve own(points.begin() + static_cast<std::ptrdiff_t>(begin),
                      points.begin() + static_cast<std::ptrdiff_t>(end));
      loss[begin][end] = squares({fit_piece(own, own.front().bytes)}, own);
    }
  std::vector<std::vector<double>> best(most + 1, std::vector<double>(n + 1, kNever));
  std::vector<std::vector<std::size_t>> last(most + 1, std::vector<std::size_t>(n + 1, 0));
  best[0][0] = 0;
  for (std::size_t pieces = 1; pieces <= most; ++pieces)
    for (std::size_t end = 1; end <= n; ++end)
      for (std::size_t begin = 0; begin < end; ++begin)
        if (best[pieces - 1][begin] + loss[begin][end] < best[pieces][end]) {
          best[pieces][end] = best[pieces - 1][begin] + loss[begin][end];
          last[pieces][end] = begin;
        }
  std::vector<Breaks> result;
  for (std::size_t pieces = 1; pieces <= most; ++pieces) {
    if (best[pieces][n] == kNever) continue;
    Breaks breaks;
    for (std::size_t end = n, left = pieces; left > 0; --left) {
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
  Pieces pieces;
  double criterion = std::numeric_limits<double>::infinity();
};

Candidate judge(const Curve& points, Breaks breaks, bool stepped) {
  Candidate candidate{.breaks = std::move(breaks), .stepped = stepped};
  auto pieces = fit(points, candidate.breaks, stepped);
  if (!pieces) return candidate;
  candidate.pieces = std::move(*pieces);
  const auto n = static_cast<double>(points.size());
  const auto k = static_cast<double>(candidate.breaks.size());
  const double figures = (stepped ? 2 * k : k + 1) + kBreak * (k - 1);
  const double mean_square = squares(candidate.pieces, points) / n + kLeastResidual * kLeastResidual;
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
    if (const auto pieces = fit(others, candidate.breaks, candidate.stepped)) {
      const Curve own{points[out]};
      largest = std::max(largest, std::sqrt(squares(*pieces, own)));
    }
  }
  return largest;
}

}  // namespace

PieceFit fit_pieces(const Curve& points) {
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
  PieceFit fit;
  // Where no break is worth it, the pieces are the line.
  fit.pieces = best.breaks.size() == 1 ? Pieces{{0, line.line.a, line.line.b}} : best.pieces;
  fit.stepped = best.breaks.size() > 1 && best.stepped;
  for (const CurvePoint& point : points)
    fit.largest_residual = std::max(fit.largest_residual, std::sqrt(squares(fit.pieces, {point})));
  fit.held_out_residual = best.breaks.size() == 1 ? line.held_out_residual : held_out_residual(points, best);
  if (fit.pieces.front().from > 0) begin_at_zero(fit.pieces);
  return fit;
}

PlanningChoice choose_planning_cost(const LineFit& line, const PieceFit& pieces) {
  const auto percent = [](double residual) { return 100 * residual; };
  const std::string off =
      fmt::format("at sizes held out of the fit the line is off by up to {:.1f} %", percent(line.held_out_residual));
  if (line.held_out_residual < kMostHeldOutResidual)
    return {CostModel::Form::line,
            fmt::format("The line: {} (allowed: under {:.0f} %).", off, percent(kMostHeldOutResidual))};
  if (pieces.pieces.size() > 1 && pieces.held_out_residual < kMostHeldOutResidual)
    return {CostModel::Form::pieces,
            fmt::format("Lines in {} regimes, off by up to {:.1f} % at sizes held out: {} (the limit is {:.0f} %).",
                        pieces.pieces.size(), percent(pieces.held_out_residual), off, percent(kMostHeldOutResidual))};
  return {CostModel::Form::curve,
          fmt::format("The measured curve: {} (too much: the limit is {:.0f} %).", off, percent(kMostHeldOutResidual))};
}

}  // namespace mgbench
