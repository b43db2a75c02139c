#include "report/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "report/forms.h"
#include "report/profile_report.h"
#include "report/tensor_groups.h"

namespace mgbench {
namespace {

constexpr std::size_t kMostSizes = 16;

/// "3 groups: 2.0 MiB, 27.5 MiB, 15.1 MiB"
std::string sizes(const std::vector<std::vector<Tensor>>& groups) {
  std::string text = fmt::format("{} {}:", groups.size(), groups.size() == 1 ? "group" : "groups");
  for (std::size_t g = 0; g < std::min(groups.size(), kMostSizes); ++g)
    text += fmt::format("{} {}", g == 0 ? "" : ",", format_bytes(total_bytes(groups[g])));
  if (groups.size() > kMostSizes) text += fmt::format(" and {} more", groups.size() - kMostSizes);
  return text;
}

const char* form_name(CostModel::Form form) {
  switch (form) {
    case CostModel::Form::line:
      return "line";
    case CostModel::Form::regimes:
      return "pieces";  // regimes: the JSON keeps its first word
    case CostModel::Form::curve:
      break;
  }
  return "curve";
}

}  // namespace

std::string describe(const CostModel& cost) {
  const Line& line = cost.line();
  std::string text = fmt::format("T(m) = {} + m * {:.4g} ns/B", format_seconds(line.a), line.b * 1e9);
  if (cost.form() == CostModel::Form::curve)
    text = fmt::format("measured curve up to {}, extrapolated beyond (its line: {})",
                       format_bytes(cost.regimes().back().from), text);
  if (cost.form() == CostModel::Form::regimes)
    text = fmt::format("lines in {} regimes (as one line: {})", cost.regimes().size(), text);
  const Overlap& overlap = cost.overlap();
  if (!overlap.none())
    text += fmt::format(
        "; a message takes {:.0f} % of its time from the compute core, {} for each, lasts {:.2f} times "
        "as long while computation runs, and is seen to have ended {} late",
        100 * overlap.core_share, format_seconds(overlap.message_cpu), overlap.stretch, format_seconds(overlap.notice));
  return text;
}

namespace {

std::string split_sentence(const SplitPlan& split) {
  if (split.part == 0) return "Splitting tensors would gain nothing: whole ones are within 0.1 %.";
  return fmt::format(
      "With tensors split into parts of at most {} the exact plan would take {} in {} messages, {:.1f} % less.",
      format_bytes(split.part), format_seconds(split.iteration), split.messages,
      100 * (1 - split.iteration / split.whole_iteration));
}

Json json_form(const SplitPlan& split) {
  return {{"part_bytes", split.part},
          {"messages", split.messages},
          {"predicted_iteration_seconds", split.iteration},
          {"whole_predicted_iteration_seconds", split.whole_iteration}};
}

}  // namespace

std::string format_plans(const Profile& profile, const CostModel& cost, const std::vector<PlannedStrategy>& plans,
                         const std::optional<SplitPlan>& split, std::size_t width) {
  std::string text =
      wrap(fmt::format("{} on {}{}: forward {}, backward {}, update {}; {} tensors, {}", profile.model, profile.backend,
                       batch_phrase(profile), format_seconds(profile.forward()), format_seconds(profile.backward()),
                       format_seconds(profile.update), ready_tensors(profile).size(), format_bytes(profile.bytes())),
           width, 2);
  text += wrap("Cost of a message: " + describe(cost), width, 2) + '\n';

  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (const PlannedStrategy& planned : plans) least = std::min(least, planned.timeline.iteration);
  const TimeScale scale(least);
  Table table({{"strategy", "", Table::Align::left},
               {"messages", ""},
               {"predicted", "iter. " + scale.unit()},
               {"exposed", "comm. " + scale.unit()},
               {"against", "best, %"}});
  Table groups({{"strategy", "", Table::Align::left}, {"messages in the order sent", "", Table::Align::left}});
  for (const PlannedStrategy& planned : plans) {
    table.add({planned.strategy, std::to_string(planned.plan.groups()), scale(planned.timeline.iteration),
               scale(planned.timeline.exposed()), signed_percent(planned.timeline.iteration / least - 1)});
    groups.add_note(planned.strategy, sizes(tensor_groups(profile, planned.plan)));
  }
  text += table.text(width) + '\n' + groups.text(width);
  if (split) text += '\n' + wrap(split_sentence(*split), width, 2);
  return text;
}

std::string plans_to_json(const Profile& profile, const CostModel& cost, const std::vector<PlannedStrategy>& plans,
                          const std::optional<SplitPlan>& split) {
  Json strategies = Json::array();
  for (const PlannedStrategy& planned : plans) {
    Json groups = Json::array();
    for (const std::vector<Tensor>& group : tensor_groups(profile, planned.plan)) {
      Json members = Json::array();
      for (const Tensor& tensor : group) members.push_back({{"name", tensor.name}, {"bytes", tensor.bytes}});
      groups.push_back({{"bytes", total_bytes(group)}, {"tensors", std::move(members)}});
    }
    strategies.push_back({{"strategy", planned.strategy},
                          {"messages", planned.plan.groups()},
                          {"predicted_iteration_seconds", planned.timeline.iteration},
                          {"predicted_exposed_seconds", planned.timeline.exposed()},
                          {"groups", std::move(groups)}});
  }
  return write_json({{"model", profile.model},
                     {"backend", profile.backend},
                     {"batch", profile.batch},
                     {"a_seconds", cost.line().a},
                     {"b_seconds_per_byte", cost.line().b},
                     {"planned_with", form_name(cost.form())},
                     {"split_tensors", split ? json_form(*split) : Json()},
                     {"strategies", std::move(strategies)}});
}

}  // namespace mgbench
