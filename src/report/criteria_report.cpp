#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "report/criteria.h"
#include "report/forms.h"
#include "report/junit.h"
#include "report/markdown_text.h"

namespace mgbench {
namespace {

std::string bound_text(const Criterion& criterion) {
  return fmt::format("at {} {:.4g} {}", criterion.side == Criterion::Side::at_most ? "most" : "least", criterion.bound,
                     criterion.unit);
}

std::string name_of(Acceptance acceptance) {
  switch (acceptance) {
    case Acceptance::pass:
      return "PASS";
    case Acceptance::fail:
      return "FAIL";
    case Acceptance::not_measured:
      break;
  }
  return "NOT MEASURED";
}

std::string verdict_text(const Checked& checked) {
  std::string text = name_of(checked.acceptance);
  if (checked.uncertain()) text += ", interval crosses";
  return checked.criterion.required ? text : text + " (advisory)";
}

std::string measured_text(const Checked& checked) {
  if (checked.acceptance == Acceptance::not_measured) return "-";
  return fmt::format("{:.4g} {}", checked.value, checked.criterion.unit);
}

std::string interval_text(const Checked& checked) {
  return checked.interval ? fmt::format("[{:.4g}, {:.4g}]", checked.interval->low, checked.interval->high) : "-";
}

/// The criterion, and where it was measured in several files, in which.
std::string label_of(const Checked& checked, const std::vector<Checked>& all) {
  const auto namesakes = std::count_if(
      all.begin(), all.end(), [&](const Checked& other) { return other.criterion.name == checked.criterion.name; });
  return namesakes == 1 ? checked.criterion.name : checked.criterion.name + " in " + checked.file;
}

Table table_of(const std::vector<Checked>& checked) {
  Table table({{"criterion", "", Table::Align::left},
               {"bound", ""},
               {"measured", ""},
               {"95 % interval", ""},
               {"verdict", "", Table::Align::left}});
  for (const Checked& each : checked)
    table.add({label_of(each, checked), bound_text(each.criterion), measured_text(each), interval_text(each),
               verdict_text(each)});
  return table;
}

/// What the table does not show: reasons, failed bounds' sources, which files, and that an interconnect was emulated.
std::vector<std::string> sentences(const std::vector<Checked>& checked) {
  std::vector<std::string> result;
  std::set<std::string> files, failed;
  for (const Checked& each : checked) {
    if (each.acceptance == Acceptance::not_measured)
      result.push_back(fmt::format("{}: {}.", each.criterion.name, each.reason));
    else
      files.insert(each.file + " (" + each.interconnect + ")");
    if (each.acceptance == Acceptance::fail && !each.criterion.source.empty() &&
        failed.insert(each.criterion.name).second)
      result.push_back(fmt::format("{}: the bound's source: {}", each.criterion.name, each.criterion.source));
  }
  for (const std::string& file : files) result.push_back("Measured: " + file);
  return result;
}

std::string conclusion(const std::vector<Checked>& checked) {
  const auto count = [&](Acceptance acceptance, bool required) {
    return std::count_if(checked.begin(), checked.end(), [&](const Checked& each) {
      return each.acceptance == acceptance && each.criterion.required == required;
    });
  };
  const auto part = [&](bool required) {
    return fmt::format("{} passed, {} failed, {} not measured", count(Acceptance::pass, required),
                       count(Acceptance::fail, required), count(Acceptance::not_measured, required));
  };
  return fmt::format("Required: {}. Advisory: {}.", part(true), part(false));
}

TestCase::Outcome outcome_of(const Checked& checked) {
  if (checked.acceptance == Acceptance::pass) return TestCase::Outcome::passed;
  if (!checked.criterion.required) return TestCase::Outcome::skipped;
  return checked.acceptance == Acceptance::fail ? TestCase::Outcome::failed : TestCase::Outcome::error;
}

Json form_of(const Checked& checked) {
  const bool measured = checked.acceptance != Acceptance::not_measured;
  return {{"criterion", checked.criterion.name},
          {"metric", checked.criterion.metric},
          {checked.criterion.side == Criterion::Side::at_most ? "at_most" : "at_least", checked.criterion.bound},
          {"unit", checked.criterion.unit},
          {"required", checked.criterion.required},
          {"source", checked.criterion.source},
          {"verdict", name_of(checked.acceptance)},
          {"interval_crosses_bound", checked.uncertain()},
          {"value", measured ? Json(checked.value) : Json()},
          {"interval", checked.interval ? json_form(*checked.interval) : Json()},
          {"file", checked.file},
          {"interconnect", checked.interconnect},
          {"reason", checked.reason}};
}

}  // namespace

std::string format_checked(const std::vector<Checked>& checked, std::size_t width) {
  std::string text = table_of(checked).text(width) + "\n" + wrap(conclusion(checked), width, 2);
  for (const std::string& sentence : sentences(checked)) text += wrap(sentence, width, 2);
  return text;
}

std::string checked_to_markdown(const std::vector<Checked>& checked) {
  std::string text = table_of(checked).markdown() + "\n* " + markdown_text(conclusion(checked)) + "\n";
  for (const std::string& sentence : sentences(checked)) text += "* " + markdown_text(sentence) + "\n";
  return text;
}

std::string checked_to_junit(const std::vector<Checked>& checked) {
  std::vector<TestCase> cases;
  std::string date;
  for (const Checked& each : checked) {
    date = std::max(date, each.date);
    const std::string message =
        each.acceptance == Acceptance::not_measured
            ? "not measured: " + each.reason
            : fmt::format("{}, 95 % interval {}, bound {}: {} in {}", measured_text(each), interval_text(each),
                          bound_text(each.criterion), verdict_text(each), each.file);
    cases.push_back({.name = label_of(each, checked), .outcome = outcome_of(each), .message = message});
  }
  return junit_xml("mgbench check", date, cases);
}

std::string checked_to_json(const std::vector<Checked>& checked) {
  Json list = Json::array();
  for (const Checked& each : checked) list.push_back(form_of(each));
  return write_json(list);
}

}  // namespace mgbench
