#include "report/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "planner/simulation.h"

namespace mgbench {
namespace {

using Group = std::vector<const RunResult*>;

constexpr int kMostRanks = 4096;

std::string title_of(const RunResult& result) {
  return fmt::format("{} on {}, batch {}, {} {} a rank", result.model, result.backend, result.batch, result.threads,
                     result.threads == 1 ? "thread" : "threads");
}

/// By titles, in the order in which they first appear.
std::vector<std::pair<std::string, Group>> groups_of(const std::vector<NamedResult>& results) {
  std::vector<std::pair<std::string, Group>> groups;
  for (const NamedResult& named : results) {
    if (!named.result.emulated.empty()) continue;
    const std::string title = title_of(named.result);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& known) { return known.first == title; });
    if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
    group->second.push_back(&named.result);
  }
  for (auto& [title, group] : groups)
    std::stable_sort(group.begin(), group.end(),
                     [](const RunResult* left, const RunResult* right) { return left->ranks < right->ranks; });
  return groups;
}

std::vector<ScalingCurve> measured_curves(const Group& group) {
  std::vector<ScalingCurve> curves;
  for (const RunResult* result : group)
    for (const StrategyResult& strategy : result->strategies) {
      const MedianEstimate iteration = strategy.iteration();
      if (!strategy.failure.empty() || iteration.samples == 0) continue;
      auto curve = std::find_if(curves.begin(), curves.end(),
                                [&](const ScalingCurve& known) { return known.strategy == strategy.strategy; });
      if (curve == curves.end()) curve = curves.insert(curves.end(), {strategy.strategy, {}, {}});
      curve->measured.push_back({result->ranks, iteration.median, iteration.interval});
    }
  return curves;
}

/// Schedulers of the curves, with their curves.
std::vector<std::pair<Scheduler, ScalingCurve*>> simulated_of(std::vector<ScalingCurve>& curves) {
  std::vector<std::pair<Scheduler, ScalingCurve*>> found;
  for (const Scheduler& scheduler : schedulers())
    for (ScalingCurve& curve : curves)
      if (curve.strategy == scheduler.name) found.emplace_back(scheduler, &curve);
  return found;
}

void add_simulated(Scaling& scaling, const Group& group) {
  std::map<int, CostModel> costs;
  for (const RunResult* result : group)
    if (!result->calibration.curves.empty() && result->calibration.ranks >= 2)
      costs.emplace(result->calibration.ranks, result->calibration.planning_cost());
  if (costs.empty()) return;
  const ClusterCost cost(std::move(costs));
  const auto simulated = simulated_of(scaling.curves);
  if (simulated.empty()) return;
  SimulationRequest request;
  request.profile = &group.back()->profile;
  request.cost = &cost;
  for (int ranks = 2; ranks <= kMostRanks; ranks *= 2) request.ranks.push_back(ranks);
  for (const auto& [scheduler, curve] : simulated) request.strategies.push_back(scheduler);
  for (const SimulatedSize& size : simulate(request)) {
    for (std::size_t i = 0; i < simulated.size(); ++i)
      simulated[i].second->simulated.push_back({size.ranks, size.strategies[i].iteration, size.strategies[i].range});
    scaling.basis = size.basis;
  }
}

}  // namespace

std::vector<Scaling> scalings(const std::vector<NamedResult>& results) {
  std::vector<Scaling> found;
  for (const auto& [title, group] : groups_of(results)) {
    Scaling scaling{.title = title, .basis = "", .curves = measured_curves(group)};
    if (scaling.curves.empty()) continue;
    add_simulated(scaling, group);
    found.push_back(std::move(scaling));
  }
  return found;
}

}  // namespace mgbench
