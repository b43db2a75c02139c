// schemas/result.schema.json describes what is written, and nothing else.
#include "support/result_schema.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

#include "base/error.h"
#include "report/comparison.h"
#include "report/criteria.h"
#include "report/examples.h"
#include "report/random_values.h"
#include "report/summary.h"
#include "report/tuning.h"
#include "source_folder.h"

namespace mgbench {
namespace {

using Tree = nlohmann::json;
using Pointer = Tree::json_pointer;

/// A run that has everything that a run can have.
RunResult full_run() {
  RunResult result = example_run(2);
  result.strategies.resize(1);
  const RankTimes ranks{.typical = 1, .slowest = {{.rank = 3, .host = "h", .seconds = 1}}};
  result.computation = ranks;
  result.load = MachineLoad{.hosts = 1,
                            .worst = {{.host = "h",
                                       .processors = 2,
                                       .seconds = 9,
                                       .stalled = 0.1,
                                       .begin_hertz = 2e9,
                                       .end_hertz = 2e9,
                                       .throttled = 1}}};
  result.communicator_choice = {.chosen = "mpi-async",
                                .reason = "the shortest",
                                .candidates = {{.communicator = "mpi-async",
                                                .iteration = {.median = 0.1, .interval = {}, .samples = 1},
                                                .alone = 0.04,
                                                .exposed = 0.01,
                                                .hidden = 0.75,
                                                .slowdown = 1.02}}};
  result.remarks = {"a remark"};
  StrategyResult& first = result.strategies.front();
  first.origin = "a plan";
  first.same = {"ddp"};
  first.dropped = Dropped{.rounds = 6, .by = "wfbp"};
  first.arrival = ranks;
  return result;
}

/// One contestant was dropped, one failed.
RunResult race() {
  RunResult result = example_run(32);
  strategy(result, "wfbp").dropped = Dropped{.rounds = 6, .by = "mg-wfbp"};
  strategy(result, "ddp").failure = "wrong sums";
  return result;
}

Tree tree_of_tuning(const RunResult& result) {
  return Tree::parse(tuning_to_json(result, summarize_tuning(result), {"plan.yaml", "mgbench run --plan plan.yaml"}));
}

Tree tree_of_checks() {
  const std::vector<Criterion> criteria =
      criteria_from_yaml("criteria:\n- {name: a, metric: latency, at_most: 1, unit: s, source: s}\n", "c.yaml");
  return Tree::parse(checked_to_json(check_criteria(criteria, {measurement_of(example_run(), "r.json")})));
}

Tree tree_of_comparison() {
  const Measurement before = measurement_of(example_run(), "a.json");
  Measurement now = measurement_of(example_run(), "b.json");
  now.environment["mpi.library"] = "another";
  return Tree::parse(comparison_to_json(compare({before}, now, Tolerances{})));
}

bool is_read(const Tree& document) {
  try {
    run_result_from_json(document.dump(), "r.json");
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Every place in the tree but its root; of a list only the first element.
std::vector<Pointer> places(const Tree& tree, const Pointer& root = Pointer()) {
  std::vector<Pointer> found;
  const auto add = [&](const Pointer& place) {
    found.push_back(place);
    for (const Pointer& inner : places(tree, place)) found.push_back(inner);
  };
  const Tree& value = tree.at(root);
  if (value.is_array() && !value.empty()) add(root / 0);
  if (value.is_object())
    for (const auto& [key, child] : value.items()) add(root / key);
  return found;
}

std::vector<Pointer> objects(const Tree& tree) {
  std::vector<Pointer> found = places(tree);
  std::erase_if(found, [&](const Pointer& place) { return !tree.at(place).is_object(); });
  if (tree.is_object()) found.emplace_back();
  return found;
}

/// Is given a changed tree, and what was changed.
using Judge = std::function<void(const Tree&, const std::string&)>;

void for_each_missing_field(const Tree& tree, const Judge& judge) {
  for (const Pointer& place : objects(tree))
    for (const auto& [key, child] : tree.at(place).items()) {
      Tree changed = tree;
      changed.at(place).erase(key);
      judge(changed, "without " + (place / key).to_string());
    }
}

void for_each_added_field(const Tree& tree, const Judge& judge) {
  for (const Pointer& place : objects(tree)) {
    Tree changed = tree;
    changed.at(place)["unknown"] = true;
    judge(changed, "added " + (place / "unknown").to_string());
  }
}

void for_each_replaced_value(const Tree& tree, const Judge& judge) {
  for (const Pointer& place : places(tree))
    for (const Tree& value :
         {Tree(), Tree(0), Tree(0.5), Tree(-1), Tree(true), Tree("text"), Tree::array(), Tree::object()}) {
      if (value.is_string() && tree.at(place).is_string()) continue;
      Tree changed = tree;
      changed.at(place) = value;
      judge(changed, place.to_string() + " = " + value.dump());
    }
}

TEST(ResultSchema, EveryFieldIsDocumentedWithItsUnit) {
  static const std::set<std::string> kUnits{"s",  "B",     "s/B",   "B/s",   "images/s",
                                            "Hz", "ratio", "count", "index", "none"};
  const Tree& schema = result_schema();
  EXPECT_EQ(schema.at("$defs").at("result").at("properties").at("schema").at("const"), RunResult::kSchema);
  const auto documented = [&](const Tree& field) {
    if (field.contains("description")) return true;
    const std::string reference = field.at("$ref");
    return schema.at(Pointer(reference.substr(1))).contains("description");
  };
  for (const auto& [name, definition] : schema.at("$defs").items()) {
    EXPECT_TRUE(definition.contains("description")) << name;
    if (!definition.contains("properties")) continue;
    EXPECT_EQ(definition.at("additionalProperties"), false) << name;
    for (const auto& [key, field] : definition.at("properties").items())
      EXPECT_TRUE(documented(field)) << name << "." << key;
  }
  std::size_t numbers = 0;
  for (const Pointer& place : places(schema)) {
    const Tree& value = schema.at(place);
    if (!value.is_object() || !value.contains("type") || (value["type"] != "number" && value["type"] != "integer"))
      continue;
    ++numbers;
    ASSERT_TRUE(value.contains("unit")) << place.to_string();
    EXPECT_TRUE(kUnits.contains(value["unit"])) << place.to_string() << ": " << value["unit"];
  }
  EXPECT_GT(numbers, 20U);
}

RC_GTEST_PROP(ResultSchema, HoldsForEveryResult, ()) {
  const RunResult result = random_run();
  const std::string found = complaints(Tree::parse(to_json(result)), "result");
  RC_LOG() << found;
  RC_ASSERT(found.empty());
}

TEST(ResultSchema, HoldsForWhatRunAndTunePrint) {
  RunResult failed = example_run();
  for (StrategyResult& each : failed.strategies) each.failure = "wrong sums";
  RunResult uncalibrated = example_run(4);
  uncalibrated.calibration = {};
  uncalibrated.alone.reset();
  for (const RunResult& result : {example_run(), full_run(), race(), failed, uncalibrated}) {
    EXPECT_EQ(complaints(Tree::parse(to_json(result)), "result"), "");
    EXPECT_EQ(complaints(Tree::parse(summary_to_json(result)), "summary"), "");
    EXPECT_EQ(complaints(tree_of_tuning(result), "tuning"), "");
  }
}

TEST(ResultSchema, HoldsForResultsOfEarlierVersions) {
  for (const std::string name : {"good", "good-communicator-choice"}) {
    const Tree result =
        Tree::parse(std::ifstream(std::string(kSourceFolder) + "/tests/fuzz/corpus/run-result/" + name));
    EXPECT_EQ(complaints(result, "result"), "");
    EXPECT_TRUE(is_read(result));
    EXPECT_FALSE(result.contains("drift")) << "not an earlier version's";
  }
}

// What is read although the schema has it otherwise is only null in place of nothing; `drift` and `fit` follow from the
// rest and are not read; intervals are compared by the reader alone; and valijson's numbers have 63 bits, too few for a
// bound of the seed.
TEST(ResultSchema, AllowsWhatIsReadAndNothingElse) {
  Tree tree = Tree::parse(to_json(full_run()));
  tree.erase("drift");
  for (Tree& curve : tree["calibration"]["curves"]) curve.erase("fit");
  ASSERT_TRUE(is_read(tree));
  ASSERT_EQ(complaints(tree, "result"), "");
  std::size_t allowed = 0;
  std::size_t refused = 0;
  const auto expect_agreement = [&](const Tree& changed, const std::string& change) {
    const bool read = is_read(changed);
    const std::string found = complaints(changed, "result");
    if (change.ends_with("= null") && read) return;
    EXPECT_EQ(read, found.empty()) << change << "\n" << found;
    ++(read ? allowed : refused);
  };
  for_each_missing_field(tree, expect_agreement);
  for_each_added_field(tree, expect_agreement);
  for_each_replaced_value(tree, [&](const Tree& changed, const std::string& change) {
    if (change.find("interval_seconds/") == std::string::npos && change != "/seed = -1")
      expect_agreement(changed, change);
  });
  EXPECT_GT(allowed, 50U);
  EXPECT_GT(refused, 1000U);
}

TEST(ResultSchema, RefusesFieldsThatAreMissingAddedOrOfAnotherType) {
  const RunResult result = race();
  const Tree saved = Tree::parse(to_json(result));
  const std::vector<std::pair<std::string, Tree>> documents{{"summary", Tree::parse(summary_to_json(result))},
                                                            {"tuning", tree_of_tuning(result)},
                                                            {"checks", tree_of_checks()},
                                                            {"comparison", tree_of_comparison()},
                                                            {"drift", saved.at("drift")},
                                                            {"fit", saved.at("calibration").at("curves")[0].at("fit")}};
  for (const auto& [definition, document] : documents) {
    ASSERT_EQ(complaints(document, definition), "") << definition;
    const auto expect_refusal = [&](const Tree& changed, const std::string& change) {
      EXPECT_NE(complaints(changed, definition), "") << definition << ": " << change;
    };
    for_each_missing_field(document, expect_refusal);
    for_each_added_field(document, expect_refusal);
    for (const Pointer& place : places(document)) {
      Tree changed = document;
      changed.at(place) = document.at(place).is_string() ? Tree(5) : Tree("text");
      if (!document.at(place).is_null()) expect_refusal(changed, place.to_string());
    }
  }
}

}  // namespace
}  // namespace mgbench
