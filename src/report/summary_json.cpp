#include "report/forms.h"
#include "report/summary.h"

namespace mgbench {
namespace {

Json interval_form(const std::optional<Interval>& interval) {
  return interval ? json_form(*interval) : Json();
}

/// What the measured iteration takes longer than predicted, and which part of it does.
Json parts_form(const std::optional<PredictionError>& error) {
  if (!error) return {};
  return {{"total", error->total},       {"computation", error->computation}, {"starting", error->starting},
          {"transfer", error->transfer}, {"waiting", error->waiting},         {"hidden", error->hidden},
          {"rest", error->rest}};
}

}  // namespace

Json summary_form(const RunResult& result) {
  Json rows = Json::array();
  for (const SummaryRow& row : summarize(result)) {
    const auto number = [&](double value) { return row.failure.empty() ? Json(value) : Json(); };
    const auto& speedup = row.mg_wfbp_speedup;
    rows.push_back({{"strategy", row.strategy},
                    {"same_plan", row.same},
                    {"model", result.model},
                    {"ranks", result.ranks},
                    {"batch", result.batch},
                    {"emulated", result.emulated},
                    {"failure", row.failure},
                    {"messages", row.messages},
                    {"samples", row.samples},
                    {"rounds", row.iteration.samples},
                    {"rejected_samples", row.rejected},
                    {"iteration_seconds", number(row.iteration.median)},
                    {"iteration_interval_seconds", interval_form(row.iteration.interval)},
                    {"forward_seconds", number(row.forward)},
                    {"backward_seconds", number(row.backward)},
                    {"overlap_cost_seconds", number(row.overlap_cost)},
                    {"exposed_seconds", number(row.exposed)},
                    {"images_per_second", number(row.throughput)},
                    {"mg_wfbp_speedup", speedup ? Json(speedup->median) : Json()},
                    {"mg_wfbp_speedup_interval", speedup ? interval_form(speedup->interval) : Json()},
                    {"mg_wfbp_speedup_rounds", speedup ? speedup->samples : 0},
                    {"predicted_iteration_seconds", number(row.predicted)},
                    {"predicted_no_overlap_iteration_seconds", number(row.predicted_no_overlap)},
                    {"prediction_error", number(row.prediction_error)},
                    {"prediction_error_parts_seconds", row.failure.empty() ? parts_form(row.prediction_parts) : Json()},
                    {"efficiency", row.efficiency ? Json(*row.efficiency) : Json()}});
  }
  return rows;
}

std::string summary_to_json(const RunResult& result) {
  return write_json(summary_form(result));
}

}  // namespace mgbench
