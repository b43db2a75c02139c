#include "planner/simulation.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "planner/simulated_strategy.h"
#include "planner/timeline.h"

namespace mgbench {
namespace {

constexpr int kDraws = 1000;
/// Strategies within this are equal: a crossing of less is rounding.
constexpr double kEqual = 1e-6;

Profile slowed(const Profile& profile, double factor) {
  Profile slower = profile;
  for (Profile::Step& step : slower.steps) {
    step.forward *= factor;
    step.backward *= factor;
  }
  slower.update *= factor;
  return slower;
}

/// Every rank waits for the slowest one: an iteration is one of equal ranks that are as slow.
void add_variation(const SimulationRequest& request, const Schedule& schedule, const CostModel& cost, int ranks,
                   SimulatedStrategy& result) {
  std::vector<double> iterations;
  for (const double factor : request.spread->slowest(ranks, kDraws, request.seed))
    iterations.push_back(predict(slowed(*request.profile, factor), schedule, cost).iteration);
  std::sort(iterations.begin(), iterations.end());
  result.mean = std::accumulate(iterations.begin(), iterations.end(), 0.0) / kDraws;
  result.variation = Interval{iterations[kDraws / 40], iterations[kDraws - 1 - kDraws / 40]};
}

SimulatedStrategy simulate(const SimulationRequest& request, const Scheduler& strategy, const RankedCost& at,
                           int ranks) {
  const Profile& profile = *request.profile;
  const auto iteration = [&](const CostModel& cost) {
    return predict(profile, strategy.schedule(profile, cost, request.options), cost).iteration;
  };
  const Schedule schedule = strategy.schedule(profile, at.cost, request.options);
  const Timeline timeline = predict(profile, schedule, at.cost);
  SimulatedStrategy result{.name = strategy.name,
                           .messages = schedule.size(),
                           .iteration = timeline.iteration,
                           .range = {timeline.iteration, timeline.iteration},
                           .exposed = timeline.exposed(),
                           .efficiency = (profile.computation() + profile.update) / timeline.iteration};
  if (!at.measured())
    result.range = {std::min(timeline.iteration, iteration(at.low)), std::max(timeline.iteration, iteration(at.high))};
  if (request.spread != nullptr) add_variation(request, schedule, at.cost, ranks, result);
  return result;
}

}  // namespace

std::vector<Scheduler> schedulers() {
  std::vector<Scheduler> all;
  for (const StrategyEntry& entry : strategies())
    all.push_back({entry.name, [&entry](const Profile& profile, const CostModel& cost, const StrategyOptions& options) {
                     return make_schedule(profile, entry.plan(profile, cost, options));
                   }});
  for (const SimulatedStrategyEntry& entry : simulated_strategies()) all.push_back({entry.name, entry.schedule});
  return all;
}

std::vector<SimulatedSize> simulate(const SimulationRequest& request) {
  validate(*request.profile);
  std::vector<SimulatedSize> sizes;
  for (const int ranks : request.ranks) {
    const RankedCost at = request.cost->at(ranks);
    SimulatedSize size{.ranks = ranks, .line = at.cost.line(), .basis = at.basis, .strategies = {}};
    for (const Scheduler& strategy : request.strategies)
      size.strategies.push_back(simulate(request, strategy, at, ranks));
    sizes.push_back(std::move(size));
  }
  return sizes;
}

std::vector<Crossing> crossings(const std::vector<SimulatedSize>& sizes) {
  std::vector<Crossing> result;
  for (std::size_t size = 1; size < sizes.size(); ++size) {
    const auto& before = sizes[size - 1].strategies;
    const auto& now = sizes[size].strategies;
    for (std::size_t one = 0; one < now.size(); ++one)
      for (std::size_t other = 0; other < now.size(); ++other)
        if (before[one].iteration > before[other].iteration * (1 + kEqual) &&
            now[one].iteration < now[other].iteration * (1 - kEqual))
          result.push_back({now[one].name, now[other].name, sizes[size - 1].ranks, sizes[size].ranks});
  }
  return result;
}

std::optional<int> first_below(const std::vector<SimulatedSize>& sizes, std::size_t strategy, double efficiency) {
  for (const SimulatedSize& size : sizes)
    if (size.strategies[strategy].efficiency < efficiency) return size.ranks;
  return std::nullopt;
}

}  // namespace mgbench
