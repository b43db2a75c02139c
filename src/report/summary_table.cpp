#include "report/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace mgbench {
namespace {

/// One column: its heading and its cell in each row.
struct SummaryColumn {
  Table::Column heading;
  std::function<std::string(const SummaryRow&)> cell;
};
using SummaryColumns = std::map<std::string, SummaryColumn>;

std::string percent(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

std::string interval_cell(const SummaryRow& row, const TimeScale& scale) {
  const auto& interval = row.iteration.interval;
  return interval ? fmt::format("[{}, {}]", scale(interval->low), scale(interval->high)) : "-";
}

std::string uncertainty_cell(const SummaryRow& row) {
  return row.iteration.interval ? percent(relative_uncertainty(row.iteration)) : "-";
}

/// Three decimals: two would show a certain 1.003 as [1.00, 1.01].
std::string speedup_cell(const SummaryRow& row) {
  if (!row.mg_wfbp_speedup) return "-";
  const MedianEstimate& ratio = *row.mg_wfbp_speedup;
  if (!ratio.interval)
    return fmt::format("{:.3f} ({} {})", ratio.median, ratio.samples, ratio.samples == 1 ? "round" : "rounds");
  if (not_distinguishable(ratio)) return "not distinguishable";
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.median, ratio.interval->low, ratio.interval->high);
}

SummaryColumns make_columns(const TimeScale& scale, int rate_decimals, bool emulated) {
  using Row = SummaryRow;
  using Align = Table::Align;
  const std::string& unit = scale.unit();
  const auto time = [&](Seconds Row::*field) { return [=](const Row& row) { return scale(row.*field); }; };
  return {
      {"strategy",
       {{"strategy", emulated ? "EMULATED" : "", Align::left}, [](const Row& row) { return row.strategy; }}},
      {"messages", {{"msgs", ""}, [](const Row& row) { return std::to_string(row.messages); }}},
      {"iteration", {{"iteration", unit}, [=](const Row& row) { return scale(row.iteration.median); }}},
      {"interval", {{"95 % interval", unit}, [=](const Row& row) { return interval_cell(row, scale); }}},
      {"uncertainty", {{"95 %", "+- %"}, uncertainty_cell}},
      {"throughput",
       {{"images/s", ""}, [=](const Row& row) { return fmt::format("{:.{}f}", row.throughput, rate_decimals); }}},
      {"speed-up", {{"speed-up", "of mg-wfbp", Align::left}, speedup_cell}},
      {"efficiency",
       {{"scaling", "eff. %"}, [](const Row& row) { return row.efficiency ? percent(*row.efficiency) : "-"; }}},
      {"forward", {{"forward", unit}, time(&Row::forward)}},
      {"backward", {{"backward", unit}, time(&Row::backward)}},
      {"overlap cost", {{"overlap", "cost " + unit}, time(&Row::overlap_cost)}},
      {"exposed", {{"exposed", "comm. " + unit}, time(&Row::exposed)}},
      {"predicted", {{"predicted", "iter. " + unit}, time(&Row::predicted)}},
      {"error", {{"error", "%"}, [](const Row& row) { return signed_percent(row.prediction_error); }}},
  };
}

/// A failed strategy has its reason in place of numbers; once, where there are several tables.
Table make_table(const SummaryColumns& columns, const std::vector<std::string>& names,
                 const std::vector<SummaryRow>& rows, bool with_failures = true) {
  std::vector<Table::Column> headings;
  for (const std::string& name : names) headings.push_back(columns.at(name).heading);
  Table table(headings);
  for (const SummaryRow& row : rows) {
    if (!row.failure.empty()) {
      if (with_failures) table.add_note(row.strategy, "FAILED: " + row.failure);
      continue;
    }
    std::vector<std::string> cells;
    for (const std::string& name : names) cells.push_back(columns.at(name).cell(row));
    table.add(std::move(cells));
  }
  return table;
}

/// Least value of the rows that have times; infinite without any.
template <typename Function>
double least(const std::vector<SummaryRow>& rows, Function value) {
  double result = std::numeric_limits<double>::infinity();
  for (const SummaryRow& row : rows)
    if (row.failure.empty()) result = std::min(result, value(row));
  return result;
}

SummaryColumns columns_for(const std::vector<SummaryRow>& rows, bool emulated) {
  const Seconds iteration = least(rows, [](const SummaryRow& row) { return row.iteration.median; });
  const double throughput = least(rows, [](const SummaryRow& row) { return row.throughput; });
  return make_columns(TimeScale(iteration), decimals_for(throughput), emulated);
}

}  // namespace

Table summary_table(const std::vector<SummaryRow>& rows, bool emulated) {
  return make_table(columns_for(rows, emulated),
                    {"strategy", "messages", "iteration", "interval", "forward", "backward", "overlap cost", "exposed",
                     "predicted", "error", "throughput", "efficiency", "speed-up"},
                    rows);
}

std::string format_summary_table(const std::vector<SummaryRow>& rows, bool emulated, std::size_t width) {
  const Table everything = summary_table(rows, emulated);
  if (everything.width() <= width) return everything.text(width);

  const SummaryColumns columns = columns_for(rows, emulated);
  const auto answers = [&](const std::string& interval) {
    return make_table(columns, {"strategy", "messages", "iteration", interval, "throughput", "efficiency", "speed-up"},
                      rows);
  };
  const Table wide = answers("interval");
  const Table narrow = answers("uncertainty");
  const Table components = make_table(
      columns, {"strategy", "forward", "backward", "overlap cost", "exposed", "predicted", "error"}, rows, false);
  return (wide.width() <= width ? wide : narrow).text(width) + "\nWhere the time goes, and what was predicted:\n" +
         components.text(width);
}

}  // namespace mgbench
