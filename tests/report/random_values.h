#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <map>
#include <string>

#include "planner/profile.h"
#include "report/calibration.h"
#include "report/plan_file.h"
#include "report/run_result.h"

namespace mgbench {

// Arbitrary valid values for round trips, drawn inside a RapidCheck property.

inline Seconds random_seconds() {
  const auto mantissa = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 53);
  return std::ldexp(static_cast<double>(mantissa), *rc::gen::inRange(-80, -50));
}

inline std::string random_text() {
  std::string text;
  for (const int c : *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 127))) text += static_cast<char>(c);
  return text;
}

inline std::map<std::string, std::string> random_map() {
  std::map<std::string, std::string> result;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) result[random_text()] = random_text();
  return result;
}

inline Profile random_profile() {
  Profile profile{.model = random_text(),
                  .backend = random_text(),
                  .ranks = *rc::gen::inRange(1, 9999),
                  .batch = *rc::gen::inRange(1, 999),
                  .steps = {},
                  .update = random_seconds()};
  for (int s = *rc::gen::inRange(1, 5); s > 0; --s) {
    Profile::Step step{.name = random_text(), .forward = random_seconds(), .backward = random_seconds(), .tensors = {}};
    for (int t = *rc::gen::inRange(s == 1 ? 1 : 0, 4); t > 0; --t)
      step.tensors.push_back({random_text(), *rc::gen::inRange<Bytes>(1, Bytes{1} << 40)});
    profile.steps.push_back(step);
  }
  return profile;
}

inline PlanFile random_plan() {
  PlanFile plan{.name = *rc::gen::element<std::string>("tuned", "a.b_c-1", "0"),
                .model = random_text(),
                .origin = random_text(),
                .emulated = random_text(),
                .command = random_text(),
                .date = random_text()};
  if (*rc::gen::arbitrary<bool>()) plan.ranks = *rc::gen::inRange(1, 9999);
  if (*rc::gen::arbitrary<bool>()) plan.predicted = random_seconds();
  if (*rc::gen::arbitrary<bool>())
    plan.measured = MedianEstimate{.median = random_seconds(), .interval = std::nullopt, .samples = 5};
  if (plan.measured && *rc::gen::arbitrary<bool>()) plan.measured->interval = Interval{0.1, 0.2};
  for (int g = *rc::gen::inRange(1, 5); g > 0; --g) {
    plan.groups.emplace_back();
    for (int t = *rc::gen::inRange(1, 4); t > 0; --t)
      plan.groups.back().push_back({random_text(), *rc::gen::inRange<Bytes>(1, Bytes{1} << 40)});
  }
  return plan;
}

inline Calibration random_calibration() {
  Calibration calibration;
  calibration.ranks = *rc::gen::inRange(1, 9999);
  calibration.library = *rc::gen::element<std::string>("MPI", "NCCL", "gloo");
  calibration.left_out_above = *rc::gen::inRange<Bytes>(0, Bytes{1} << 40);
  calibration.emulated = *rc::gen::element<std::string>("", "10GbE as 64 ranks");
  calibration.provenance = random_map();
  for (int c = *rc::gen::inRange(1, 3); c > 0; --c) {
    // Plans are made with one of these names, which the last curve has.
    const std::string name = c > 1 ? random_text() : *rc::gen::element<std::string>("library", "engine");
    CalibrationCurve curve{.name = name, .communicator = random_text(), .points = {}, .fit = {}};
    if (*rc::gen::arbitrary<bool>()) {
      curve.calls = *rc::gen::inRange<std::size_t>(1, 100000);
      curve.spikes = *rc::gen::inRange<std::size_t>(0, 1000);
    }
    Bytes bytes = 0;
    for (int p = *rc::gen::inRange(3, 9); p > 0; --p) {
      bytes += *rc::gen::inRange<Bytes>(1, Bytes{1} << 30);
      CalibrationPoint point{.bytes = bytes,
                             .seconds = 1e-9 + random_seconds(),
                             .interval = {},
                             .samples = *rc::gen::inRange<std::size_t>(1, 99)};
      if (*rc::gen::arbitrary<bool>()) point.interval = Interval{point.seconds / 3, point.seconds * 3};
      curve.points.push_back(point);
    }
    curve.fit_points();
    calibration.curves.push_back(curve);
  }
  return calibration;
}

inline std::vector<Sample> random_samples() {
  std::vector<Sample> samples;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i)
    samples.push_back({.round = *rc::gen::inRange(0, 99),
                       .position = *rc::gen::inRange(0, 9),
                       .slowest_rank = *rc::gen::inRange(0, 9),
                       .iteration = random_seconds(),
                       .forward = random_seconds(),
                       .backward = random_seconds(),
                       .exposed = -random_seconds(),
                       .update = random_seconds(),
                       .rejected = *rc::gen::arbitrary<bool>()});
  return samples;
}

inline Timeline random_timeline() {
  Timeline timeline{.forward_end = random_seconds(),
                    .backward_end = random_seconds(),
                    .communication_end = random_seconds(),
                    .iteration = random_seconds(),
                    .messages = {}};
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    timeline.messages.push_back({random_seconds(), random_seconds(), random_seconds()});
  return timeline;
}

