#include "report/plan_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "report/forms.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

constexpr int kSchema = 1;
constexpr std::size_t kLongestName = 40;

/// Names stand in tables and in lists on the command line.
bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  });
}

/// "results/tuned.yaml" -> "tuned"
std::string stem_of(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

std::string read_name(const Value& root, const std::string& file) {
  const auto given = root.find("name");
  std::string name = given ? given->text() : stem_of(file);
  if (!is_name(name))
    (given ? *given : root)
        .wrong("'{}' is no name of a plan, expected {}1 to {} letters, digits, '.', '_' or '-'", name,
               given ? "" : "a key 'name' with ", kLongestName);
  return name;
}

std::vector<Tensor> read_group(const Value& value) {
  std::vector<Tensor> group;
  for (const Value& tensor : value.items()) {
    tensor.fields({"name", "bytes"});
    group.push_back({.name = tensor.at("name").text(), .bytes = tensor.at("bytes").bytes()});
  }
  if (group.empty()) value.wrong("an empty group, expected at least one tensor");
  return group;
}

std::vector<std::vector<Tensor>> read_groups(const Value& value) {
  std::vector<std::vector<Tensor>> groups;
  for (const Value& group : value.items()) groups.push_back(read_group(group));
  if (groups.empty()) value.wrong("no group, expected at least one");
  return groups;
}

PlanFile read_plan(const Value& root, const std::string& file) {
  root.require_schema(kSchema);
  root.fields({"schema", "model", "groups"}, {"name", "origin", "emulated", "command", "date", "ranks",
                                              "predicted_iteration_seconds", "measured_iteration"});
  PlanFile plan;
  plan.name = read_name(root, file);
  plan.model = root.at("model").text();
  if (const auto origin = root.find("origin")) plan.origin = origin->text();
  if (const auto emulated = root.find("emulated")) plan.emulated = emulated->text();
  if (const auto command = root.find("command")) plan.command = command->text();
  if (const auto date = root.find("date")) plan.date = date->text();
  if (const auto ranks = root.find("ranks")) plan.ranks = ranks->integer<int>(1, 1'000'000);
  if (const auto predicted = root.find("predicted_iteration_seconds")) plan.predicted = predicted->positive();
  if (const auto measured = root.find("measured_iteration")) plan.measured = read_seconds_estimate(*measured);
  plan.groups = read_groups(root.at("groups"));
  return plan;
}

/// The tensors of `value`, which has been read, are those of `profile`.
void require_tensors(const Value& value, const Profile& profile) {
  std::vector<Tensor> expected;
  for (auto step = profile.steps.rbegin(); step != profile.steps.rend(); ++step)
    expected.insert(expected.end(), step->tensors.begin(), step->tensors.end());
  auto next = expected.begin();
  for (const Value& group : value.items())
    for (const Value& tensor : group.items()) {
      const std::string name = tensor.at("name").text();
      const Bytes bytes = tensor.at("bytes").bytes();
      if (next == expected.end())
        tensor.wrong("the tensor '{}' is one too many: {} has {} tensors", name, profile.model, expected.size());
      if (name != next->name || bytes != next->bytes)
        tensor.wrong(
            "'{}' of {} B is not of {}, expected '{}' of {} B here (tensors in the order in which backward "
            "completes them)",
            name, bytes, profile.model, next->name, next->bytes);
      ++next;
    }
  if (next != expected.end())
    value.wrong("{} of the {} tensors of {} missing, from '{}' on", expected.end() - next, expected.size(),
                profile.model, next->name);
}

std::string yaml_form(const MedianEstimate& seconds) {
  return fmt::format("{{median_seconds: {}, interval_seconds: {}, samples: {}}}", seconds.median,
                     seconds.interval ? fmt::format("[{}, {}]", seconds.interval->low, seconds.interval->high) : "null",
                     seconds.samples);
}

}  // namespace

MergePlan PlanFile::plan() const {
  std::vector<std::size_t> ends;
  for (const std::vector<Tensor>& group : groups) ends.push_back((ends.empty() ? 0 : ends.back()) + group.size());
  return MergePlan(std::move(ends));
}

std::string to_yaml(const PlanFile& plan) {
  std::string text = fmt::format(
      "# A merge plan of mgbench: each group of tensors is one message, sent once its last tensor is ready. Tensors "
      "stand in\n"
      "# the order in which backward completes them. `mgbench run --plan` executes it, `mgbench plan --plan` predicts "
      "and\n"
      "# exports it.\n"
      "schema: {}\nname: {}\nmodel: {}\n",
      kSchema, yaml_scalar(plan.name), yaml_scalar(plan.model));
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", key, value);
  };
  const auto add_text = [&](const char* key, const std::string& value) {
    if (!value.empty()) add(key, yaml_scalar(value));
  };
  add_text("origin", plan.origin);
  add_text("emulated", plan.emulated);
  add_text("command", plan.command);
  add_text("date", plan.date);
  add("ranks", plan.ranks ? fmt::format("{}", *plan.ranks) : "");
  add("predicted_iteration_seconds", plan.predicted ? fmt::format("{}", *plan.predicted) : "");
  add("measured_iteration", plan.measured ? yaml_form(*plan.measured) : "");
  text += "groups:\n";
  for (const std::vector<Tensor>& group : plan.groups) {
    std::vector<std::string> tensors;
    for (const Tensor& tensor : group)
      tensors.push_back(fmt::format("{{name: {}, bytes: {}}}", yaml_scalar(tensor.name), tensor.bytes));
    text += fmt::format("  - [{}]\n", fmt::join(tensors, ", "));
  }
  return text;
}

PlanFile plan_from_yaml(const std::string& text, const std::string& file) {
  const Document document = parse_yaml(text, file);
  return read_plan(document.root(), file);
}

PlanFile plan_from_yaml(const std::string& text, const std::string& file, const Profile& profile) {
  const Document document = parse_yaml(text, file);
  PlanFile plan = read_plan(document.root(), file);
  require_tensors(document.root().at("groups"), profile);
  return plan;
}

}  // namespace mgbench
