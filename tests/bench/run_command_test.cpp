// `mgbench run` and `mgbench tune` as a user types them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/build_info.h"
#include "bench/communicator.h"
#include "models/model.h"
#include "planner/model_profile.h"
#include "planner/strategy.h"
#include "report/iteration_plot.h"
#include "report/plan_file.h"
#include "report/run_result.h"
#include "report/summary.h"
#include "support/commands.h"
#include "support/figure_lines.h"
#include "support/result_schema.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

TEST_F(Commands, RunTrainsUnderEveryStrategy) {
  const ProgramResult result = mgbench({"run", "--model", "tiny", "-n", "2", "--budget", "6", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json rows = Json::parse(result.output);
  std::vector<std::string> names;
  for (const Json& row : rows) {
    names.push_back(row.at("strategy"));
    EXPECT_GT(row.at("iteration_seconds").get<double>(), 0);
    EXPECT_GT(row.at("predicted_iteration_seconds").get<double>(), 0);
  }
  EXPECT_EQ(names, strategies().names());
  EXPECT_EQ(complaints(rows, "summary"), "");
  const std::string path = result_file("-run-tiny.json");
  EXPECT_EQ(complaints(Json::parse(text_of(path)), "result"), "");
  const RunResult saved = run_result_from_json(text_of(path), path);
  EXPECT_EQ(saved.ranks, 2);
  EXPECT_EQ(saved.command, "mgbench run --model tiny -n 2 --budget 6 --json");
  EXPECT_FALSE(saved.environment.empty());
  ASSERT_TRUE(saved.communicator_choice);
  EXPECT_EQ(saved.communicator, saved.communicator_choice->chosen);
  EXPECT_EQ(saved.communicator, saved.calibration.find("engine").communicator);
  EXPECT_EQ(saved.communicator_choice->reason.find("Communicator: " + saved.communicator + ", since "), 0U);
  for (const StrategyResult& strategy : saved.strategies) {
    EXPECT_EQ(strategy.failure, "");
    EXPECT_GE(strategy.samples.size(), 2U) << strategy.strategy;
    EXPECT_EQ(strategy.group_ends.back(), models().find("tiny").make().tensors());
    ASSERT_TRUE(strategy.arrival) << strategy.strategy;
    EXPECT_EQ(strategy.arrival->slowest.size(), 2U);
  }
  ASSERT_TRUE(saved.computation);
  EXPECT_EQ(saved.computation->slowest.size(), 2U);
  EXPECT_GT(saved.computation->typical, 0);
  EXPECT_TRUE(saved.environment.contains("host." + saved.computation->slowest[0].host));
  ASSERT_TRUE(saved.load);
  EXPECT_EQ(saved.load->hosts, 1U);
  EXPECT_TRUE(saved.environment.contains("host." + saved.load->worst.at(0).host));
}

TEST_F(Commands, RunPlotsOnATerminalAlsoThroughALauncher) {
  const std::string output =
      on_terminal("run --model tiny -n 2 --budget 4 --strategy wfbp,mg-wfbp", "NO_COLOR=1 TERM=xterm");
  const std::string path = result_file("-run-tiny.json");
  const std::string plot = iteration_plot(summarize(run_result_from_json(text_of(path), path)), 80, false);
  EXPECT_NE(plot, "");
  EXPECT_NE(output.find("\n\n" + plot), std::string::npos) << output;
}

TEST_F(Commands, RunPlotsNothingIntoAFileAlsoThroughALauncher) {
  // mpiexec's own terminal for rank 0 is not the user's.
  const std::vector<std::string> words{"run", "--model", "tiny", "--budget", "4", "--strategy", "wfbp,mg-wfbp"};
  std::vector<std::string> started{kMpiLauncher, "-n", "2", "--oversubscribe", MGBENCH_PROGRAM};
  started.insert(started.end(), words.begin(), words.end());
  const std::vector<ProgramResult> results{
      mgbench(words, {{"TERM", "xterm"}}),
      run_program(started, folder_.path(),
                  {{"TERM", "xterm"}, {"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}})};
  for (const ProgramResult& result : results) {
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output.find('\033'), std::string::npos) << result.output;
  }
}

TEST_F(Commands, WhatHasTooFewRoundsIsNotMeasured) {
  // Six rounds take longer than the budget on any machine.
  Profile profile{.model = "long", .backend = "replay", .ranks = 2, .batch = 1, .steps = {}, .update = 0};
  profile.steps.push_back({.name = "only", .forward = 0.03, .backward = 0.03, .tensors = {{"only", 4000}}});
  folder_.write("long.yaml", to_yaml(profile));
  for (const char* command : {"run", "tune", "profile"}) {
    const ProgramResult result =
        mgbench({command, "--backend", "replay", "--profile", "long.yaml", "-n", "2", "--budget", "0.5"});
    EXPECT_EQ(result.exit_code, 3) << command << result.errors;
    EXPECT_NE(result.errors.find("mgbench: not measured: "), std::string::npos) << command << result.errors;
    EXPECT_NE(result.errors.find(", expected 6 at least"), std::string::npos) << command << result.errors;
  }
}

TEST_F(Commands, RunOnAnEmulatedInterconnectSaysSo) {
  const ProgramResult result = mgbench({"run", "--model", "tiny", "-n", "2", "--budget", "6", "--interconnect", "10GbE",
                                        "--as-ranks", "8", "--strategy", "wfbp,mg-wfbp"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("10GbE as 8 ranks"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("Communicator: "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("mg-wfbp"), std::string::npos);
  EXPECT_EQ(result.output.find("synceasgd"), std::string::npos);
}

TEST_F(Commands, RunEndsWithFiguresForScripts) {
  const ProgramResult result =
      mgbench({"run", "--model", "tiny", "-n", "2", "--budget", "6", "--strategy", "wfbp,mg-wfbp"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string path = result_file("-run-tiny.json");
  const RunResult saved = run_result_from_json(text_of(path), path);
  const auto lines = figure_lines(result.output);
  const auto expect_line = [&](const std::string& key, double value) {
    ASSERT_TRUE(lines.contains(key)) << key << "\n" << result.output;
    EXPECT_NEAR(lines.at(key).value, value, 1e-5 * std::abs(value)) << key;
  };
  for (const SummaryRow& row : summarize(saved)) {
    expect_line("iteration/" + row.strategy, row.iteration.median);
    expect_line("error/" + row.strategy, 100 * row.prediction_error);
    expect_line("efficiency/" + row.strategy, 100 * row.efficiency.value());
  }
  expect_line("latency", saved.calibration.planning_curve().fit.line.a);
  EXPECT_GT(lines.at("bus_bandwidth").value, 0);
  EXPECT_GE(lines.at("rank_spread").value, 1);
}

TEST_F(Commands, TuneEndsWithAPlanThatRunTakes) {
  const ProgramResult result = mgbench({"tune", "--model", "tiny", "-n", "2", "--budget", "8", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json tuned = Json::parse(result.output);
  std::vector<std::string> names;
  for (const Json& candidate : tuned.at("candidates")) {
    names.push_back(candidate.at("name"));
    for (const Json& same : candidate.at("same_plan")) names.push_back(same);
    EXPECT_EQ(candidate.at("failure"), "");
    EXPECT_GE(candidate.at("rounds").get<int>(), 1);
    const Json& dropped = candidate.at("dropped");
    EXPECT_TRUE(dropped.is_null() || dropped.at("rounds").get<int>() >= 6) << dropped;
  }
  for (const std::string& name : strategies().names())
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  for (const char* name : {"cost-x0.5", "start-up-x4", "no-slowdown", "message-charge"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  EXPECT_NE(std::find(names.begin(), names.end(), tuned.at("chosen")), names.end());

  EXPECT_EQ(complaints(tuned, "tuning"), "");

  const std::string file = result_file("-tune-tiny.yaml");
  EXPECT_EQ(folder_.path() / tuned.at("plan_file").get<std::string>(), file);
  const PlanFile plan = plan_from_yaml(text_of(file), file, model_profile(models().find("tiny").make()));
  EXPECT_EQ(plan.name, "tuned");
  const std::string saved = result_file("-tune-tiny.json");
  EXPECT_GE(run_result_from_json(text_of(saved), saved).strategies.size(), 1U);
  EXPECT_EQ(complaints(Json::parse(text_of(saved)), "result"), "");
  EXPECT_EQ(tuned.at("run_command"),
            "mgbench run --plan " + tuned.at("plan_file").get<std::string>() + " --model tiny -n 2");

  const ProgramResult run = mgbench(
      {"run", "--plan", file, "--model", "tiny", "-n", "2", "--budget", "4", "--strategy", "synceasgd", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(Json::parse(run.output).at(1).at("strategy"), "tuned");
}

TEST_F(Commands, TuneSaysWhatItChose) {
  const ProgramResult result = mgbench({"tune", "--model", "tiny", "-n", "2", "--budget", "6", "--strategy",
                                        "wfbp,synceasgd", "--interconnect", "10GbE", "--as-ranks", "8"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  for (const char* part : {"EMULATED 10GbE as 8 ranks", "Chosen: ", "wfbp", "synceasgd", "Ended: ", "Plan: results/",
                           "Run it: mgbench run --plan results/", "--interconnect 10GbE --as-ranks 8 -n 2\n"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part << "\n" << result.output;
  EXPECT_NE(text_of(result_file("-tune-tiny.yaml")).find("emulated: 10GbE as 8 ranks"), std::string::npos);
  const auto lines = figure_lines(result.output);
  for (const char* key : {"iteration/tuned", "iteration/wfbp", "iteration/synceasgd"})
    EXPECT_TRUE(lines.contains(key)) << key << "\n" << result.output;
  EXPECT_FALSE(lines.contains("iteration/ddp")) << "was not asked for";
}

TEST_F(Commands, ANamedCommunicatorIsTaken) {
  for (const CommunicatorEntry& entry : communicators()) {
    if (entry.emulates || !entry.host) continue;
    const ProgramResult result = mgbench(
        {"run", "--model", "tiny", "-n", "2", "--budget", "4", "--strategy", "wfbp", "--communicator", entry.name});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output.find("Communicator: "), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("images a rank | " + entry.name + "\n"), std::string::npos) << result.output;
  }
}

TEST_F(Commands, ACalibrationThroughAnotherCommunicatorIsSaid) {
  Calibration calibration{.ranks = 2};
  CalibrationCurve engine{.name = "engine", .communicator = "mpi-thread"};
  for (Bytes bytes = 4; bytes < 5000; bytes *= 10) engine.points.push_back({bytes, 1e-3 + 1e-9 * bytes, {}, 3});
  calibration.curves = {engine};
  folder_.write("calibration.yaml", to_yaml(calibration));
  for (const std::string communicator : {"mpi-thread", "mpi-poll"}) {
    const ProgramResult result = mgbench({"run", "--model", "tiny", "-n", "2", "--budget", "4", "--strategy", "wfbp",
                                          "--calibration", "calibration.yaml", "--communicator", communicator});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output.find("times are of mpi-thread") != std::string::npos, communicator == "mpi-poll")
        << result.output;
  }
}

}  // namespace
}  // namespace mgbench
