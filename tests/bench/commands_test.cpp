// One end-to-end test a command, and wrong input to each: the program as a user types it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "bench/communicator.h"
#include "bench/network.h"
#include "models/model.h"
#include "planner/model_profile.h"
#include "planner/strategy.h"
#include "report/calibration.h"
#include "report/export.h"
#include "report/plan_file.h"
#include "report/profile_file.h"
#include "report/run_result.h"
#include "support/run_program.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class Commands : public testing::Test {
 protected:
  ProgramResult mgbench(std::vector<std::string> words,
                        std::vector<std::pair<std::string, std::string>> variables = {}) const {
    words.insert(words.begin(), MGBENCH_PROGRAM);
    variables.emplace_back("LSAN_OPTIONS", MGBENCH_LSAN_OPTIONS);  // what leaks inside the MPI library is not ours
    return run_program(words, folder_.path(), variables);
  }

  /// The only file in results/ whose name ends so; its text.
  std::string result_file(const std::string& ending) const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "results"))
      if (entry.path().string().ends_with(ending)) found = entry.path().string();
    return found;
  }

  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return std::move(text).str();
  }

  /// A profile of three steps, and a calibration of two ranks.
  std::string write_profile() const {
    Profile profile{.model = "toy", .backend = "replay", .ranks = 2, .batch = 1, .steps = {}, .update = 1e-4};
    for (const char* name : {"first", "second", "third"})
      profile.steps.push_back({.name = name, .forward = 1e-3, .backward = 2e-3, .tensors = {{name, 4000}}});
    return folder_.write("profile.yaml", to_yaml(profile));
  }

  ScratchFolder folder_;
};

