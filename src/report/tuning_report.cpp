#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/forms.h"
#include "report/run_notes.h"
#include "report/summary_table.h"
#include "report/tuning.h"

namespace mgbench {
namespace {

/// Whose gain people ask for.
const std::vector<std::string> kReferences = {"wfbp", "synceasgd", "ddp", "horovod"};

std::string interval_cell(const MedianEstimate& estimate, const TimeScale& scale) {
  return estimate.interval ? fmt::format("[{}, {}]", scale(estimate.interval->low), scale(estimate.interval->high))
                           : "-";
}

std::string ratio_cell(const TuningRow& row) {
  if (!row.against_chosen) return "-";
  const MedianEstimate& ratio = *row.against_chosen;
  if (!ratio.interval) return fmt::format("{:.3f}", ratio.median);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.median, ratio.interval->low, ratio.interval->high);
}

/// What became of a candidate, and which others were one with it.
std::string outcome(const Tuning& tuning, const TuningRow& row) {
  std::string text = "stayed to the end";
  if (&row == &tuning.rows[*tuning.chosen]) text = "chosen";
  if (row.dropped) text = fmt::format("dropped after {} rounds: slower than {}", row.dropped->rounds, row.dropped->by);
  if (!row.same.empty()) text += fmt::format("; the same plan: {}", fmt::join(row.same, ", "));
  return text;
}

Table make_table(const Tuning& tuning) {
  const TimeScale scale(tuning.rows[*tuning.chosen].iteration.median);
  Table table({{"candidate", "", Table::Align::left},
               {"msgs", ""},
               {"iteration", scale.unit()},
               {"95 % interval", scale.unit()},
               {"rounds", ""},
               {"predicted", scale.unit()},
               {"times the", "chosen one's", Table::Align::left}});
  for (const TuningRow& row : tuning.rows) {
    if (!row.failure.empty())
      table.add_note(row.name, "FAILED: " + row.failure);
    else
      table.add({row.name, std::to_string(row.messages), scale(row.iteration.median),
                 interval_cell(row.iteration, scale), std::to_string(row.iteration.samples), scale(row.predicted),
                 ratio_cell(row)});
  }
  return table;
}

/// Who left the race when, and which plans are one.
Table make_outcomes(const Tuning& tuning) {
  Table table({{"candidate", "", Table::Align::left}, {"outcome", "", Table::Align::left}});
  for (const TuningRow& row : tuning.rows)
    if (row.failure.empty()) table.add_note(row.name, outcome(tuning, row));
  return table;
}

std::string gain(const TuningRow& chosen, const std::string& name, const TuningRow& row) {
  if (&row == &chosen) return fmt::format("the plan of {}", name);
  if (!row.against_chosen) return fmt::format("not comparable with {} (no common rounds)", name);
  const MedianEstimate& ratio = *row.against_chosen;
  if (!ratio.interval)
    return fmt::format("{:.3f} times as fast as {} ({} {}, no interval)", ratio.median, name, ratio.samples,
                       ratio.samples == 1 ? "round" : "rounds");
  const std::string interval = fmt::format("{:.3f} to {:.3f}", ratio.interval->low, ratio.interval->high);
  if (not_distinguishable(ratio)) return fmt::format("not distinguishable from {} ({})", name, interval);
  return fmt::format("{:.3f} times as fast as {} ({})", ratio.median, name, interval);
}

std::string choice_sentence(const Tuning& tuning) {
  const TuningRow& chosen = tuning.rows[*tuning.chosen];
  std::string text =
      fmt::format("Chosen: {}, {} {}", chosen.name, chosen.messages, chosen.messages == 1 ? "message" : "messages");
  if (!chosen.fixed) return text + fmt::format(" ({}).", chosen.origin);
  const TuningRow& leader = tuning.rows[*tuning.leader];
  if (!chosen.iteration.interval)
    return text + fmt::format(
                      ", the least median of the fixed strategies after {} {}. Six are needed for an interval: "
                      "NOTHING IS CERTAIN YET, give it a longer --budget.",
                      chosen.iteration.samples, chosen.iteration.samples == 1 ? "round" : "rounds");
  if (&leader == &chosen) return text + ", which has the least median of all.";
  return text +
         fmt::format(", the best fixed strategy: {} has the least median and is not measurably faster.", leader.name);
}

std::string gains_sentence(const Tuning& tuning) {
  const TuningRow& chosen = tuning.rows[*tuning.chosen];
  std::vector<std::string> clauses;
  for (const std::string& name : kReferences)
    if (const TuningRow* row = tuning.find(name); row != nullptr && row->failure.empty())
      clauses.push_back(gain(chosen, name, *row));
  return clauses.empty() ? "" : fmt::format("It is {}; in brackets 95 % intervals.", fmt::join(clauses, ", "));
}

Json estimate_form(const std::optional<MedianEstimate>& ratio) {
  if (!ratio) return {};
  return {{"ratio", ratio->median},
          {"interval", ratio->interval ? json_form(*ratio->interval) : Json()},
          {"rounds", ratio->samples},
          {"distinguishable", !not_distinguishable(*ratio)}};
}

}  // namespace

