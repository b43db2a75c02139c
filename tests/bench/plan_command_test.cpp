// `mgbench profile` and `mgbench plan` as a user types them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/model.h"
#include "planner/strategy.h"
#include "report/calibration.h"
#include "report/export.h"
#include "report/plan_file.h"
#include "report/profile_file.h"
#include "support/commands.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

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

}  // namespace
}  // namespace mgbench
