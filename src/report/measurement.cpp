#include "report/measurement.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/forms.h"
#include "report/json.h"
#include "report/unmeasured.h"

namespace mgbench {
namespace {

std::string interconnect(const std::string& emulated) {
  return emulated.empty() ? "the real interconnect" : "the emulated " + emulated;
}

}  // namespace

const Metric* Measurement::find(const std::string& metric) const {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& candidate) { return candidate.name == metric; });
  return found == metrics.end() ? nullptr : &*found;
}

std::optional<std::string> Measurement::reason_without_times(const std::string& metric) const {
  for (const auto& [strategy, failure] : failures)
    if (metric.ends_with("/" + strategy)) return fmt::format("{} failed: {}", strategy, failure);
  for (const auto& [strategy, reason] : unmeasured)
    if (metric.ends_with("/" + strategy)) return fmt::format("{}: {}", strategy, reason);
  return std::nullopt;
}

Measurement measurement_of(const RunResult& result, const std::string& file) {
  Measurement measurement{.file = file,
                          .date = result.date,
                          .conditions = {{"model", result.model},
                                         {"backend", result.backend},
                                         {"batch", std::to_string(result.batch)},
                                         {"ranks", std::to_string(result.ranks)},
                                         {"threads", std::to_string(result.threads)},
                                         {"interconnect", interconnect(result.emulated)}},
                          .environment = result.environment,
                          .metrics = metrics_of(result),
                          .failures = {}};
  measurement.environment["run.communicator"] = result.communicator;
  for (const StrategyResult& strategy : result.strategies)
    if (!strategy.failure.empty()) measurement.failures[strategy.strategy] = strategy.failure;
  measurement.unmeasured = unmeasured_strategies(result);
  for (const StrategyResult& strategy : result.strategies)
    if (const auto found = measurement.unmeasured.find(strategy.strategy); found != measurement.unmeasured.end())
      for (const std::string& name : strategy.same) measurement.unmeasured[name] = found->second;
  return measurement;
}

Measurement measurement_of(const Calibration& calibration, const std::string& file) {
  Measurement measurement{.file = file,
                          .date = "",
                          .conditions = {{"ranks", std::to_string(calibration.ranks)},
                                         {"interconnect", interconnect(calibration.emulated)}},
                          .environment = {},
                          .metrics = metrics_of(calibration),
                          .failures = {}};
  for (const auto& [key, value] : calibration.provenance)
    (key == "date" ? measurement.date : measurement.environment["calibration." + key]) = value;
  return measurement;
}

Measurement measurement_of(const PairMatrix& pairs, const std::string& file) {
  return {.file = file,
          .date = "",
          .conditions = {{"nodes", std::to_string(pairs.nodes.size())}, {"interconnect", interconnect("")}},
          .environment = {},
          .metrics = metrics_of(pairs),
          .failures = {}};
}

Measurement measurement_from_text(const std::string& text, const std::string& file) {
  if (file.ends_with(".yaml") || file.ends_with(".yml")) return measurement_of(calibration_from_yaml(text, file), file);
  const Document document = parse_json(text, file);
  const Value root = document.root();
  if (root.find("pairs")) return measurement_of(read_pairs(root), file);
  const RunResult result = read_run_result(root);
  require(result.finished(), "{}: an unfinished run, expected one that came to its end ({})", file, result.ended);
  return measurement_of(result, file);
}

}  // namespace mgbench