std::string format_tuning(const RunResult& result, const Tuning& tuning, const SavedPlan& saved, std::size_t width) {
  std::string text = wrap(run_title(result), width, 2) + '\n';
  if (!tuning.chosen) {
    for (const TuningRow& row : tuning.rows)
      text += wrap(fmt::format("{} FAILED: {}", row.name, row.failure), width, 2);
    return text;
  }
  text += make_table(tuning).text(width) + '\n' + make_outcomes(tuning).text(width) + '\n';
  std::vector<std::string> sentences{choice_sentence(tuning), gains_sentence(tuning),
                                     fmt::format("Ended: {}.", result.ended)};
  if (!result.planning_cost.empty()) sentences.push_back("Planned with: " + result.planning_cost);
  if (const std::string times = stage_sentence(result); !times.empty()) sentences.push_back(times);
  for (const std::string& note : run_notes(result)) sentences.push_back(note);
  for (const std::string& sentence : sentences)
    if (!sentence.empty()) text += wrap(sentence, width, 2);
  // Never wrapped: they are there to be copied.
  text += fmt::format("Plan: {}\nRun it: {}\nReproduce: {}\n", saved.file, saved.command, result.command);
  return text;
}

std::string tuning_to_json(const RunResult& result, const Tuning& tuning, const SavedPlan& saved) {
  const auto name = [&](const std::optional<std::size_t>& row) { return row ? Json(tuning.rows[*row].name) : Json(); };
  Json candidates = Json::array();
  for (const TuningRow& row : tuning.rows) {
    const bool timed = row.failure.empty();
    Json dropped;
    if (row.dropped) dropped = {{"rounds", row.dropped->rounds}, {"by", row.dropped->by}};
    candidates.push_back(
        {{"name", row.name},
         {"strategy", row.fixed},
         {"origin", row.origin},
         {"same_plan", row.same},
         {"failure", row.failure},
         {"messages", row.messages},
         {"rounds", row.iteration.samples},
         {"iteration_seconds", timed ? Json(row.iteration.median) : Json()},
         {"iteration_interval_seconds", timed && row.iteration.interval ? json_form(*row.iteration.interval) : Json()},
         {"predicted_iteration_seconds", row.predicted},
         {"against_chosen", estimate_form(row.against_chosen)},
         {"dropped", std::move(dropped)}});
  }
  return write_json({{"model", result.model},
                     {"ranks", result.ranks},
                     {"batch", result.batch},
                     {"emulated", result.emulated},
                     {"ended", result.ended},
                     {"chosen", name(tuning.chosen)},
                     {"leader", name(tuning.leader)},
                     {"best_fixed", name(tuning.best_fixed)},
                     {"plan_file", saved.file},
                     {"run_command", saved.command},
                     {"candidates", std::move(candidates)},
                     {"summary", summary_form(result)}});
}

}  // namespace mgbench
