#include "report/calibration.h"

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
  regimes = fit_pieces(curve());
}

const CalibrationCurve& Calibration::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const CalibrationCurve& curve : curves) {
    if (curve.name == name) return curve;
    names.push_back(curve.name);
  }
  fail(ExitCode::bad_input, "the calibration has no curve '{}'{}", name, suggestion(name, names));
}

PlanningChoice Calibration::planning_choice() const {
  const CalibrationCurve& engine = find("engine");
  return choose_planning_cost(engine.fit, engine.regimes);
}

CostModel Calibration::planning_cost() const {
  const CalibrationCurve& engine = find("engine");
  switch (planning_choice().form) {
    case CostModel::Form::line:
      return CostModel(engine.fit.line);
    case CostModel::Form::pieces:
      return CostModel(engine.regimes.pieces, engine.fit.line);
    case CostModel::Form::curve:
      break;
  }
  return CostModel(engine.curve(), engine.fit.line);
}

void require_ranks(const Calibration& calibration, const std::string& file, int ranks) {
  require(calibration.ranks == ranks,
          "{}: a calibration of {} ranks does not tell what {} cost; measure them: mgbench calibrate -n {}", file,
          calibration.ranks, ranks, ranks);
}

}  // namespace mgbench
