#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/names.h"
#include "report/drift.h"
#include "report/forms.h"
#include "report/run_result.h"

namespace mgbench {
namespace {

constexpr int kMany = 1'000'000'000;

/// Measured from clocks of several threads: a little below zero can happen.
Seconds read_difference(const Value& value) {
  return value.number(-1e9, 1e9);
}

Json json_form(const Sample& sample) {
  return {{"round", sample.round},
          {"position", sample.position},
          {"slowest_rank", sample.slowest_rank},
          {"iteration_seconds", sample.iteration},
          {"forward_seconds", sample.forward},
          {"backward_seconds", sample.backward},
          {"exposed_seconds", sample.exposed},
          {"update_seconds", sample.update},
          {"rejected", sample.rejected}};
}

Sample read_sample(const Value& value) {
  value.fields({"round", "position", "slowest_rank", "iteration_seconds", "forward_seconds", "backward_seconds",
                "exposed_seconds", "update_seconds", "rejected"});
  Sample sample;
  sample.round = value.at("round").integer<int>(0, kMany);
  sample.position = value.at("position").integer<int>(0, kMany);
  sample.slowest_rank = value.at("slowest_rank").integer<int>(0, kMany);
  sample.iteration = value.at("iteration_seconds").positive();
  sample.forward = read_difference(value.at("forward_seconds"));
  sample.backward = read_difference(value.at("backward_seconds"));
  sample.exposed = read_difference(value.at("exposed_seconds"));
  sample.update = read_difference(value.at("update_seconds"));
  sample.rejected = value.at("rejected").boolean();
  return sample;
}

Json json_form(const std::vector<Sample>& samples) {
  Json list = Json::array();
  for (const Sample& sample : samples) list.push_back(json_form(sample));
  return list;
}

std::vector<Sample> read_samples(const Value& value) {
  std::vector<Sample> samples;
  for (const Value& sample : value.items()) samples.push_back(read_sample(sample));
  return samples;
}

Json json_form(const Timeline& timeline) {
  Json messages = Json::array();
  for (const MessageTimes& times : timeline.messages)
    messages.push_back({{"ready_seconds", times.ready}, {"start_seconds", times.start}, {"end_seconds", times.end}});
  return {{"forward_end_seconds", timeline.forward_end},
          {"backward_end_seconds", timeline.backward_end},
          {"communication_end_seconds", timeline.communication_end},
          {"iteration_seconds", timeline.iteration},
          {"messages", std::move(messages)}};
}

Timeline read_timeline(const Value& value) {
  value.fields(
      {"forward_end_seconds", "backward_end_seconds", "communication_end_seconds", "iteration_seconds", "messages"});
  Timeline timeline;
  timeline.forward_end = read_difference(value.at("forward_end_seconds"));
  timeline.backward_end = read_difference(value.at("backward_end_seconds"));
  timeline.communication_end = read_difference(value.at("communication_end_seconds"));
  timeline.iteration = value.at("iteration_seconds").seconds();
  for (const Value& times : value.at("messages").items()) {
    times.fields({"ready_seconds", "start_seconds", "end_seconds"});
    timeline.messages.push_back({.ready = read_difference(times.at("ready_seconds")),
                                 .start = read_difference(times.at("start_seconds")),
                                 .end = read_difference(times.at("end_seconds"))});
  }
  return timeline;
}

Json json_form(const StrategyResult& result) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < result.group_ends.size(); ++g)
    groups.push_back({{"end_tensor", result.group_ends[g]}, {"bytes", result.group_bytes.at(g)}});
  Json form = {{"strategy", result.strategy}, {"failure", result.failure}};
  if (!result.origin.empty()) form["origin"] = result.origin;
  if (!result.same.empty()) form["same_plan"] = result.same;
  if (result.dropped) form["dropped"] = {{"rounds", result.dropped->rounds}, {"by", result.dropped->by}};
  form["groups"] = std::move(groups);
  form["predicted"] = json_form(result.predicted);
  form["predicted_no_overlap"] = json_form(result.predicted_no_overlap);
  form["measured"] = json_form(result.measured);
  if (!result.transfers.empty()) form["transfer_seconds"] = result.transfers;
  if (result.arrival) form["rank_arrival"] = json_form(*result.arrival);
  form["samples"] = json_form(result.samples);
  return form;
}

