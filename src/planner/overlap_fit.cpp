#include "planner/overlap_fit.h"

#include <algorithm>
#include <vector>

namespace mgbench {
namespace {

/// The sums that a two-parameter least squares problem needs.
struct Moments {
  double xx = 0, xn = 0, nn = 0, xy = 0, ny = 0;

  /// Sum of squared residuals less the constant sum of y².
  double loss(double share, double cpu) const {
    return share * share * xx + 2 * share * cpu * xn + cpu * cpu * nn - 2 * share * xy - 2 * cpu * ny;
  }
  double best_cpu(double share) const { return nn > 0 ? std::max(0.0, (ny - share * xn) / nn) : 0; }
  double best_share(double cpu) const { return xx > 0 ? std::clamp((xy - cpu * xn) / xx, 0.0, 1.0) : 0; }
};

}  // namespace

Overlap fit_overlap(const std::vector<OverlapObservation>& steps, const StretchObservation& messages) {
  Moments sums;
  for (const OverlapObservation& step : steps) {
    sums.xx += step.in_flight * step.in_flight;
    sums.xn += step.in_flight * step.messages;
    sums.nn += step.messages * step.messages;
    sums.xy += step.in_flight * step.extra;
    sums.ny += step.messages * step.extra;
  }
  // The problem is convex: the optimum is the unconstrained one where that is allowed, else the best point of
  // an edge.
  struct Candidate {
    double share, cpu;
  };
  std::vector<Candidate> candidates{{0, sums.best_cpu(0)}, {1, sums.best_cpu(1)}, {sums.best_share(0), 0}};
  const double determinant = sums.xx * sums.nn - sums.xn * sums.xn;
  if (determinant > 1e-12 * sums.xx * sums.nn) {
    const double share = (sums.xy * sums.nn - sums.ny * sums.xn) / determinant;
    const double cpu = (sums.ny * sums.xx - sums.xy * sums.xn) / determinant;
    if (share >= 0 && share <= 1 && cpu >= 0) candidates.push_back({share, cpu});
  }
  const Candidate best =
      *std::min_element(candidates.begin(), candidates.end(), [&](const auto& left, const auto& right) {
        return sums.loss(left.share, left.cpu) < sums.loss(right.share, right.cpu);
      });
  Overlap overlap{.core_share = best.share, .stretch = 1, .message_cpu = best.cpu};
  if (messages.expected > 0) overlap.stretch = std::max(1.0, messages.measured / messages.expected);
  return overlap;
}

}  // namespace mgbench
