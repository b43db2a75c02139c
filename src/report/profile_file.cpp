#include "report/profile_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/forms.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

constexpr int kSchema = 1;

std::string yaml_form(const Profile::Step& step) {
  std::vector<std::string> tensors;
  for (const Tensor& tensor : step.tensors)
    tensors.push_back(fmt::format("{{name: {}, bytes: {}}}", yaml_scalar(tensor.name), tensor.bytes));
  return fmt::format("  - {{name: {}, forward_seconds: {}, backward_seconds: {}, tensors: [{}]}}\n",
                     yaml_scalar(step.name), step.forward, step.backward, fmt::join(tensors, ", "));
}

Profile::Step read_step(const Value& value) {
  value.fields({"name", "forward_seconds", "backward_seconds", "tensors"});
  Profile::Step step{.name = value.at("name").text(),
                     .forward = value.at("forward_seconds").seconds(),
                     .backward = value.at("backward_seconds").seconds(),
                     .tensors = {}};
  for (const Value& tensor : value.at("tensors").items()) {
    tensor.fields({"name", "bytes"});
    step.tensors.push_back({.name = tensor.at("name").text(), .bytes = tensor.at("bytes").bytes()});
  }
  return step;
}

}  // namespace

std::string to_yaml(const Profile& profile) {
  std::string text = fmt::format(
      "# A profile of mgbench: what one iteration of training costs without communication, and which "
      "gradients it\n"
      "# yields when. Steps are in forward order; backward runs them from last to first, and all tensors of "
      "a step are\n"
      "# ready at its end. Read by `mgbench plan` and `mgbench simulate`.\n"
      "schema: {}\nmodel: {}\nbackend: {}\nranks: {}\nbatch: {}  # images a rank\nupdate_seconds: "
      "{}\nsteps:\n",
      kSchema, yaml_scalar(profile.model), yaml_scalar(profile.backend), profile.ranks, profile.batch, profile.update);
  for (const Profile::Step& step : profile.steps) text += yaml_form(step);
  return text;
}

Json json_form(const Profile& profile) {
  Json steps = Json::array();
  for (const Profile::Step& step : profile.steps) {
    Json tensors = Json::array();
    for (const Tensor& tensor : step.tensors) tensors.push_back({{"name", tensor.name}, {"bytes", tensor.bytes}});
    steps.push_back({{"name", step.name},
                     {"forward_seconds", step.forward},
                     {"backward_seconds", step.backward},
                     {"tensors", std::move(tensors)}});
  }
  return {{"schema", kSchema},        {"model", profile.model}, {"backend", profile.backend},
          {"ranks", profile.ranks},   {"batch", profile.batch}, {"update_seconds", profile.update},
          {"steps", std::move(steps)}};
}

Profile read_profile(const Value& value) {
  value.require_schema(kSchema);
  value.fields({"schema", "model", "backend", "ranks", "batch", "update_seconds", "steps"});
  Profile profile;
  profile.model = value.at("model").text();
  profile.backend = value.at("backend").text();
  profile.ranks = value.at("ranks").integer<int>(1, 1'000'000);
  profile.batch = value.at("batch").integer<int>(0, 1'000'000);
  profile.update = value.at("update_seconds").seconds();
  std::size_t tensors = 0;
  for (const Value& step : value.at("steps").items()) {
    profile.steps.push_back(read_step(step));
    tensors += profile.steps.back().tensors.size();
  }
  if (tensors == 0) value.at("steps").wrong("no tensor in any step, expected at least one");
  return profile;
}

Profile profile_from_yaml(const std::string& text, const std::string& file) {
  const Document document = parse_yaml(text, file);
  return read_profile(document.root());
}

}  // namespace mgbench