StrategyResult read_strategy(const Value& value) {
  value.fields({"strategy", "failure", "groups", "predicted", "predicted_no_overlap", "measured", "samples"},
               {"origin", "same_plan", "dropped", "transfer_seconds", "rank_arrival"});
  StrategyResult result;
  result.strategy = value.at("strategy").text();
  result.failure = value.at("failure").text();
  if (const auto origin = value.find("origin")) result.origin = origin->text();
  if (const auto same = value.find("same_plan"))
    for (const Value& name : same->items()) result.same.push_back(name.text());
  if (const auto dropped = value.find("dropped")) {
    dropped->fields({"rounds", "by"});
    result.dropped = Dropped{dropped->at("rounds").integer<std::size_t>(1, kMany), dropped->at("by").text()};
  }
  for (const Value& group : value.at("groups").items()) {
    group.fields({"end_tensor", "bytes"});
    const std::size_t previous = result.group_ends.empty() ? 0 : result.group_ends.back();
    result.group_ends.push_back(group.at("end_tensor").integer<std::size_t>(previous + 1, kMany));
    result.group_bytes.push_back(group.at("bytes").bytes());
  }
  result.predicted = read_timeline(value.at("predicted"));
  result.predicted_no_overlap = read_timeline(value.at("predicted_no_overlap"));
  result.measured = read_timeline(value.at("measured"));
  if (const auto transfers = value.find("transfer_seconds"))
    for (const Value& seconds : transfers->items()) result.transfers.push_back(read_difference(seconds));
  if (const auto arrival = value.find("rank_arrival")) result.arrival = read_rank_times(*arrival);
  result.samples = read_samples(value.at("samples"));
  return result;
}

Json json_form(const Overlap& overlap) {
  return {{"core_share", overlap.core_share},
          {"stretch", overlap.stretch},
          {"message_cpu_seconds", overlap.message_cpu},
          {"notice_seconds", overlap.notice}};
}

Overlap read_overlap(const Value& value) {
  value.fields({"core_share", "stretch", "message_cpu_seconds"}, {"notice_seconds"});
  const auto notice = value.find("notice_seconds");
  return {.core_share = value.at("core_share").number(0, 1),
          .stretch = value.at("stretch").number(1, 1e9),
          .message_cpu = value.at("message_cpu_seconds").seconds(),
          .notice = notice ? notice->seconds() : 0};
}

Json json_form(const CommunicatorChoice& choice) {
  Json candidates = Json::array();
  for (const CommunicatorFigures& figures : choice.candidates)
    candidates.push_back({{"communicator", figures.communicator},
                          {"iteration", json_form(figures.iteration)},
                          {"alone_seconds", figures.alone},
                          {"exposed_seconds", figures.exposed},
                          {"hidden", figures.hidden},
                          {"slowdown", figures.slowdown}});
  return {{"chosen", choice.chosen}, {"reason", choice.reason}, {"candidates", std::move(candidates)}};
}

CommunicatorChoice read_communicator_choice(const Value& value) {
  value.fields({"chosen", "reason", "candidates"});
  CommunicatorChoice choice{.chosen = value.at("chosen").text(), .reason = value.at("reason").text(), .candidates = {}};
  std::vector<std::string> names;
  for (const Value& item : value.at("candidates").items()) {
    item.fields({"communicator", "iteration", "alone_seconds", "exposed_seconds", "hidden", "slowdown"});
    choice.candidates.push_back({.communicator = item.at("communicator").text(),
                                 .iteration = read_seconds_estimate(item.at("iteration")),
                                 .alone = item.at("alone_seconds").seconds(),
                                 .exposed = read_difference(item.at("exposed_seconds")),
                                 .hidden = item.at("hidden").number(0, 1),
                                 .slowdown = item.at("slowdown").positive()});
    names.push_back(choice.candidates.back().communicator);
  }
  if (std::find(names.begin(), names.end(), choice.chosen) == names.end())
    value.at("chosen").wrong("'{}' is not among the candidates{}", choice.chosen, suggestion(choice.chosen, names));
  return choice;
}

Json stages_form(const std::vector<Stage>& stages) {
  Json list = Json::array();
  for (const Stage& stage : stages) list.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return list;
}