TEST_F(Commands, CalibrateByRanksSavesACalibrationForEach) {
  const ProgramResult result = mgbench({"calibrate", "--by-ranks", "-n", "3", "--budget", "4"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string all = result_file("calibrate-3ranks.yaml");
  const std::string two = result_file("calibrate-2ranks-one-node.yaml");
  EXPECT_EQ(calibration_from_yaml(text_of(all), all).ranks, 3);
  EXPECT_EQ(calibration_from_yaml(text_of(two), two).ranks, 2);
  const ProgramResult simulated = mgbench(
      {"simulate", "--profile", write_profile(), "--calibration", all, "--calibration", two, "--ranks", "2,3,6"});
  EXPECT_EQ(simulated.exit_code, 0) << simulated.errors;
  EXPECT_NE(simulated.output.find("explains 2, 3 ranks best"), std::string::npos) << simulated.output;
}

TEST_F(Commands, CalibratePairsSavesAMatrix) {
  const ProgramResult result = mgbench({"calibrate", "--pairs", "-n", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("Bandwidth one way"), std::string::npos);
  const Json saved = Json::parse(text_of(result_file("pairs-2nodes.json")));
  ASSERT_EQ(saved["pairs"].size(), 1);
  EXPECT_GT(saved["pairs"][0]["bandwidth_bytes_per_second"], 0);
}

TEST_F(Commands, ListShowsEverythingThatIsRegistered) {
  const ProgramResult result = mgbench({"list"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  auto expect_line = [&](const std::string& name) {
    EXPECT_NE(result.output.find("\n  " + name + " "), std::string::npos) << name << "\n" << result.output;
  };
  for (const std::string& name : models().names()) expect_line(name);
  for (const std::string& name : strategies().names()) expect_line(name);
  for (const std::string& name : backends().names()) expect_line(name);
  for (const std::string& name : communicators().names()) expect_line(name);
  expect_line("auto");
  EXPECT_NE(result.output.find("25557032"), std::string::npos);
}

TEST_F(Commands, CalibrateMeasuresBothCurves) {
  const ProgramResult result = mgbench({"calibrate", "-n", "2", "--budget", "6", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(Json::parse(result.output).is_object());
  const std::string path = result_file("-calibrate-2ranks.yaml");
  const Calibration calibration = calibration_from_yaml(text_of(path), path);
  EXPECT_EQ(calibration.ranks, 2);
  for (const char* curve : {"library", "engine"}) {
    EXPECT_GE(calibration.find(curve).points.size(), 3U);
    EXPECT_EQ(calibration.find(curve).points.front().bytes, 4);
    EXPECT_GT(calibration.find(curve).fit.line.a, 0);
    EXPECT_GT(calibration.find(curve).fit.line.b, 0);
  }
  const std::string chosen = calibration.find("engine").communicator;
  EXPECT_EQ(calibration.provenance.at("communicator").find("Communicator: " + chosen + ", since its iteration of an "),
            0U)
      << calibration.provenance.at("communicator");
}

TEST_F(Commands, CalibrateOfAnEmulatedInterconnectRecoversItsCost) {
  const ProgramResult result =
      mgbench({"calibrate", "-n", "2", "--budget", "8", "--interconnect", "10GbE", "--as-ranks", "64"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string path = result_file("-calibrate-2ranks.yaml");
  const Calibration calibration = calibration_from_yaml(text_of(path), path);
  EXPECT_EQ(calibration.emulated, "10GbE as 64 ranks");
  // Sleeping until a deadline is late by some microseconds, never early: a lower bound, not a speed.
  EXPECT_GE(calibration.find("engine").points.front().seconds, 2.348e-3);
  EXPECT_EQ(calibration.find("engine").communicator, "emulated");
  EXPECT_FALSE(calibration.provenance.contains("communicator"));
}

TEST_F(Commands, CalibrateImportsLogsWithoutRanksAndPlanUsesThem) {
  folder_.write("a.log",
                "# OSU MPI Allreduce Latency Test v7.3\n# Size  Avg Latency(us)\n4  10.00\n8  20.00\n16  30.00\n");
  folder_.write("b.log", "# OSU MPI Allreduce Latency Test v7.3\n# Size  Avg Latency(us)\n4  30.00\n");
  const ProgramResult result =
      mgbench({"calibrate", "--import", "a.log", "--import", "b.log", "--ranks", "8", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(Json::parse(result.output).at(0).at("ranks"), 8);
  EXPECT_NE(result.errors.find("a.log: osu_allreduce of MPI, 3 times taken from column 'Avg Latency(us)'"),
            std::string::npos)
      << result.errors;
  const std::string path = result_file("-import-8ranks.yaml");
  const Calibration calibration = calibration_from_yaml(text_of(path), path);
  EXPECT_EQ(calibration.planning_curve().communicator, "osu_allreduce");
  EXPECT_DOUBLE_EQ(calibration.planning_curve().points.at(0).seconds, 20e-6);

  const ProgramResult planned = mgbench({"plan", "--profile", write_profile(), "--calibration", path});
  EXPECT_EQ(planned.exit_code, 0) << planned.errors;
}

TEST_F(Commands, ProfilesOfOtherProgramsAreReadWhereverAProfileIs) {
  folder_.write("net.csv", "# forward_us=3000\nname,bytes,backward_us\nfc,4000,2000\nconv,8000,4000\n");
  const ProgramResult planned =
      mgbench({"plan", "--profile", "net.csv", "--interconnect", "10GbE", "--ranks", "8", "--json"});
  ASSERT_EQ(planned.exit_code, 0) << planned.errors;
  EXPECT_EQ(planned.errors, "");
  const ProgramResult replayed = mgbench({"run", "--backend", "replay", "--profile", "net.csv", "-n", "2", "--budget",
                                          "4", "--strategy", "wfbp", "--json"});
  ASSERT_EQ(replayed.exit_code, 0) << replayed.errors;
  EXPECT_NE(replayed.errors.find("net.csv does not tell its batch"), std::string::npos) << replayed.errors;
}

TEST_F(Commands, SeveralNumbersOfRanksAreSeveralCalibrations) {
  folder_.write("ranks.csv", "P,size,avg latency(us)\n2,4,1\n2,8,2\n2,16,3\n4,4,1\n4,8,2\n4,16,3\n");
  const ProgramResult result = mgbench({"calibrate", "--import", "ranks.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("Allreduce over 2 ranks"), std::string::npos);
  EXPECT_NE(result.output.find("Allreduce over 4 ranks"), std::string::npos);
  EXPECT_NE(result_file("-import-2ranks.yaml"), "");
  EXPECT_NE(result_file("-import-4ranks.yaml"), "");
}

TEST_F(Commands, ProfileThenPlanThenReplay) {
  const ProgramResult profiled = mgbench({"profile", "--model", "tiny", "-n", "2", "--budget", "3"});
  ASSERT_EQ(profiled.exit_code, 0) << profiled.errors;
  const std::string path = result_file("-profile-tiny.yaml");
  const Profile profile = profile_from_yaml(text_of(path), path);
  EXPECT_EQ(profile.bytes(), 4 * models().find("tiny").make().parameters());
  EXPECT_GT(profile.forward(), 0);

  const ProgramResult planned =
      mgbench({"plan", "--profile", path, "--interconnect", "10GbE", "--ranks", "8", "--json"});
  ASSERT_EQ(planned.exit_code, 0) << planned.errors;
  for (const std::string& name : strategies().names())
    EXPECT_NE(planned.output.find('"' + name + '"'), std::string::npos) << planned.output;

  const ProgramResult replayed = mgbench({"run", "--backend", "replay", "--profile", path, "-n", "2", "--budget", "4"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.errors;
}

TEST_F(Commands, PlanExportsSettingsOfEveryTool) {
  const std::string profile = write_profile();
  const std::vector<std::string> plan = {"plan", "--profile", profile, "--interconnect", "10GbE", "--ranks", "8"};
  for (const ExportEntry& entry : exports()) {
    std::vector<std::string> words = plan;
    words.insert(words.end(), {"--export", entry.name});
    const ProgramResult result = mgbench(words);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.output.find("the interconnect 10GbE"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find(profile), std::string::npos) << result.output;
    EXPECT_EQ(Json::accept(result.output), entry.name == "json");
  }
}

TEST_F(Commands, ExportsWarnOfACalibrationOfAnotherLibrary) {
  Calibration calibration{.ranks = 8};
  CalibrationCurve engine{.name = "engine", .communicator = "mpi-async"};
  for (Bytes bytes = 4; bytes < 5000; bytes *= 10) engine.points.push_back({bytes, 1e-3 + 1e-9 * bytes, {}, 3});
  calibration.curves = {engine};
  const std::string profile = write_profile();
  for (const std::string library : {"MPI", "gloo"}) {
    calibration.library = library;
    const std::string file = folder_.write("calibration.yaml", to_yaml(calibration));
    const ProgramResult result = mgbench({"plan", "--profile", profile, "--calibration", file, "--export", "ddp"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output.find("WARNING") != std::string::npos, library == "MPI") << result.output;
    EXPECT_NE(result.output.find("allreduce of " + library), std::string::npos) << result.output;
  }
}

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
  const std::string path = result_file("-run-tiny.json");
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

TEST_F(Commands, RunOnAnEmulatedInterconnectSaysSo) {
  const ProgramResult result = mgbench({"run", "--model", "tiny", "-n", "2", "--budget", "6", "--interconnect", "10GbE",
                                        "--as-ranks", "8", "--strategy", "wfbp,mg-wfbp"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("10GbE as 8 ranks"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("Communicator: "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("mg-wfbp"), std::string::npos);
  EXPECT_EQ(result.output.find("synceasgd"), std::string::npos);
}

TEST_F(Commands, PlanSavesAPlanThatPlanAndRunTake) {
  const std::string profile = write_profile();
  const std::vector<std::string> plan = {"plan", "--profile", profile, "--interconnect", "10GbE", "--ranks", "8"};
  const auto plan_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = plan;
    words.insert(words.end(), more.begin(), more.end());
    return mgbench(words);
  };
  const ProgramResult saved = plan_with({"--strategy", "mg-wfbp", "-o", "results", "--json"});
  ASSERT_EQ(saved.exit_code, 0) << saved.errors;
  const std::string file = result_file("-plan-mg-wfbp.yaml");
  EXPECT_NE(saved.errors.find("-plan-mg-wfbp.yaml"), std::string::npos) << saved.errors;
  const PlanFile written = plan_from_yaml(text_of(file), file, profile_from_yaml(text_of(profile), profile));
  EXPECT_EQ(written.name, "mg-wfbp-plan");
  EXPECT_EQ(written.ranks, 8);

  const ProgramResult predicted = plan_with({"--plan", file, "--json"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.errors;
  const Json rows = Json::parse(predicted.output).at("strategies");
  ASSERT_EQ(rows.size(), strategies().names().size() + 1);
  EXPECT_EQ(rows.back().at("strategy"), "mg-wfbp-plan");
  EXPECT_EQ(rows.back().at("groups"), Json::parse(saved.output).at("strategies").at(0).at("groups"));
  EXPECT_EQ(rows.back().at("predicted_iteration_seconds"), *written.predicted);

  const ProgramResult exported = plan_with({"--plan", file, "--export", "json"});
  ASSERT_EQ(exported.exit_code, 0) << exported.errors;
  EXPECT_EQ(Json::parse(exported.output).at("plan").at("name"), "mg-wfbp-plan");

  const ProgramResult run = mgbench({"run", "--backend", "replay", "--profile", profile, "-n", "2", "--budget", "4",
                                     "--strategy", "wfbp", "--plan", file, "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const Json measured = Json::parse(run.output);
  ASSERT_EQ(measured.size(), 2U);
  EXPECT_EQ(measured.at(1).at("strategy"), "mg-wfbp-plan");
  EXPECT_NE(text_of(result_file("-run-toy.json")).find("which was made for 8 ranks, not 2"), std::string::npos);
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

  const std::string file = result_file("-tune-tiny.yaml");
  EXPECT_EQ(folder_.path() / tuned.at("plan_file").get<std::string>(), file);
  const PlanFile plan = plan_from_yaml(text_of(file), file, model_profile(models().find("tiny").make()));
  EXPECT_EQ(plan.name, "tuned");
  const std::string saved = result_file("-tune-tiny.json");
  EXPECT_GE(run_result_from_json(text_of(saved), saved).strategies.size(), 1U);
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
}

TEST_F(Commands, ANamedCommunicatorIsTaken) {
  for (const CommunicatorEntry& entry : communicators()) {
    if (entry.emulates) continue;
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

TEST_F(Commands, OptionsMayComeFromAFile) {
  folder_.write("run.yaml", "model: tiny\nn: 2\nbudget: 4\nstrategy: wfbp\n");
  const ProgramResult result = mgbench({"run", "--config", "run.yaml", "--strategy", "synceasgd", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(Json::parse(result.output).at(0).at("strategy"), "synceasgd") << "the command line has the last word";
}

TEST_F(Commands, HelpAndVersionAreNoErrors) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"--version"}, {}}) {
    const ProgramResult result = mgbench(words);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.output.find("mgbench"), std::string::npos);
  }
}

/// Wrong input: the words, and what the one line on standard error must hold.
struct Wrong {
  std::vector<std::string> words;
  std::vector<std::string> expected;
};

void PrintTo(const Wrong& wrong, std::ostream* stream) {
  for (const std::string& word : wrong.words) *stream << word << ' ';
}

class WrongInput : public Commands, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongInput, IsOneClearLineAndExitCodeTwoAndNothingIsWritten) {
  write_profile();
  folder_.write("broken.yaml", "model: tiny\n  batch: [1\n");
  folder_.write("unknown_key.yaml", "model: tiny\nbatsh: 3\n");
  folder_.write("wrong_value.yaml", "model: tiny\n\nbatch: many\n");
  folder_.write("broken_profile.yaml", "schema: 1\nmodel: x\nsteps: 3\n");
  folder_.write("nan.csv", "# forward_us=3000\nname,bytes,backward_us\nfc,4000,nan\n");
  folder_.write("osu.log", "# OSU MPI Allreduce Latency Test v7.3\n# Size  Avg Latency(us)\n4  1.00\n8  nan\n");
  folder_.write("mixed.csv", "P,size,avg latency(us)\n2,4,1\n2,8,2\n2,16,3\n4,4,1\n4,8,2\n");
  folder_.write("toy_plan.yaml",
                "schema: 1\nmodel: toy\ngroups:\n  - [{name: third, bytes: 4000}, {name: second, bytes: 4000}]\n"
                "  - [{name: first, bytes: 4000}]\n");
  folder_.write("wfbp.yaml",
                "schema: 1\nmodel: toy\ngroups:\n  - [{name: third, bytes: 4000}, {name: second, bytes: 4000}, "
                "{name: first, bytes: 4000}]\n");
  folder_.write("other_plan.yaml", "schema: 1\nmodel: toy\ngroups:\n  - [{name: third, bytes: 4}]\n");
  folder_.write("broken_plan.yaml", "schema: 1\nmodel: toy\ngroups:\n  - []\n");
  const std::vector<std::string> before = folder_.names();
  const ProgramResult result = mgbench(GetParam().words);
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_EQ(result.output, "");
  for (const std::string& part : GetParam().expected)
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
  EXPECT_EQ(folder_.names(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, WrongInput,
    testing::Values(
        Wrong{{"rnu"}, {"unknown command 'rnu'; did you mean 'run'?"}},
        Wrong{{"run", "--modle", "tiny"}, {"--modle", "did you mean '--model'?"}},
        Wrong{{"run", "--model", "resnet-50"}, {"unknown model 'resnet-50'; did you mean 'resnet50'?"}},
        Wrong{{"run", "--strategy", "mgwfbp"}, {"unknown strategy 'mgwfbp'; did you mean 'mg-wfbp'?"}},
        Wrong{{"run", "--strategy", ","}, {"--strategy"}},
        Wrong{{"run", "--backend", "onednm"}, {"unknown backend 'onednm'; did you mean 'onednn'?"}},
        Wrong{{"run", "--communicator", "mpi"}, {"unknown communicator 'mpi'"}},
        Wrong{{"run", "--communicator", "atuo"}, {"unknown communicator 'atuo'; did you mean 'auto'?", "mpi-poll"}},
        Wrong{{"calibrate", "--communicator", "mpi-pool"},
              {"unknown communicator 'mpi-pool'; did you mean 'mpi-poll'?"}},
        Wrong{{"run", "--batch", "0"}, {"--batch 0: expected at least one image"}},
        Wrong{{"run", "--batch", "four"}, {"--batch", "four"}},
        Wrong{{"run", "--batch", "100000"}, {"memory", "smaller --batch"}},
        Wrong{{"run", "-n", "0"}, {"-n 0: expected at least one rank"}},
        Wrong{{"run", "--budget", "-1"}, {"--budget -1"}}, Wrong{{"run", "--budget", "nan"}, {"--budget nan"}},
        Wrong{{"run", "--ddp-bucket", "25Mib"}, {"unknown unit 'Mib'", "did you mean 'MiB'?"}},
        Wrong{{"run", "-o", "/proc/results"}, {"/proc/results: the results folder cannot be made"}},
        Wrong{{"run", "--config", "none.yaml"}, {"none.yaml: no such file"}},
        Wrong{{"run", "--config", "broken.yaml"}, {"broken.yaml:2"}},
        Wrong{{"run", "--config", "unknown_key.yaml"}, {"unknown_key.yaml:2", "batsh", "'batch'"}},
        Wrong{{"run", "--config", "wrong_value.yaml"}, {"wrong_value.yaml:3", "batch", "many"}},
        Wrong{{"run", "--interconnect", "10GbE"}, {"--as-ranks"}},
        Wrong{{"run", "--interconnect", "11GbE", "--as-ranks", "8"}, {"11GbE", "did you mean '10GbE'?"}},
        Wrong{{"run", "--interconnect", "10GbE", "--as-ranks", "7"}, {"7", "8, 16, 32, 64"}},
        Wrong{{"run", "--backend", "replay"}, {"--profile and --backend replay belong together"}},
        Wrong{{"run", "--profile", "profile.yaml"}, {"--profile and --backend replay belong together"}},
        Wrong{{"run", "--backend", "replay", "--profile", "broken_profile.yaml"}, {"broken_profile.yaml:"}},
        Wrong{{"plan", "--profile", "profile.yaml"}, {"expected --calibration FILE, or --interconnect FILE"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE"}, {"--ranks"}},
        Wrong{{"plan", "--profile", "none", "--interconnect", "10GbE", "--ranks", "8"}, {"none: no such file"}},
        Wrong{{"plan", "--profile", "nan.csv", "--interconnect", "10GbE", "--ranks", "8"}, {"nan.csv:3", "'nan'"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "dpp"},
              {"unknown export 'dpp'; did you mean 'ddp'?"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "ddp",
               "--split-tensors"},
              {"no tool splits tensors"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "ddp",
               "--json"},
              {"--export json"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "ddp",
               "--strategy", "wfbp"},
              {"takes no --strategy"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "ddp",
               "--ddp-bucket", "5MiB"},
              {"--export finds sizes itself and takes no", "--ddp-bucket"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--element-bytes", "2"},
              {"--element-bytes is for --export"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "megatron",
               "--element-bytes", "0"},
              {"--element-bytes 0: expected"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "megatron",
               "--element-bytes", "3"},
              {"profile.yaml: tensor 'first'", "4000 bytes", "--element-bytes"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--plan", "none.yaml"},
              {"none.yaml: no such file"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--plan",
               "other_plan.yaml"},
              {"other_plan.yaml:4: groups[0][0]: 'third' of 4 B is not of toy, expected 'third' of 4000 B"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--plan",
               "broken_plan.yaml"},
              {"broken_plan.yaml:4: groups[0]: an empty group"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--plan", "wfbp.yaml"},
              {"wfbp.yaml: the plan is called 'wfbp', as a strategy is; give it another 'name'"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--plan",
               "toy_plan.yaml", "--plan", "toy_plan.yaml"},
              {"the plan is called 'toy_plan', as that of toy_plan.yaml is"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "-o", "plans"},
              {"-o saves the plan of one strategy", "--strategy all names 6"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--strategy", "wfbp",
               "-o", "/proc/plans"},
              {"/proc/plans: the results folder cannot be made"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--export", "ddp", "-o",
               "plans"},
              {"-o saves a plan, and --export prints settings"}},
        Wrong{{"run", "--model", "tiny", "--plan", "toy_plan.yaml"},
              {"toy_plan.yaml:4: groups[0][0]: 'third'", "tiny"}},
        Wrong{{"run", "--model", "tiny", "--plan", "none.yaml"}, {"none.yaml: no such file"}},
        Wrong{{"tune", "--model", "tinny"}, {"did you mean 'tiny'?"}},
        Wrong{{"tune", "--strategy", "mgwfbp"}, {"unknown strategy 'mgwfbp'; did you mean 'mg-wfbp'?"}},
        Wrong{{"tune", "--model", "tiny", "--plan", "toy_plan.yaml"}, {"toy_plan.yaml:4: groups[0][0]: 'third'"}},
        Wrong{{"tune", "--budget", "0"}, {"--budget 0: expected seconds above zero"}},
        Wrong{{"tune", "--budgt", "9"}, {"--budgt", "did you mean '--budget'?"}},
        Wrong{{"profile", "--model", "tinny"}, {"did you mean 'tiny'?"}},
        Wrong{{"calibrate", "--pairs", "--interconnect", "10GbE", "--as-ranks", "8"}, {"--pairs measures the real"}},
        Wrong{{"calibrate", "--pairs", "--by-ranks"}, {"--by-ranks measures", "--pairs"}},
        Wrong{{"calibrate", "--pairs", "-n", "1"}, {"--pairs: one rank has no pair"}},
        Wrong{{"calibrate", "--algorithms", "-n", "1"}, {"--algorithms: one rank has nothing to sum"}},
        Wrong{{"calibrate", "--algorithms", "--pairs"}, {"--pairs excludes --algorithms"}},
        Wrong{{"calibrate", "--algorithms", "--import", "osu.log"}, {"--algorithms", "--import"}},
        Wrong{{"calibrate", "--algorithm"}, {"--algorithm", "did you mean '--algorithms'?"}},
        Wrong{{"calibrate", "--budget", "0"}, {"--budget 0"}},
        Wrong{{"calibrate", "--import", "none.log"}, {"none.log: no such file"}},
        Wrong{{"calibrate", "--import", "osu.log", "--ranks", "4"}, {"osu.log:4", "'nan'"}},
        Wrong{{"calibrate", "--import", "osu.log", "-n", "2"}, {"-n excludes --import"}},
        Wrong{{"calibrate", "--ranks", "4"}, {"--ranks requires --import"}},
        Wrong{{"calibrate", "--import", "mixed.csv"}, {"mixed.csv: 2 sizes over 4 ranks"}}));

TEST_F(Commands, ACalibrationForAnotherNumberOfRanksIsRefused) {
  ASSERT_EQ(mgbench({"calibrate", "-n", "2", "--budget", "4"}).exit_code, 0);
  const std::string calibration = result_file("-calibrate-2ranks.yaml");
  const std::string profile = write_profile();
  const ProgramResult planned = mgbench({"plan", "--profile", profile, "--calibration", calibration, "--ranks", "8"});
  EXPECT_EQ(planned.exit_code, 2);
  EXPECT_NE(planned.errors.find("2 ranks"), std::string::npos) << planned.errors;
  EXPECT_NE(planned.errors.find("mgbench calibrate"), std::string::npos) << planned.errors;
  const ProgramResult run = mgbench({"run", "--model", "tiny", "-n", "1", "--calibration", calibration});
  EXPECT_EQ(run.exit_code, 2) << run.errors;
}

TEST_F(Commands, ARankThatAnotherMpisLauncherStartedDoesNotRun) {
  // As under the mpiexec of another MPI: the launcher says 4 processes, and MPI that this one is alone.
  const ProgramResult result = mgbench(
      {"run", "--model", "tiny"}, {{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}, {"OMPI_MCA_ess_singleton_isolated", "1"}});
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_NE(result.errors.find("PMI_SIZE=4"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
}

}  // namespace
}  // namespace mgbench
