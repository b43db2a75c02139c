#include "report/plan_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "report/equal.h"
#include "report/examples.h"
#include "report/random_values.h"
#include "report/tensor_groups.h"

namespace mgbench {
namespace {

template <typename Function>
std::string error_of(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

RC_GTEST_PROP(PlanFile, ReadsBackExactly, ()) {
  const PlanFile plan = random_plan();
  RC_ASSERT(equal(plan_from_yaml(to_yaml(plan), "p.yaml"), plan));
}

RC_GTEST_PROP(PlanFile, FitsTheProfileThatItWasMadeFor, ()) {
  const Profile profile = random_profile();
  const std::size_t tensors = ready_tensors(profile).size();
  std::vector<std::size_t> ends;
  for (std::size_t end = 1; end <= tensors; ++end)
    if (end == tensors || *rc::gen::arbitrary<bool>()) ends.push_back(end);
  const PlanFile plan{.name = "p", .model = "m", .groups = tensor_groups(profile, MergePlan(ends))};
  RC_ASSERT(plan_from_yaml(to_yaml(plan), "p.yaml", profile).plan() == MergePlan(ends));
}

TEST(PlanFile, HasOneLineAGroup) {
  EXPECT_EQ(to_yaml(example_plan()),
            "# A merge plan of mgbench: each group of tensors is one message, sent once its last tensor is ready. "
            "Tensors stand in\n"
            "# the order in which backward completes them. `mgbench run --plan` executes it, `mgbench plan --plan` "
            "predicts and\n"
            "# exports it.\n"
            "schema: 1\nname: tuned\nmodel: resnet50\norigin: cost-x0.5\ncommand: mgbench tune\n"
            "date: \"2026-11-29T10:00:00Z\"\nranks: 8\npredicted_iteration_seconds: 0.18\n"
            "measured_iteration: {median_seconds: 0.185, interval_seconds: [0.18, 0.19], samples: 12}\n"
            "groups:\n"
            "  - [{name: fc.weight, bytes: 8192000}, {name: fc.bias, bytes: 4000}]\n"
            "  - [{name: layer1.0.conv1.weight, bytes: 16384}, {name: bn1.weight, bytes: 256}, {name: bn1.bias, bytes: "
            "256}, {name: conv1.weight, bytes: 37632}]\n");
}

TEST(PlanFile, MayBeWrittenByHand) {
  const std::string text = "schema: 1\nmodel: m\ngroups:\n  - [{name: w, bytes: 4}, {name: b, bytes: 8}]\n";
  const PlanFile plan = plan_from_yaml(text, "results.d/by-hand.yaml");
  EXPECT_EQ(plan.name, "by-hand") << "the file names it";
  EXPECT_EQ(plan.plan(), MergePlan({2}));
  EXPECT_FALSE(plan.ranks || plan.predicted || plan.measured);
  EXPECT_EQ(plan_from_yaml(text, "results.d/noextension").name, "noextension");
}

TEST(PlanFile, SaysWhatIsWrong) {
  struct Case {
    std::string from, to, expected;
  };
  const std::string text = to_yaml(example_plan());
  for (const auto& [from, to, expected] : std::vector<Case>{
           {"schema: 1", "schema: 2", "p.yaml:4: schema: 2 is of a newer mgbench, expected 1 at most"},
           {"model: resnet50\n", "", "p.yaml:4: missing key: model"},
           {"origin:", "orgin:", "p.yaml:7: orgin: unknown key; did you mean 'origin'?"},
           {"name: tuned", "name: my plan",
            "p.yaml:5: name: 'my plan' is no name of a plan, expected 1 to 40 letters, digits, '.', '_' or '-'"},
           {"name: tuned", "name: \"\"", "p.yaml:5: name: '' is no name of a plan"},
           {"name: tuned", "name: " + std::string(41, 'a'), "p.yaml:5: name: 'aaaaa"},
           {"ranks: 8", "ranks: 0", "p.yaml:10: ranks: '0' is not valid"},
           {"predicted_iteration_seconds: 0.18", "predicted_iteration_seconds: -1",
            "p.yaml:11: predicted_iteration_seconds: '-1' is not valid"},
           {"samples: 12", "samples: 0", "p.yaml:12: measured_iteration.samples: '0' is not valid"},
           {"bytes: 4000", "bytes: 0", "p.yaml:14: groups[0][1].bytes: '0' is not valid"},
           {"bytes: 4000", "bytes: many", "p.yaml:14: groups[0][1].bytes: 'many' is not valid"},
           {"{name: fc.bias, bytes: 4000}", "{name: fc.bias}", "p.yaml:14: groups[0][1]: missing key: bytes"},
           {"[{name: fc.weight, bytes: 8192000}, {name: fc.bias, bytes: 4000}]", "[]",
            "p.yaml:14: groups[0]: an empty group, expected at least one tensor"},
           {text.substr(text.find("groups:")), "groups: []\n", "p.yaml:13: groups: no group, expected at least one"},
           {text.substr(text.find("groups:")), "groups: 3\n", "p.yaml:13: groups: '3' is not valid, expected a list"}})
    EXPECT_EQ(error_of([&] { plan_from_yaml(replaced(text, from, to), "p.yaml"); }).find(expected), 0U)
        << expected << "\n"
        << error_of([&] { plan_from_yaml(replaced(text, from, to), "p.yaml"); });
}

TEST(PlanFile, AFileWhoseNameIsNoneNeedsAName) {
  const std::string text = "schema: 1\nmodel: m\ngroups:\n  - [{name: w, bytes: 4}]\n";
  EXPECT_EQ(error_of([&] { plan_from_yaml(text, "my plan.yaml"); }),
            "my plan.yaml:1: 'my plan' is no name of a plan, expected a key 'name' with 1 to 40 letters, digits, '.', "
            "'_' or '-'");
}

TEST(PlanFile, IsRefusedForOtherTensors) {
  struct Case {
    std::string from, to, expected;
  };
  const std::string text = to_yaml(example_plan());
  EXPECT_NO_THROW(plan_from_yaml(text, "p.yaml", example_profile()));
  for (const auto& [from, to, expected] : std::vector<Case>{
           {"bytes: 4000", "bytes: 4004",
            "p.yaml:14: groups[0][1]: 'fc.bias' of 4004 B is not of resnet50, expected 'fc.bias' of 4000 B here "
            "(tensors in the order in which backward completes them)"},
           {"fc.weight", "fc.wait", "p.yaml:14: groups[0][0]: 'fc.wait' of 8192000 B is not of resnet50"},
           {", {name: conv1.weight, bytes: 37632}", "",
            "p.yaml:14: groups: 1 of the 6 tensors of resnet50 missing, from 'conv1.weight' on"},
           {"{name: conv1.weight, bytes: 37632}", "{name: conv1.weight, bytes: 37632}, {name: more, bytes: 4}",
            "p.yaml:15: groups[1][4]: the tensor 'more' is one too many: resnet50 has 6 tensors"}})
    EXPECT_EQ(error_of([&] { plan_from_yaml(replaced(text, from, to), "p.yaml", example_profile()); }).find(expected),
              0U)
        << error_of([&] { plan_from_yaml(replaced(text, from, to), "p.yaml", example_profile()); });
}

}  // namespace
}  // namespace mgbench
