#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/history.h"
#include "report/json.h"
#include "report/markdown_text.h"

namespace mgbench {
namespace {

/// "resnet50 on onednn, 2 ranks x 1 threads, batch 4, the real interconnect, 12 runs from DATE to DATE"
std::string heading(const History& history) {
  std::vector<std::string> words;
  for (const auto& [key, value] : history.runs.front()->conditions) words.push_back(fmt::format("{} {}", key, value));
  return fmt::format("{}: {} {} from {} to {}", fmt::join(words, ", "), history.runs.size(),
                     history.runs.size() == 1 ? "run" : "runs", history.runs.front()->date, history.runs.back()->date);
}

std::string how(const MetricHistory& metric) {
  if (metric.seconds.size() < kLeastHistory) return fmt::format("fewer than {} runs", kLeastHistory);
  if (!metric.change) return "-";
  if (metric.change->kind == Change::Kind::trend) return "trend over all runs";
  const Measurement& run = *metric.runs[metric.change->at];
  return fmt::format("step at {} ({})", run.date, run.file);
}

/// What the table of changes comes to.
std::string conclusion(const History& history) {
  const auto changed = std::count_if(history.metrics.begin(), history.metrics.end(),
                                     [](const MetricHistory& metric) { return metric.change.has_value(); });
  const auto long_enough =
      std::count_if(history.metrics.begin(), history.metrics.end(),
                    [](const MetricHistory& metric) { return metric.seconds.size() >= kLeastHistory; });
  if (long_enough == 0) return fmt::format("Nothing can be said yet: a change takes {} runs.", kLeastHistory);
  if (changed == 0) return "No change was found.";
  return fmt::format("Changed: {} of {}.", changed, history.metrics.size());
}

Table table_of(const History& history) {
  Table table({{"metric", "", Table::Align::left},
               {"runs", ""},
               {"first", ""},
               {"last", ""},
               {"change", ""},
               {"how", "", Table::Align::left}});
  for (const MetricHistory& metric : history.metrics)
    table.add({metric.name, std::to_string(metric.seconds.size()),
               format_quantity(metric.seconds.front(), Quantity::seconds),
               format_quantity(metric.seconds.back(), Quantity::seconds),
               metric.change ? signed_percent(metric.change->ratio - 1) + " %" : "-", how(metric)});
  return table;
}

Json form_of(const MetricHistory& metric) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < metric.runs.size(); ++i)
    runs.push_back({{"date", metric.runs[i]->date}, {"file", metric.runs[i]->file}, {"seconds", metric.seconds[i]}});
  Json change;
  if (metric.change) {
    change["kind"] = metric.change->kind == Change::Kind::step ? "step" : "trend";
    change["ratio"] = metric.change->ratio;
    if (metric.change->kind == Change::Kind::step) change["date"] = metric.runs[metric.change->at]->date;
    if (metric.change->kind == Change::Kind::step) change["file"] = metric.runs[metric.change->at]->file;
  }
  return {{"metric", metric.name}, {"change", std::move(change)}, {"runs", std::move(runs)}};
}

}  // namespace

std::string format_histories(const std::vector<History>& histories, std::size_t width) {
  std::string text;
  for (const History& history : histories)
    text += (text.empty() ? "" : "\n") + wrap(heading(history), width, 2) + "\n" + table_of(history).text(width) +
            "\n" + wrap(conclusion(history), width, 2);
  return text;
}

std::string histories_to_markdown(const std::vector<History>& histories) {
  std::string text;
  for (const History& history : histories)
    text += (text.empty() ? "**" : "\n**") + markdown_text(heading(history)) + "**\n\n" + table_of(history).markdown() +
            "\n" + conclusion(history) + "\n";
  return text;
}

std::string histories_to_json(const std::vector<History>& histories) {
  Json list = Json::array();
  for (const History& history : histories) {
    Json metrics = Json::array();
    for (const MetricHistory& metric : history.metrics) metrics.push_back(form_of(metric));
    list.push_back({{"conditions", history.runs.front()->conditions}, {"metrics", std::move(metrics)}});
  }
  return write_json(list);
}

}  // namespace mgbench
