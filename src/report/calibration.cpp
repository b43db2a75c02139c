#include "report/calibration.h"

#include <algorithm>

#include "base/error.h"
#include "base/names.h"

namespace mgbench {

double bus_bandwidth(int ranks, Bytes bytes, Seconds seconds) {
  return 2.0 * (ranks - 1) / ranks * algorithm_bandwidth(bytes, seconds);
}

double algorithm_bandwidth(Bytes bytes, Seconds seconds) {
  return static_cast<double>(bytes) / seconds;
}

Curve CalibrationCurve::curve() const {
  Curve curve;
  for (const CalibrationPoint& point : points) curve.push_back({point.bytes, point.seconds});
  return curve;
}

void CalibrationCurve::fit_points() {
  fit = fit_line(curve());
  regimes = fit_regimes(curve());
}

const CalibrationCurve& Calibration::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const CalibrationCurve& curve : curves) {
    if (curve.name == name) return curve;
    names.push_back(curve.name);
  }
  fail(ExitCode::bad_input, "the calibration has no curve '{}'{}", name, suggestion(name, names));
}

const CalibrationCurve& Calibration::planning_curve() const {
  const bool has_engine =
      std::any_of(curves.begin(), curves.end(), [](const CalibrationCurve& curve) { return curve.name == "engine"; });
  return find(has_engine ? "engine" : "library");
}

PlanningChoice Calibration::planning_choice() const {
  const CalibrationCurve& curve = planning_curve();
  return choose_planning_cost(curve.fit, curve.regimes);
}

CostModel Calibration::planning_cost() const {
  const CalibrationCurve& curve = planning_curve();
  switch (planning_choice().form) {
    case CostModel::Form::line:
      return CostModel(curve.fit.line);
    case CostModel::Form::regimes:
      return CostModel(curve.regimes.regimes, curve.fit.line);
    case CostModel::Form::curve:
      break;
  }
  return CostModel(curve.curve(), curve.fit.line);
}

void require_ranks(const Calibration& calibration, const std::string& file, int ranks) {
  require(calibration.ranks == ranks,
          "{}: a calibration of {} ranks does not tell what {} cost; measure them: mgbench calibrate -n {}", file,
          calibration.ranks, ranks, ranks);
}

}  // namespace mgbench
