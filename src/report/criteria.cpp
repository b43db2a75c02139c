#include "report/criteria.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/names.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

struct Unit {
  std::string_view name;
  Quantity quantity;
  double scale;  ///< one of it in what metrics count
};

constexpr std::array<Unit, 7> kUnits{{{"s", Quantity::seconds, 1},
                                      {"ms", Quantity::seconds, 1e-3},
                                      {"us", Quantity::seconds, 1e-6},
                                      {"s/B", Quantity::seconds_per_byte, 1},
                                      {"GB/s", Quantity::bytes_per_second, 1e9},
                                      {"%", Quantity::ratio, 0.01},
                                      {"ratio", Quantity::ratio, 1}}};

/// The metric that `metric` and `strategy` name together.
std::string read_metric(const Value& value) {
  const Value metric = value.at("metric");
  const auto strategy = value.find("strategy");
  const std::string name = metric.text() + (strategy ? "/" + strategy->text() : "");
  try {
    return metric_name(name);
  } catch (const Error& error) {
    metric.wrong("{}", error.what());
  }
}

/// One `unit` in what the metric counts. A bandwidth may be told as a share of one in `of`.
double read_scale(const Value& value, Quantity quantity) {
  const Value unit = value.at("unit");
  const std::string name = unit.text();
  const auto share_of = value.find("of");
  const bool shares = quantity == Quantity::bytes_per_second && share_of;
  std::vector<std::string> fitting;
  for (const Unit& known : kUnits) {
    if (known.quantity != (shares ? Quantity::ratio : quantity)) continue;
    if (known.name == name) return known.scale * (shares ? share_of->positive(1e6) * 1e9 : 1);
    fitting.emplace_back(known.name);
  }
  unit.wrong("the unit '{}' does not fit the metric{}{}", name, suggestion(name, fitting),
             quantity == Quantity::bytes_per_second && !shares ? ", or % of a bandwidth that 'of' tells in GB/s" : "");
}

