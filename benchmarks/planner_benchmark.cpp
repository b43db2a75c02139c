// How long it takes to plan, by the number of tensors: `planner_benchmark` prints times and fitted
// complexities. Profiles are random networks: backward takes 60 ms and most bytes are ready early, as in
// convolutional networks.

#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "planner/cluster_cost.h"
#include "planner/exact_plan.h"
#include "planner/simulation.h"
#include "planner/strategy.h"
#include "planner/timeline.h"

namespace mgbench {
namespace {

Profile network(std::size_t tensors) {
  std::mt19937_64 random(1);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  Profile profile;
  const double count = static_cast<double>(tensors);
  for (std::size_t tensor = 0; tensor < tensors; ++tensor) {
    const double place = static_cast<double>(tensor) / count;  // 0 at the input, 1 at the output
    const Seconds backward = 0.060 / count * uniform(0.2, 1.8);
    // About 100 MB in all, whatever the number of tensors.
    const double bytes = 4 * std::pow(10, uniform(3, 4) + 2.4 * place) * 161 / count;
    profile.steps.push_back({"step", backward / 2, backward, {{"tensor", 4 + static_cast<Bytes>(bytes)}}});
  }
  return profile;
}

const Line kLine{2.348e-3, 0.964e-9};  // 10GbE, 64 ranks
const Overlap kTcp{0.2, 1.05, 2e-5};

/// Public figures of eight nodes on 10GbE, with larger sizes at the rate of the last ones; `falls`: with a
/// dip.
Curve curve(bool falls) {
  return {{4, 82e-6},        {1024, 100e-6},   {8192, falls ? 95e-6 : 182e-6},
          {16384, 884e-6},   {65536, 1.0e-3},  {262'144, 1.6e-3},
          {1 << 20, 4.7e-3}, {4 << 20, 15e-3}, {16 << 20, 58e-3},
          {64 << 20, 230e-3}};
}

void plan(benchmark::State& state, const CostModel& cost) {
  const Profile profile = network(static_cast<std::size_t>(state.range(0)));
  std::size_t messages = 0;
  for (auto _ : state) messages = exact_plan(profile, cost).groups();
  state.SetComplexityN(state.range(0));
  state.counters["messages"] = static_cast<double>(messages);
}

void plan_with_a_line(benchmark::State& state) {
  plan(state, CostModel(kLine));
}
BENCHMARK(plan_with_a_line)->Arg(161)->Arg(1000)->Arg(10'000)->Arg(100'000)->Complexity();

void plan_with_a_curve(benchmark::State& state) {
  plan(state, CostModel(curve(false), kLine));
}
BENCHMARK(plan_with_a_curve)->Arg(161)->Arg(1000)->Arg(10'000)->Arg(100'000)->Complexity();

void plan_with_a_curve_that_falls(benchmark::State& state) {
  plan(state, CostModel(curve(true), kLine));
}
BENCHMARK(plan_with_a_curve_that_falls)->Arg(161)->Arg(1000)->Arg(4000)->Complexity()->Unit(benchmark::kMillisecond);

void plan_with_a_line_and_overlap(benchmark::State& state) {
  plan(state, CostModel(kLine, kTcp));
}
BENCHMARK(plan_with_a_line_and_overlap)->Arg(161)->Arg(1000)->Arg(4000)->Complexity()->Unit(benchmark::kMillisecond);

void plan_with_a_curve_and_overlap(benchmark::State& state) {
  plan(state, CostModel(curve(false), kLine, kTcp));
}
BENCHMARK(plan_with_a_curve_and_overlap)->Arg(161)->Arg(1000)->Arg(4000)->Complexity()->Unit(benchmark::kMillisecond);

/// A fast interconnect leaves most plans equally good, which is where there are most states to tell apart.
void plan_with_a_fast_line_and_overlap(benchmark::State& state) {
  plan(state, CostModel({2e-5, 3e-10}, kTcp));
}
BENCHMARK(plan_with_a_fast_line_and_overlap)
    ->Arg(161)
    ->Arg(1000)
    ->Arg(4000)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);

void predict_one_message_a_tensor(benchmark::State& state) {
  const Profile profile = network(static_cast<std::size_t>(state.range(0)));
  const CostModel cost(curve(false), kLine, kTcp);
  const Schedule schedule = make_schedule(profile, strategies().find("wfbp").plan(profile, cost, {}));
  for (auto _ : state) benchmark::DoNotOptimize(predict(profile, schedule, cost));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(predict_one_message_a_tensor)->Arg(161)->Arg(1000)->Arg(10'000)->Complexity();

/// At 2, 4, ..., 4096 ranks: the strategies that run, or all.
void simulate_twelve_sizes(benchmark::State& state) {
  const Profile profile = network(static_cast<std::size_t>(state.range(0)));
  std::map<int, CostModel> costs;
  for (const int ranks : {8, 16, 32, 64}) costs.emplace(ranks, CostModel(Line{4e-5 * (ranks - 1), 0.8e-9}));
  const ClusterCost cost(std::move(costs));
  std::vector<int> ranks;
  for (int p = 2; p <= 4096; p *= 2) ranks.push_back(p);
  const std::vector<Scheduler> all = schedulers();
  const bool running_only = state.range(1) != 0;
  const auto end = running_only ? all.begin() + static_cast<std::ptrdiff_t>(strategies().names().size()) : all.end();
  const std::vector<Scheduler> chosen(all.begin(), end);
  for (auto _ : state)
    benchmark::DoNotOptimize(simulate({.profile = &profile, .cost = &cost, .ranks = ranks, .strategies = chosen}));
  state.counters["strategies"] = static_cast<double>(chosen.size());
}
BENCHMARK(simulate_twelve_sizes)->Args({161, 1})->Args({161, 0})->Args({1000, 1})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mgbench
