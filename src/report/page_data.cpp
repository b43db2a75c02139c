#include "report/page_data.h"

#include "report/forms.h"
#include "report/scaling.h"
#include "report/summary.h"
#include "report/summary_table.h"
#include "report/timeline_lanes.h"

namespace mgbench {
namespace {

constexpr std::size_t kDrawnSamples = 2000;

/// [round, position, seconds, rejected]
Json drawn_samples(const std::vector<Sample>& samples, std::size_t stride) {
  Json drawn = Json::array();
  for (std::size_t i = 0; i < samples.size(); i += stride)
    drawn.push_back(Json::array(
        {samples[i].round, samples[i].position, samples[i].iteration, static_cast<int>(samples[i].rejected)}));
  return drawn;
}

/// Null for one that was not measured.
Json timeline_form(const Timeline& timeline) {
  Json computation = Json::array();
  for (const LaneBar& bar : computation_lane(timeline))
    computation.push_back(Json::array({bar.name, bar.begin, bar.end}));
  if (computation.empty()) return {};
  Json messages = Json::array();
  for (const MessageTimes& times : timeline.messages)
    messages.push_back(Json::array({times.ready, times.start, times.end}));
  return {
      {"iteration", timeline.iteration}, {"computation", std::move(computation)}, {"messages", std::move(messages)}};
}

Json strategy_form(const StrategyResult& strategy) {
  const std::size_t stride = (strategy.samples.size() + kDrawnSamples - 1) / kDrawnSamples;
  const MedianEstimate iteration = strategy.iteration();
  return {{"strategy", strategy.strategy},
          {"group_ends", strategy.group_ends},
          {"iteration", iteration.samples > 0 ? json_form(iteration) : Json()},
          {"stride", stride},
          {"samples", drawn_samples(strategy.samples, stride)},
          {"predicted", timeline_form(strategy.predicted)},
          {"measured", timeline_form(strategy.measured)},
          {"arrival", strategy.arrival ? json_form(*strategy.arrival) : Json()}};
}

/// [name, bytes, ready seconds], in ready order.
Json tensors_form(const Profile& profile) {
  const std::vector<ReadyTensor> ready = ready_tensors(profile);
  Json tensors = Json::array();
  for (auto step = profile.steps.rbegin(); step != profile.steps.rend(); ++step)
    for (const Tensor& tensor : step->tensors)
      tensors.push_back(Json::array({tensor.name, tensor.bytes, ready[tensors.size()].ready}));
  return tensors;
}

Json curve_form(const CalibrationCurve& curve, bool planned) {
  Json points = Json::array();
  for (const CalibrationPoint& point : curve.points)
    points.push_back(
        Json::array({point.bytes, point.seconds, point.interval ? json_form(*point.interval) : Json(), point.samples}));
  Json regimes = Json::array();
  for (const Regime& regime : curve.regimes.regimes)
    regimes.push_back(Json::array({regime.from, regime.at, regime.slope}));
  return {{"name", curve.name},
          {"communicator", curve.communicator},
          {"planned", planned},
          {"points", std::move(points)},
          {"line", Json::array({curve.fit.line.a, curve.fit.line.b})},
          {"regimes", std::move(regimes)}};
}

/// Null for a run that planned for a known interconnect.
Json curves_form(const Calibration& calibration) {
  if (calibration.curves.empty()) return {};
  Json curves = Json::array();
  for (const CalibrationCurve& curve : calibration.curves)
    curves.push_back(curve_form(curve, &curve == &calibration.planning_curve()));
  return curves;
}

Json result_form(const std::string& file, const RunResult& result) {
  Json strategies = Json::array();
  for (const StrategyResult& strategy : result.strategies) strategies.push_back(strategy_form(strategy));
  return {{"file", file},
          {"title", run_title(result)},
          {"date", result.date},
          {"command", result.command},
          {"emulated", result.emulated},
          {"sentences", summary_sentences(result)},
          {"environment", result.environment},
          {"rows", summary_form(result)},
          {"strategies", std::move(strategies)},
          {"tensors", tensors_form(result.profile)},
          {"curves", curves_form(result.calibration)},
          {"rank_computation", result.computation ? json_form(*result.computation) : Json()}};
}

/// [ranks, seconds, interval]
Json points_form(const std::vector<ScalingPoint>& points) {
  Json form = Json::array();
  for (const ScalingPoint& point : points)
    form.push_back(Json::array({point.ranks, point.iteration, point.interval ? json_form(*point.interval) : Json()}));
  return form;
}

Json scaling_form(const Scaling& scaling) {
  Json curves = Json::array();
  for (const ScalingCurve& curve : scaling.curves)
    curves.push_back({{"strategy", curve.strategy},
                      {"measured", points_form(curve.measured)},
                      {"simulated", points_form(curve.simulated)}});
  return {{"title", scaling.title}, {"basis", scaling.basis}, {"curves", std::move(curves)}};
}

Json differences_form(const std::vector<NamedResult>& results) {
  Json differences = Json::array();
  for (const EnvironmentDifference& difference : environment_differences(results)) {
    Json values = Json::array();
    for (const auto& value : difference.values) values.push_back(value ? Json(*value) : Json());
    differences.push_back({{"name", difference.key}, {"values", std::move(values)}});
  }
  return differences;
}

}  // namespace

Json page_data(const std::vector<NamedResult>& results) {
  Json forms = Json::array();
  for (const auto& [file, result] : results) forms.push_back(result_form(file, result));
  Json scaling = Json::array();
  for (const Scaling& each : scalings(results)) scaling.push_back(scaling_form(each));
  return {{"results", std::move(forms)}, {"differences", differences_form(results)}, {"scaling", std::move(scaling)}};
}

}  // namespace mgbench
