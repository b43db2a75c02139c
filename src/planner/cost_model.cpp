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
Pieces pieces_through(const Curve& curve) {
  check(curve);
  Pieces pieces;
  if (curve.front().bytes > 0) pieces.push_back({0, curve.front().seconds, 0});
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const std::size_t next = std::min(i + 1, curve.size() - 1);
    const CurvePoint& low = curve[next - (next > 0 ? 1 : 0)];
    const CurvePoint& high = curve[next];
    double slope = 0;
    if (high.bytes > low.bytes) slope = (high.seconds - low.seconds) / static_cast<double>(high.bytes - low.bytes);
    // Beyond the last point: extrapolating a fall would end below zero.
    if (i + 1 == curve.size()) slope = std::max(0.0, slope);
    pieces.push_back({curve[i].bytes, curve[i].seconds, slope});
  }
  return pieces;
}

void check(const Pieces& pieces) {
  require(!pieces.empty() && pieces.front().from == 0, "cost model: expected pieces from 0 B on");
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [from, at, slope] = pieces[i];
    require(std::isfinite(at) && at > 0, "cost model: the piece from {} B starts at {} s; expected a finite time > 0",
            from, at);
    require(std::isfinite(slope) && slope >= 0,
            "cost model: the piece from {} B has a slope of {} s/B; expected none below zero", from, slope);
    if (i == 0) continue;
    require(from > pieces[i - 1].from, "cost model: a piece from {} B follows one from {} B; expected increasing sizes",
            from, pieces[i - 1].from);
    require(at >= pieces[i - 1].time(from), "cost model: at {} B the time falls from {} to {} s", from,
            pieces[i - 1].time(from), at);
  }
}

}  // namespace

Pieces never_falling(Pieces pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) pieces[i].at = std::max(pieces[i].at, pieces[i - 1].time(pieces[i].from));
    pieces[i].slope = std::max(pieces[i].slope, 0.0);
  }
  return pieces;
}

CostModel::CostModel(Form form, Pieces pieces, Line line, Overlap overlap)
    : form_(form), line_(line), pieces_(std::move(pieces)), overlap_(overlap) {
  check(line_);
  check(overlap_);
}

CostModel::CostModel(Line line, Overlap overlap) : CostModel(Form::line, {{0, line.a, line.b}}, line, overlap) {}

CostModel::CostModel(const Curve& curve, Line line, Overlap overlap)
    : CostModel(Form::curve, pieces_through(curve), line, overlap) {}

CostModel::CostModel(Pieces pieces, Line line, Overlap overlap)
    : CostModel(Form::pieces, std::move(pieces), line, overlap) {
  check(pieces_);
}

Seconds CostModel::time(Collective collective, Bytes bytes) const {
  if (const auto own = measured_.find(collective); own != measured_.end()) return own->second.time(bytes);
  const Piece* piece = &pieces_.front();
  if (pieces_.size() > 1)
    piece = &*(std::upper_bound(pieces_.begin() + 1, pieces_.end(), bytes,
                                [](Bytes size, const Piece& candidate) { return size < candidate.from; }) -
               1);
  const Seconds allreduce = piece->time(bytes);
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
  for (Piece& piece : other.pieces_) {
    piece.at *= factor;
    piece.slope *= factor;
  }
  for (auto& [collective, line] : other.measured_) line = {line.a * factor, line.b * factor};
  return other;
}

Seconds CostModel::start_up() const {
  // Times fall between points at most, and never beyond the last.
  return std::min_element(pieces_.begin(), pieces_.end(),
                          [](const Piece& left, const Piece& right) { return left.at < right.at; })
      ->at;
}

CostModel CostModel::with_start_up_scaled(double factor) const {
  CostModel other = *this;
  other.line_.a *= factor;
  check(other.line_);
  for (Piece& piece : other.pieces_) piece.at += (factor - 1) * start_up();
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
  other.pieces_ = {{0, own->second.a, own->second.b}};
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
