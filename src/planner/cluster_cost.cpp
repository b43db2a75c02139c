#include "planner/cluster_cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mgbench {
namespace {

std::map<int, Line> lines_of(const std::map<int, CostModel>& costs) {
  std::map<int, Line> lines;
  for (const auto& [ranks, cost] : costs) lines.emplace(ranks, cost.line());
  return lines;
}

/// `cost` times `line` / its own line, size by size.
CostModel allreduce_carried_over(const CostModel& cost, const Line& line) {
  if (cost.is_line()) return CostModel(line);
  const auto ratio = [&](Bytes bytes) { return line.time(bytes) / cost.line().time(bytes); };
  Regimes regimes = cost.regimes();
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    const Regime& own = cost.regimes()[i];
    regimes[i].at = own.at * ratio(own.from);
    if (i + 1 == regimes.size()) {
      regimes[i].slope = own.slope * line.b / cost.line().b;
    } else {
      const Bytes end = cost.regimes()[i + 1].from;
      // Where the ratio falls with size, a cost that hardly rises would fall.
      regimes[i].at = std::min(regimes[i].at, own.time(end) * ratio(end));
      regimes[i].slope =
          std::max(0.0, (own.time(end) * ratio(end) - regimes[i].at) / static_cast<double>(end - own.from));
    }
  }
  return CostModel(never_falling(std::move(regimes)), line);
}

/// Other collectives keep their shares of the allreduce's a and b.
CostModel carried_over(const CostModel& cost, const Line& line) {
  CostModel carried = allreduce_carried_over(cost, line).with_sharing(cost.sharing());
  for (const auto& [collective, own] : cost.measured())
    carried = carried.with_measured(collective, {own.a * line.a / cost.line().a, own.b * line.b / cost.line().b});
  return carried;
}

}  // namespace

ClusterCost::ClusterCost(std::map<int, CostModel> costs, const AllreduceLaw* law)
    : costs_(std::move(costs)), scaling_(lines_of(costs_), law) {}

const CostModel& ClusterCost::nearest(int ranks) const {
  const auto distance = [&](int other) { return std::abs(std::log(static_cast<double>(other) / ranks)); };
  return std::min_element(
             costs_.begin(), costs_.end(),
             [&](const auto& left, const auto& right) { return distance(left.first) < distance(right.first); })
      ->second;
}

RankedCost ClusterCost::at(int ranks) const {
  const ScaledLine scaled = scaling_.at(ranks);
  if (const auto own = costs_.find(ranks); own != costs_.end())
    return {own->second, own->second, own->second, scaled.basis};
  const CostModel& base = nearest(ranks);
  return {carried_over(base, scaled.line), carried_over(base, scaled.low), carried_over(base, scaled.high),
          scaled.basis};
}

}  // namespace mgbench
