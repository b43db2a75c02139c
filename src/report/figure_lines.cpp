#include "report/figure_lines.h"

#include <fmt/format.h>

#include "planner/strategy.h"
#include "report/summary.h"

namespace mgbench {
namespace {

constexpr std::size_t kFewStrategies = 3;  // more make a block that people must scroll over

void add_row(std::vector<Figure>& figures, const SummaryRow& row, const std::string& name, bool in_detail) {
  figures.push_back({"iteration/" + name, row.iteration.median, "s"});
  if (in_detail && row.iteration.interval) {
    figures.push_back({"iteration/" + name + "/low", row.iteration.interval->low, "s"});
    figures.push_back({"iteration/" + name + "/high", row.iteration.interval->high, "s"});
  }
  if (row.efficiency) figures.push_back({"efficiency/" + name, 100 * *row.efficiency, "%"});
  if (in_detail) figures.push_back({"error/" + name, 100 * row.prediction_error, "%"});
}

void add_machine(std::vector<Figure>& figures, const RunResult& result) {
  if (result.computation && !result.computation->slowest.empty() && result.computation->typical > 0)
    figures.push_back(
        {"rank_spread", result.computation->slowest.front().seconds / result.computation->typical, "ratio"});
  if (result.calibration.curves.empty()) return;
  const CalibrationCurve& curve = result.calibration.planning_curve();
  figures.push_back({"latency", curve.fit.line.a, "s"});
  if (result.calibration.ranks == 1) return;  // sends nothing
  const CalibrationPoint& largest = curve.points.back();
  figures.push_back(
      {"bus_bandwidth", bus_bandwidth(result.calibration.ranks, largest.bytes, largest.seconds) / 1e9, "GB/s"});
}

}  // namespace

std::vector<Figure> run_figures(const RunResult& result) {
  std::vector<Figure> figures;
  const std::vector<SummaryRow> rows = summarize(result);
  for (const SummaryRow& row : rows) {
    if (!row.failure.empty()) continue;
    add_row(figures, row, row.strategy, rows.size() <= kFewStrategies);
    for (const std::string& name : row.same) add_row(figures, row, name, rows.size() <= kFewStrategies);
  }
  add_machine(figures, result);
  return figures;
}

std::vector<Figure> tuning_figures(const RunResult& result, const Tuning& tuning) {
  std::vector<Figure> figures;
  if (tuning.chosen) figures.push_back({"iteration/tuned", tuning.rows[*tuning.chosen].iteration.median, "s"});
  for (const std::string& name : strategies().names())
    if (const TuningRow* row = tuning.find(name); row != nullptr && row->failure.empty())
      figures.push_back({"iteration/" + name, row->iteration.median, "s"});
  add_machine(figures, result);
  return figures;
}

std::string format_figures(const std::vector<Figure>& figures) {
  if (figures.empty()) return "";
  std::string text = "Figures for scripts (key: value unit):\n";
  for (const Figure& figure : figures) text += fmt::format("{}: {:.6g} {}\n", figure.key, figure.value, figure.unit);
  return text;
}

}  // namespace mgbench
