// `mgbench calibrate` as a user types it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/calibration.h"
#include "support/commands.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

TEST_F(Commands, CalibrateByRanksSavesACalibrationForEach) {
  const ProgramResult result = mgbench({"calibrate", "--by-ranks", "-n", "3", "--budget", "8"});
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

TEST_F(Commands, SeveralNumbersOfRanksAreSeveralCalibrations) {
  folder_.write("ranks.csv", "P,size,avg latency(us)\n2,4,1\n2,8,2\n2,16,3\n4,4,1\n4,8,2\n4,16,3\n");
  const ProgramResult result = mgbench({"calibrate", "--import", "ranks.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("Allreduce over 2 ranks"), std::string::npos);
  EXPECT_NE(result.output.find("Allreduce over 4 ranks"), std::string::npos);
  EXPECT_NE(result_file("-import-2ranks.yaml"), "");
  EXPECT_NE(result_file("-import-4ranks.yaml"), "");
}

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

}  // namespace
}  // namespace mgbench
