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
  require(std::isfinite(overlap.notice) && overlap.notice >= 0,
          "cost model: notice = {} s; expected a finite time >= 0", overlap.notice);
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

/// Linear between points, constant below the first.
Regimes regimes_through(const Curve& curve) {
  check(curve);
  Regimes regimes;
  if (curve.front().bytes > 0) regimes.push_back({0, curve.front().seconds, 0});
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const std::size_t next = std::min(i + 1, curve.size() - 1);
    const CurvePoint& low = curve[next - (next > 0 ? 1 : 0)];
    const CurvePoint& high = curve[next];
    double slope = 0;
    if (high.bytes > low.bytes) slope = (high.seconds - low.seconds) / static_cast<double>(high.bytes - low.bytes);
    // Beyond the last point: extrapolating a fall would end below zero.
    if (i + 1 == curve.size()) slope = std::max(0.0, slope);
    regimes.push_back({curve[i].bytes, curve[i].seconds, slope});
  }
  return regimes;
}

void check(const Regimes& regimes) {
  require(!regimes.empty() && regimes.front().from == 0, "cost model: expected regimes from 0 B on");
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    const auto& [from, at, slope] = regimes[i];
    require(std::isfinite(at) && at > 0, "cost model: the regime from {} B starts at {} s; expected a finite time > 0",
            from, at);
    require(std::isfinite(slope) && slope >= 0,
            "cost model: the regime from {} B has a slope of {} s/B; expected none below zero", from, slope);
    if (i == 0) continue;
    require(from > regimes[i - 1].from,
            "cost model: a regime from {} B follows one from {} B; expected increasing sizes", from,
            regimes[i - 1].from);
    require(at >= regimes[i - 1].time(from), "cost model: at {} B the time falls from {} to {} s", from,
            regimes[i - 1].time(from), at);
  }
}

}  // namespace

Regimes never_falling(Regimes regimes) {
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    if (i > 0) regimes[i].at = std::max(regimes[i].at, regimes[i - 1].time(regimes[i].from));
    regimes[i].slope = std::max(regimes[i].slope, 0.0);
  }
  return regimes;
}

CostModel::CostModel(Form form, Regimes regimes, Line line, Overlap overlap)
    : form_(form), line_(line), regimes_(std::move(regimes)), overlap_(overlap) {
  check(line_);
  check(overlap_);
}

CostModel::CostModel(Line line, Overlap overlap) : CostModel(Form::line, {{0, line.a, line.b}}, line, overlap) {}

CostModel::CostModel(const Curve& curve, Line line, Overlap overlap)
    : CostModel(Form::curve, regimes_through(curve), line, overlap) {}

CostModel::CostModel(Regimes regimes, Line line, Overlap overlap)
    : CostModel(Form::regimes, std::move(regimes), line, overlap) {
  check(regimes_);
}

Seconds CostModel::time(Collective collective, Bytes bytes) const {
  if (const auto own = measured_.find(collective); own != measured_.end()) return own->second.time(bytes);
  const Regime* regime = &regimes_.front();
  if (regimes_.size() > 1)
    regime = &*(std::upper_bound(regimes_.begin() + 1, regimes_.end(), bytes,
                                 [](Bytes size, const Regime& candidate) { return size < candidate.from; }) -
                1);
  const Seconds allreduce = regime->time(bytes);
  return collective == Collective::allreduce ? allreduce : allreduce / 2;
}

CostModel CostModel::with_overlap(Overlap overlap) const {
  check(overlap);
  CostModel other = *this;
  other.overlap_ = overlap;
  return other;
}

CostModel CostModel::scaled(double factor) const {
  CostModel other = *this;
  other.line_ = {line_.a * factor, line_.b * factor};
  check(other.line_);
  for (Regime& regime : other.regimes_) {
    regime.at *= factor;
    regime.slope *= factor;
  }
  for (auto& [collective, line] : other.measured_) line = {line.a * factor, line.b * factor};
  return other;
}

Seconds CostModel::start_up() const {
  // Times fall between points at most, and never beyond the last.
  return std::min_element(regimes_.begin(), regimes_.end(),
                          [](const Regime& left, const Regime& right) { return left.at < right.at; })
      ->at;
}

CostModel CostModel::with_start_up_scaled(double factor) const {
  CostModel other = *this;
  other.line_.a *= factor;
  check(other.line_);
  for (Regime& regime : other.regimes_) regime.at += (factor - 1) * start_up();
  return other;
}

CostModel CostModel::as_allreduce(Collective collective) const {
  if (collective == Collective::allreduce) return *this;
  const auto own = measured_.find(collective);
  CostModel other = own == measured_.end() ? scaled(0.5) : *this;
  other.measured_.clear();
  if (own == measured_.end()) return other;
  other.form_ = Form::line;
  other.line_ = own->second;
  other.regimes_ = {{0, own->second.a, own->second.b}};
  return other;
}

CostModel CostModel::with_measured(Collective collective, Line line) const {
  require(collective != Collective::allreduce, "cost model: an allreduce's cost is the model's own");
  check(line);
  CostModel other = *this;
  other.measured_[collective] = line;
  return other;
}

CostModel CostModel::with_sharing(double sharing) const {
  require(std::isfinite(sharing) && sharing >= 1, "cost model: sharing = {}; expected at least 1", sharing);
  CostModel other = *this;
  other.sharing_ = sharing;
  return other;
}

}  // namespace mgbench
