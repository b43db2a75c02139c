#include <fmt/format.h>

#include "report/calibration.h"
#include "report/forms.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

constexpr std::size_t kFewestPoints = 3;  // what a line with intervals takes

std::string yaml_form(const CalibrationPoint& point) {
  const std::string interval =
      point.interval ? fmt::format("interval_seconds: [{}, {}], ", point.interval->low, point.interval->high) : "";
  return fmt::format("      - {{bytes: {}, seconds: {}, {}samples: {}}}\n", point.bytes, point.seconds, interval,
                     point.samples);
}

std::string yaml_form(const CalibrationCurve& curve) {
  std::string text =
      fmt::format("  - name: {}\n    communicator: {}\n", yaml_scalar(curve.name), yaml_scalar(curve.communicator));
  const LineFit& fit = curve.fit;
  text += fmt::format("    # fitted line: {:.4g} s + {:.4g} s/B; residuals up to {:.1f} %, held out {:.1f} %\n",
                      fit.line.a, fit.line.b, 100 * fit.largest_residual, 100 * fit.held_out_residual);
  if (curve.calls > 0) text += fmt::format("    calls: {}\n    spikes: {}\n", curve.calls, curve.spikes);
  text += "    points:\n";
  for (const CalibrationPoint& point : curve.points) text += yaml_form(point);
  return text;
}

Json json_form(const LineFit& fit) {
  return {{"a_seconds", fit.line.a},
          {"a_interval_seconds", json_form(fit.a_interval)},
          {"b_seconds_per_byte", fit.line.b},
          {"b_interval_seconds_per_byte", json_form(fit.b_interval)},
          {"largest_residual", fit.largest_residual},
          {"held_out_residual", fit.held_out_residual},
          {"smallest_bytes", fit.smallest},
          {"largest_bytes", fit.largest}};
}

Json json_form(const CalibrationCurve& curve) {
  Json points = Json::array();
  for (const CalibrationPoint& point : curve.points)
    points.push_back({{"bytes", point.bytes},
                      {"seconds", point.seconds},
                      {"interval_seconds", point.interval ? json_form(*point.interval) : Json()},
                      {"samples", point.samples}});
  return {{"name", curve.name},     {"communicator", curve.communicator}, {"calls", curve.calls},
          {"spikes", curve.spikes}, {"fit", json_form(curve.fit)},        {"points", std::move(points)}};
}

CalibrationPoint read_point(const Value& value, Bytes previous) {
  value.fields({"bytes", "seconds", "samples"}, {"interval_seconds"});
  CalibrationPoint point;
  point.bytes = value.at("bytes").bytes();
  if (point.bytes <= previous)
    value.at("bytes").wrong("{} follows {}, expected increasing sizes", point.bytes, previous);
  point.seconds = value.at("seconds").number(1e-12, 1e9);  // the fit divides by squares
  if (const auto interval = value.find("interval_seconds")) point.interval = read_interval(*interval);
  point.samples = value.at("samples").integer<std::size_t>(1, 1'000'000'000);
  return point;
}

CalibrationCurve read_curve(const Value& value) {
  value.fields({"name", "communicator", "points"}, {"fit", "calls", "spikes"});
  CalibrationCurve curve;
  curve.name = value.at("name").text();
  curve.communicator = value.at("communicator").text();
  constexpr std::size_t kMostCalls = 1'000'000'000'000;
  if (const auto calls = value.find("calls")) curve.calls = calls->integer<std::size_t>(0, kMostCalls);
  if (const auto spikes = value.find("spikes")) curve.spikes = spikes->integer<std::size_t>(0, kMostCalls);
  Bytes previous = 0;
  for (const Value& point : value.at("points").items()) {
    curve.points.push_back(read_point(point, previous));
    previous = curve.points.back().bytes;
  }
  if (curve.points.size() < kFewestPoints)
    value.at("points").wrong("{} points, expected at least {}", curve.points.size(), kFewestPoints);
  if (curve.points.size() > kMostSizes)
    value.at("points").wrong("{} points, expected at most {}", curve.points.size(), kMostSizes);
  curve.fit_points();
  return curve;
}

}  // namespace

std::string to_yaml(const Calibration& calibration) {
  std::string text = fmt::format(
      "# A calibration of mgbench: what one allreduce costs on this interconnect at this number of "
      "ranks.\n"
      "# `library`: the call from the main thread. `engine`: from submission to noticed completion, in the "
      "background,\n"
      "# which is what plans are made with where it is there. Seconds are medians over calls of the slowest rank's "
      "time, with\n"
      "# 95 % intervals; of an imported log what `provenance` says. The lines are comments: reading fits them again "
      "from\n"
      "# the points.\n"
      "schema: {}\nranks: {}\nlibrary: {}\n",
      Calibration::kSchema, calibration.ranks, yaml_scalar(calibration.library));
  if (!calibration.emulated.empty())
    text +=
        fmt::format("emulated: {}  # not a measurement of a real interconnect\n", yaml_scalar(calibration.emulated));
  if (calibration.left_out_above > 0)
    text += fmt::format("left_out_above_bytes: {}  # larger messages did not fit the time budget\n",
                        calibration.left_out_above);
  if (!calibration.provenance.empty()) text += "provenance:\n";
  for (const auto& [key, value] : calibration.provenance)
    text += fmt::format("  {}: {}\n", yaml_scalar(key), yaml_scalar(value));
  text += "curves:\n";
  for (const CalibrationCurve& curve : calibration.curves) text += yaml_form(curve);
  return text;
}

Json json_form(const Calibration& calibration) {
  Json curves = Json::array();
  for (const CalibrationCurve& curve : calibration.curves) curves.push_back(json_form(curve));
  return {{"schema", Calibration::kSchema},
          {"ranks", calibration.ranks},
          {"library", calibration.library},
          {"emulated", calibration.emulated},
          {"left_out_above_bytes", calibration.left_out_above},
          {"provenance", calibration.provenance},
          {"curves", std::move(curves)}};
}

Calibration read_calibration(const Value& value) {
  value.require_schema(Calibration::kSchema);
  value.fields({"schema", "ranks", "curves"}, {"library", "emulated", "left_out_above_bytes", "provenance"});
  Calibration calibration;
  calibration.ranks = value.at("ranks").integer<int>(1, 1'000'000);
  if (const auto library = value.find("library")) calibration.library = library->text();
  if (const auto emulated = value.find("emulated")) calibration.emulated = emulated->text();
  if (const auto above = value.find("left_out_above_bytes"))
    calibration.left_out_above = above->integer<Bytes>(0, Bytes{1} << 40);
  if (const auto provenance = value.find("provenance"))
    for (const auto& [key, entry] : provenance->entries()) calibration.provenance[key] = entry.text();
  const std::vector<Value> curves = value.at("curves").items();
  if (curves.size() > kMostCurves)
    value.at("curves").wrong("{} curves, expected at most {}", curves.size(), kMostCurves);
  for (const Value& curve : curves) calibration.curves.push_back(read_curve(curve));
  if (calibration.curves.empty()) value.at("curves").wrong("an empty list, expected at least one curve");
  try {
    calibration.planning_curve();
  } catch (const Error& error) {
    value.at("curves").wrong("{}", error.what());
  }
  return calibration;
}

Calibration calibration_from_yaml(const std::string& text, const std::string& file) {
  const Document document = parse_yaml(text, file);
  return read_calibration(document.root());
}

}  // namespace mgbench
