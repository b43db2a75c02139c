#include "report/figure_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "planner/strategy.h"
#include "report/metrics.h"
#include "report/summary.h"

namespace mgbench {
namespace {

using Metrics = std::vector<Metric>;

constexpr std::size_t kFewStrategies = 3;  // more make a block that people must scroll over

/// Nothing where there is no such metric. `scale`: one unit in what metrics count.
void add(std::vector<Figure>& figures, const Metrics& metrics, const std::string& name, const std::string& unit,
         double scale = 1, bool with_interval = false) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& each) { return each.name == name; });
  if (found == metrics.end()) return;
  figures.push_back({name, found->value.median / scale, unit});
  if (!with_interval || !found->value.interval) return;
  figures.push_back({name + "/low", found->value.interval->low / scale, unit});
  figures.push_back({name + "/high", found->value.interval->high / scale, unit});
}

void add_machine(std::vector<Figure>& figures, const Metrics& metrics) {
  add(figures, metrics, "rank_spread", "ratio");
  add(figures, metrics, "latency", "s");
  add(figures, metrics, "bus_bandwidth", "GB/s", 1e9);
}

}  // namespace

std::vector<Figure> run_figures(const RunResult& result) {
  const Metrics metrics = metrics_of(result);
  const std::vector<SummaryRow> rows = summarize(result);
  const bool in_detail = rows.size() <= kFewStrategies;
  std::vector<Figure> figures;
  for (const SummaryRow& row : rows) {
    std::vector<std::string> names{row.strategy};
    names.insert(names.end(), row.same.begin(), row.same.end());
    for (const std::string& name : names) {
      add(figures, metrics, "iteration/" + name, "s", 1, in_detail);
      add(figures, metrics, "efficiency/" + name, "%", 0.01);
      if (in_detail && row.failure.empty()) figures.push_back({"error/" + name, 100 * row.prediction_error, "%"});
    }
  }
  add_machine(figures, metrics);
  return figures;
}

std::vector<Figure> tuning_figures(const RunResult& result, const Tuning& tuning) {
  const Metrics metrics = metrics_of(result);
  std::vector<Figure> figures;
  if (tuning.chosen) figures.push_back({"iteration/tuned", tuning.rows[*tuning.chosen].iteration.median, "s"});
  for (const std::string& name : strategies().names()) add(figures, metrics, "iteration/" + name, "s");
  add_machine(figures, metrics);
  return figures;
}

std::string format_figures(const std::vector<Figure>& figures) {
  if (figures.empty()) return "";
  std::string text = "Figures for scripts (key: value unit):\n";
  for (const Figure& figure : figures)
    text += fmt::format("{}: {:.6g} {}\n", printable(figure.key), figure.value, figure.unit);
  return text;
}

}  // namespace mgbench