Stage read_stage(const Value& value) {
  value.fields({"name", "seconds"});
  return {.name = value.at("name").text(), .seconds = value.at("seconds").seconds()};
}

}  // namespace

std::string to_json(const RunResult& result) {
  Json strategies = Json::array();
  for (const StrategyResult& strategy : result.strategies) strategies.push_back(json_form(strategy));
  // A run that plans for a known interconnect has no calibration of its own.
  const bool calibrated = !result.calibration.curves.empty();
  return write_json(
      {{"schema", RunResult::kSchema},
       {"command", result.command},
       {"date", result.date},
       {"model", result.model},
       {"backend", result.backend},
       {"communicator", result.communicator},
       {"communicator_choice", result.communicator_choice ? json_form(*result.communicator_choice) : Json()},
       {"emulated", result.emulated},
       {"ranks", result.ranks},
       {"threads", result.threads},
       {"batch", result.batch},
       {"seed", result.seed},
       {"ended", result.ended},
       {"stages", stages_form(result.stages)},
       {"remarks", result.remarks},
       {"environment", result.environment},
       {"planning_cost", result.planning_cost},
       {"overlap", json_form(result.overlap)},
       {"alone", result.alone ? json_form(*result.alone) : Json()},
       {"rank_computation", result.computation ? json_form(*result.computation) : Json()},
       {"machine_load", result.load ? json_form(*result.load) : Json()},
       {"drift", json_form(find_drift(result))},
       {"strategies", std::move(strategies)},
       {"without_communication", json_form(result.without_communication)},
       {"probe", json_form(result.probe)},
       {"calibration", calibrated ? json_form(result.calibration) : Json()},
       {"profile", json_form(result.profile)}});
}

RunResult run_result_from_json(const std::string& text, const std::string& file) {
  const Document document = parse_json(text, file);
  return read_run_result(document.root());
}

RunResult read_run_result(const Value& root) {
  root.require_schema(RunResult::kSchema);
  root.fields({"schema",
               "command",
               "date",
               "model",
               "backend",
               "communicator",
               "emulated",
               "ranks",
               "threads",
               "batch",
               "seed",
               "ended",
               "remarks",
               "environment",
               "planning_cost",
               "overlap",
               "alone",
               "strategies",
               "without_communication",
               "probe",
               "calibration",
               "profile"},
              {"communicator_choice", "rank_computation", "machine_load", "drift", "stages"});
  RunResult result;
  result.command = root.at("command").text();
  result.date = root.at("date").text();
  result.model = root.at("model").text();
  result.backend = root.at("backend").text();
  result.communicator = root.at("communicator").text();
  if (const auto choice = root.find("communicator_choice"))
    result.communicator_choice = read_communicator_choice(*choice);
  result.emulated = root.at("emulated").text();
  result.ranks = root.at("ranks").integer<int>(1, kMany);
  result.threads = root.at("threads").integer<int>(1, kMany);
  result.batch = root.at("batch").integer<int>(1, kMany);
  result.seed = root.at("seed").integer<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max());
  result.ended = root.at("ended").text();
  if (const auto stages = root.find("stages"))
    for (const Value& stage : stages->items()) result.stages.push_back(read_stage(stage));
  for (const Value& remark : root.at("remarks").items()) result.remarks.push_back(remark.text());
  for (const auto& [key, value] : root.at("environment").entries()) result.environment[key] = value.text();
  result.planning_cost = root.at("planning_cost").text();
  result.overlap = read_overlap(root.at("overlap"));
  if (const auto alone = root.find("alone")) result.alone = read_seconds_estimate(*alone);
  if (const auto times = root.find("rank_computation")) result.computation = read_rank_times(*times);
  if (const auto load = root.find("machine_load")) result.load = read_machine_load(*load);
  for (const Value& strategy : root.at("strategies").items()) result.strategies.push_back(read_strategy(strategy));
  result.without_communication = read_samples(root.at("without_communication"));
  result.probe = read_samples(root.at("probe"));
  if (const auto calibration = root.find("calibration")) result.calibration = read_calibration(*calibration);
  result.profile = read_profile(root.at("profile"));
  return result;
}

}  // namespace mgbench