inline CommunicatorChoice random_communicator_choice() {
  CommunicatorChoice choice{.chosen = random_text(), .reason = random_text(), .candidates = {}};
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
    choice.candidates.push_back(
        {.communicator = i == 1 ? choice.chosen : random_text(),
         .iteration = {.median = random_seconds(), .interval = Interval{0.1, 0.2}, .samples = 6},
         .alone = random_seconds(),
         .exposed = -random_seconds(),
         .hidden = *rc::gen::element(0.0, 0.3, 1.0),
         .slowdown = random_seconds()});
  return choice;
}

inline RankTimes random_rank_times() {
  RankTimes times{.typical = random_seconds(),
                  .spread = random_seconds(),
                  .slow = *rc::gen::inRange<std::size_t>(0, 9),
                  .lost = random_seconds(),
                  .slowest = {}};
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
    times.slowest.push_back({.rank = *rc::gen::inRange(0, 9999),
                             .host = random_text(),
                             .seconds = random_seconds(),
                             .ratio = random_seconds(),
                             .slow = *rc::gen::arbitrary<bool>()});
  return times;
}

inline MachineLoad random_machine_load() {
  MachineLoad load{
      .hosts = *rc::gen::inRange<std::size_t>(0, 99), .disturbed = *rc::gen::inRange<std::size_t>(0, 99), .worst = {}};
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    load.worst.push_back({.host = random_text(),
                          .first_rank = *rc::gen::inRange(0, 9999),
                          .processors = *rc::gen::inRange(1, 999),
                          .seconds = random_seconds(),
                          .others = *rc::gen::element(0.0, 0.3, 1.0),
                          .steal = *rc::gen::element(0.0, 0.3, 1.0)});
    HostLoad& host = load.worst.back();
    if (*rc::gen::arbitrary<bool>()) host.stalled = *rc::gen::element(0.0, 0.3, 1.0);
    if (*rc::gen::arbitrary<bool>()) host.begin_hertz = 1e9 + random_seconds();
    if (*rc::gen::arbitrary<bool>()) host.end_hertz = 1e9 + random_seconds();
    if (*rc::gen::arbitrary<bool>()) host.throttled = *rc::gen::inRange<std::size_t>(0, 99);
  }
  return load;
}

inline RunResult random_run() {
  RunResult result;
  result.command = random_text();
  result.date = random_text();
  result.environment = random_map();
  result.seed = *rc::gen::arbitrary<std::uint64_t>();
  result.model = random_text();
  result.backend = random_text();
  result.communicator = random_text();
  if (*rc::gen::arbitrary<bool>()) result.communicator_choice = random_communicator_choice();
  result.emulated = random_text();
  result.ranks = *rc::gen::inRange(1, 9999);
  result.threads = *rc::gen::inRange(1, 99);
  result.batch = *rc::gen::inRange(1, 999);
  if (*rc::gen::arbitrary<bool>()) result.calibration = random_calibration();
  result.planning_cost = random_text();
  result.profile = random_profile();
  result.overlap = {.core_share = *rc::gen::element(0.0, 0.3, 1.0),
                    .stretch = 1 + random_seconds(),
                    .message_cpu = random_seconds(),
                    .notice = random_seconds()};
  result.without_communication = random_samples();
  result.probe = random_samples();
  if (*rc::gen::arbitrary<bool>()) result.computation = random_rank_times();
  if (*rc::gen::arbitrary<bool>()) result.load = random_machine_load();
  if (*rc::gen::arbitrary<bool>())
    result.alone = MedianEstimate{.median = random_seconds(), .interval = Interval{0.1, 0.2}, .samples = 6};
  for (int s = *rc::gen::inRange(0, 4); s > 0; --s) {
    StrategyResult strategy;
    strategy.strategy = random_text();
    std::size_t end = 0;
    for (int g = *rc::gen::inRange(0, 4); g > 0; --g) {
      strategy.group_ends.push_back(end += *rc::gen::inRange<std::size_t>(1, 9));
      strategy.group_bytes.push_back(*rc::gen::inRange<Bytes>(1, Bytes{1} << 40));
    }
    strategy.samples = random_samples();
    strategy.predicted = random_timeline();
    strategy.predicted_no_overlap = random_timeline();
    strategy.measured = random_timeline();
    strategy.failure = random_text();
    strategy.origin = random_text();
    if (*rc::gen::arbitrary<bool>()) strategy.same = {random_text(), random_text()};
    if (*rc::gen::arbitrary<bool>()) strategy.dropped = Dropped{*rc::gen::inRange<std::size_t>(1, 99), random_text()};
    if (*rc::gen::arbitrary<bool>()) strategy.arrival = random_rank_times();
    result.strategies.push_back(strategy);
  }
  for (int r = *rc::gen::inRange(0, 3); r > 0; --r) result.remarks.push_back(random_text());
  result.ended = random_text();
  result.stages = {{random_text(), random_seconds()}, {random_text(), random_seconds()}};
  return result;
}

}  // namespace mgbench