std::map<std::string, std::string> read_conditions(const Value& value) {
  std::map<std::string, std::string> conditions;
  for (const char* key : {"model", "backend"})
    if (const auto text = value.find(key)) conditions[key] = text->text();
  for (const char* key : {"batch", "ranks", "threads"})
    if (const auto number = value.find(key)) conditions[key] = std::to_string(number->integer<int>(1, 1'000'000'000));
  return conditions;
}

Criterion read_criterion(const Value& value) {
  value.fields({"name", "metric", "unit"}, {"at_most", "at_least", "of", "strategy", "model", "backend", "batch",
                                            "ranks", "threads", "required", "source"});
  const auto at_most = value.find("at_most");
  const auto at_least = value.find("at_least");
  if (at_most.has_value() == at_least.has_value())
    value.wrong("expected at_most or at_least, {}", at_most ? "not both" : "and there is none of them");
  Criterion criterion{.name = value.at("name").text(), .metric = read_metric(value)};
  const Quantity quantity = family_of(criterion.metric).quantity;
  criterion.side = at_most ? Criterion::Side::at_most : Criterion::Side::at_least;
  criterion.bound = (at_most ? *at_most : *at_least).number(0, 1e12);
  criterion.unit = value.at("unit").text();
  criterion.scale = read_scale(value, quantity);
  if (const auto of = value.find("of"); of && quantity != Quantity::bytes_per_second)
    of->wrong("is for bandwidths, and {} is none", criterion.metric);
  criterion.conditions = read_conditions(value);
  if (const auto required = value.find("required")) criterion.required = required->boolean();
  if (const auto source = value.find("source")) criterion.source = source->text();
  return criterion;
}

bool is_for(const Criterion& criterion, const Measurement& measurement) {
  return std::all_of(criterion.conditions.begin(), criterion.conditions.end(), [&](const auto& condition) {
    const auto found = measurement.conditions.find(condition.first);
    return found != measurement.conditions.end() && found->second == condition.second;
  });
}

Checked check_metric(const Criterion& criterion, const Measurement& measurement, const Metric& metric) {
  Checked checked{.criterion = criterion,
                  .acceptance = Acceptance::fail,
                  .file = measurement.file,
                  .date = measurement.date,
                  .interconnect = measurement.conditions.at("interconnect")};
  if (const auto missing = measurement.reason_without_times(criterion.metric)) {
    checked.acceptance = Acceptance::not_measured;
    checked.reason = *missing;
    return checked;
  }
  checked.value = metric.value.median / criterion.scale;
  if (metric.value.interval)
    checked.interval =
        Interval{metric.value.interval->low / criterion.scale, metric.value.interval->high / criterion.scale};
  const bool met =
      criterion.side == Criterion::Side::at_most ? checked.value <= criterion.bound : checked.value >= criterion.bound;
  if (met) checked.acceptance = Acceptance::pass;
  return checked;
}

/// Why none of the measurements has the metric.
std::string reason_of(const Criterion& criterion, const std::vector<Measurement>& measurements) {
  std::vector<std::string> kin;
  bool any = false;
  for (const Measurement& measurement : measurements) {
    if (!is_for(criterion, measurement)) continue;
    any = true;
    if (const auto missing = measurement.reason_without_times(criterion.metric)) return *missing;
    for (const Metric& metric : measurement.metrics)
      if (family_of(metric.name).name == family_of(criterion.metric).name) kin.push_back(metric.name);
  }
  if (any) return fmt::format("no result has {}{}", criterion.metric, suggestion(criterion.metric, kin));
  std::vector<std::string> words;
  for (const auto& [key, text] : criterion.conditions) words.push_back(fmt::format("{} {}", key, text));
  return fmt::format("no result is of {}", fmt::join(words, ", "));
}

}  // namespace

std::vector<Criterion> criteria_from_yaml(const std::string& text, const std::string& file) {
  const Document document = parse_yaml(text, file);
  const Value root = document.root();
  root.fields({"criteria"});
  std::vector<Criterion> criteria;
  std::set<std::string> names;
  for (const Value& item : root.at("criteria").items()) {
    criteria.push_back(read_criterion(item));
    if (!names.insert(criteria.back().name).second)
      item.at("name").wrong("a second criterion '{}', expected names that differ", criteria.back().name);
  }
  if (criteria.empty()) root.at("criteria").wrong("an empty list, expected at least one criterion");
  return criteria;
}

bool Checked::uncertain() const {
  return interval && interval->low < criterion.bound && criterion.bound < interval->high;
}

Checked unmeasured_part(const std::string& what, const std::string& reason) {
  return {.criterion = {.name = what,
                        .metric = "rounds",
                        .side = Criterion::Side::at_least,
                        .bound = static_cast<double>(kLeastSamples),
                        .unit = "rounds",
                        .required = true,
                        .source = "what a 95 % interval of a median takes"},
          .acceptance = Acceptance::not_measured,
          .reason = reason};
}

std::vector<Checked> check_criteria(const std::vector<Criterion>& criteria,
                                    const std::vector<Measurement>& measurements) {
  std::vector<Checked> result;
  for (const Criterion& criterion : criteria) {
    const std::size_t before = result.size();
    for (const Measurement& measurement : measurements)
      if (const Metric* metric = measurement.find(criterion.metric);
          metric != nullptr && is_for(criterion, measurement))
        result.push_back(check_metric(criterion, measurement, *metric));
    if (result.size() == before)
      result.push_back({.criterion = criterion, .reason = reason_of(criterion, measurements)});
  }
  return result;
}

ExitCode exit_code(const std::vector<Checked>& checked) {
  const auto any_required = [&](Acceptance acceptance) {
    return std::any_of(checked.begin(), checked.end(),
                       [&](const Checked& each) { return each.criterion.required && each.acceptance == acceptance; });
  };
  if (any_required(Acceptance::fail)) return ExitCode::verdict_failed;
  const bool none = std::all_of(checked.begin(), checked.end(),
                                [](const Checked& each) { return each.acceptance == Acceptance::not_measured; });
  return none || any_required(Acceptance::not_measured) ? ExitCode::not_measured : ExitCode::ok;
}

}  // namespace mgbench
