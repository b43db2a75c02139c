#include "planner/cost_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace mgbench {
namespace {

void check(const Line& line) {
  require(std::isfinite(line.a) && line.a > 0, "cost model: a = {} s; expected a finite time > 0", line.a);
  require(std::isfinite(line.b) && line.b > 0, "cost model: b = {} s/B; expected a finite time > 0", line.b);
}

void check(const Overlap& overlap) {
  require(overlap.core_share >= 0 && overlap.core_share <= 1, "cost model: core_share = {}; expected 0 to 1",
          overlap.core_share);
  require(std::isfinite(overlap.stretch) && overlap.stretch >= 1, "cost model: stretch = {}; expected at least 1",
          overlap.stretch);
  require(std::isfinite(overlap.message_cpu) && overlap.message_cpu >= 0,
          "cost model: message_cpu = {} s; expected a finite time >= 0", overlap.message_cpu);
}

void check(const Curve& curve) {
  require(!curve.empty(), "cost model: the curve has no points");
  for (std::size_t i = 0; i < curve.size(); ++i) {
    require(std::isfinite(curve[i].seconds) && curve[i].seconds > 0,
            "cost model: point {} of the curve ({} B) takes {} s; expected a finite time > 0", i, curve[i].bytes,
            curve[i].seconds);
    require(curve[i].bytes >= 0, "cost model: point {} of the curve has {} B; expected no negative size", i,
            curve[i].bytes);
    if (i > 0)
      require(curve[i].bytes > curve[i - 1].bytes,
              "cost model: point {} of the curve has {} B after {} B; expected increasing sizes", i, curve[i].bytes,
              curve[i - 1].bytes);
  }
}

}  // namespace

CostModel::CostModel(Line line, Overlap overlap) : line_(line), overlap_(overlap) {
  check(line_);
  check(overlap_);
}

CostModel::CostModel(Curve curve, Line line, Overlap overlap) : CostModel(line, overlap) {
  check(curve);
  curve_ = std::move(curve);
}

Seconds CostModel::time(Collective collective, Bytes bytes) const {
  static_cast<void>(collective);  // one kind so far
  if (is_line()) return line_.time(bytes);
  if (bytes <= curve_.front().bytes || curve_.size() == 1) return curve_.front().seconds;
  const auto above = std::upper_bound(curve_.begin() + 1, curve_.end() - 1, bytes,
                                      [](Bytes size, const CurvePoint& point) { return size < point.bytes; });
  const CurvePoint& high = *above;
  const CurvePoint& low = *(above - 1);
  if (bytes > high.bytes && high.seconds < low.seconds) return high.seconds;
  return low.seconds + (high.seconds - low.seconds) *
                           (static_cast<double>(bytes - low.bytes) / static_cast<double>(high.bytes - low.bytes));
}

CostModel CostModel::with_overlap(Overlap overlap) const {
  return is_line() ? CostModel(line_, overlap) : CostModel(curve_, line_, overlap);
}

}  // namespace mgbench
