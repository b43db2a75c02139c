#include "planner/line_fit.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/error.h"

namespace mgbench {
namespace {

// A start-up of zero or below, or a rate of zero or below, is no network's, and the planners need neither: it
// is what noise or a bend of the curve makes of the line. Then the line is fitted anew with that figure at a
// bound below anything that can be measured, 1 ns and 1e-15 s/B (a petabyte a second). Both cannot violate at
// once: times > 0 need a positive a or a positive b.
constexpr Seconds kLeastA = 1e-9;
constexpr double kLeastB = 1e-15;

/// The sums of a fit with weights 1 / t^2, so that sum of ((a + b m) / t - 1)^2 is least. Taken about the
/// weighted means: the plain normal equations cancel.
struct Moments {
  double weight = 0;
  double mean_bytes = 0;
  double mean_seconds = 0;
  double spread = 0;      ///< weighted sum of (m - mean m)^2
  double covariance = 0;  ///< weighted sum of (m - mean m)(t - mean t)

  explicit Moments(const Curve& points) {
    for (const auto& [bytes, seconds] : points) {
      const double w = 1 / (seconds * seconds);
      weight += w;
      mean_bytes += w * static_cast<double>(bytes);
      mean_seconds += w * seconds;
    }
    mean_bytes /= weight;
    mean_seconds /= weight;
    for (const auto& [bytes, seconds] : points) {
      const double w = 1 / (seconds * seconds);
      const double offset = static_cast<double>(bytes) - mean_bytes;
      spread += w * offset * offset;
      covariance += w * offset * (seconds - mean_seconds);
    }
  }
};

Line unconstrained(const Moments& moments) {
  const double b = moments.covariance / moments.spread;
  return {moments.mean_seconds - b * moments.mean_bytes, b};
}

/// `line`, or the best with the violating figure at its bound. The sum of squares is convex, so that the
/// optimum within the bounds lies on the violated one.
Line constrained(Line line, const Moments& moments) {
  if (line.a < kLeastA) {
    const double second = moments.spread + moments.weight * moments.mean_bytes * moments.mean_bytes;
    const double mixed = moments.covariance + moments.weight * moments.mean_bytes * (moments.mean_seconds - kLeastA);
    return {kLeastA, std::max(kLeastB, mixed / second)};
  }
  if (line.b < kLeastB) return {std::max(kLeastA, moments.mean_seconds - kLeastB * moments.mean_bytes), kLeastB};
  return line;
}

double relative_residual(const Line& line, const CurvePoint& point) {
  return std::abs(line.time(point.bytes) / point.seconds - 1);
}

/// Leaves out every other inner point, once the odd and once the even ones: each is judged by a line through
/// its neighbours, and the ends of the range always take part.
double held_out_residual(const Curve& points) {
  double largest = 0;
  for (const std::size_t parity : {std::size_t{0}, std::size_t{1}}) {
    Curve fitted;
    Curve held_out;
    for (std::size_t i = 0; i < points.size(); ++i)
      (i > 0 && i + 1 < points.size() && i % 2 == parity ? held_out : fitted).push_back(points[i]);
    const Moments moments(fitted);
    const Line line = constrained(unconstrained(moments), moments);
    for (const CurvePoint& point : held_out) largest = std::max(largest, relative_residual(line, point));
  }
  return largest;
}

void check(const Curve& points) {
  require(points.size() >= 3, "line fit: {} points; expected at least 3", points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(std::isfinite(points[i].seconds) && points[i].seconds > 0 && points[i].bytes > 0,
            "line fit: point {} is {} B in {} s; expected both finite and > 0", i, points[i].bytes, points[i].seconds);
    if (i > 0)
      require(points[i].bytes > points[i - 1].bytes,
              "line fit: point {} has {} B after {} B; expected increasing sizes", i, points[i].bytes,
              points[i - 1].bytes);
  }
}

}  // namespace

LineFit fit_line(const Curve& points) {
  check(points);
  const Moments moments(points);
  const Line free = unconstrained(moments);

  LineFit fit;
  fit.line = constrained(free, moments);
  fit.smallest = points.front().bytes;
  fit.largest = points.back().bytes;
  for (const CurvePoint& point : points)
    fit.largest_residual = std::max(fit.largest_residual, relative_residual(fit.line, point));
  fit.held_out_residual = held_out_residual(points);

  // Intervals are those of the unconstrained estimate, as far as they are possible values, and hold the
  // fitted one.
  double squares = 0;
  for (const CurvePoint& point : points) squares += std::pow(relative_residual(free, point), 2);
  const double degrees = static_cast<double>(points.size() - 2);
  const double variance = squares / degrees;
  const double quantile = boost::math::quantile(boost::math::students_t(degrees), 0.975);
  const auto interval = [&](double estimate, double error, double least, double fitted) {
    return Interval{std::min(fitted, std::max(least, estimate - quantile * error)),
                    std::max(fitted, estimate + quantile * error)};
  };
  const double b_variance = variance / moments.spread;
  const double a_variance = variance / moments.weight + b_variance * moments.mean_bytes * moments.mean_bytes;
  fit.a_interval = interval(free.a, std::sqrt(a_variance), kLeastA, fit.line.a);
  fit.b_interval = interval(free.b, std::sqrt(b_variance), kLeastB, fit.line.b);
  return fit;
}

}  // namespace mgbench
