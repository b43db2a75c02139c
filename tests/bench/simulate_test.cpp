// `mgbench simulate` as a user types it, and wrong input to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/simulation.h"
#include "report/calibration.h"
#include "report/device_file.h"
#include "report/profile_file.h"
#include "support/commands.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class Simulate : public Commands {
 protected:
  ProgramResult simulate(std::vector<std::string> words) const {
    words.insert(words.begin(), "simulate");
    return mgbench(words);
  }

  std::string write_profile() const {
    Profile profile{.model = "toy", .backend = "replay", .ranks = 2, .batch = 1, .steps = {}, .update = 1e-4};
    for (const char* name : {"first", "second", "third"})
      profile.steps.push_back(
          {.name = name,
           .forward = 1e-3,
           .backward = 2e-3,
           .tensors = {{std::string(name) + ".weight", 400000}, {std::string(name) + ".bias", 400}}});
    return folder_.write("profile.yaml", to_yaml(profile));
  }

  std::string write_calibration(int ranks) const {
    Calibration calibration;
    calibration.ranks = ranks;
    CalibrationCurve curve{.name = "engine", .communicator = "mpi-async"};
    for (Bytes bytes = 4; bytes <= 1 << 22; bytes *= 4)
      curve.points.push_back({bytes, Line{2e-5 * (ranks - 1), 1e-9}.time(bytes), {}, 10});
    curve.fit_points();
    calibration.curves.push_back(curve);
    return folder_.write("calibration" + std::to_string(ranks) + ".yaml", to_yaml(calibration));
  }

  void expect_refused(std::vector<std::string> words, const std::vector<std::string>& parts) const {
    words.insert(words.begin(), "simulate");
    Commands::expect_refused(words, parts);
  }
};

TEST_F(Simulate, ADeviceAndAnInterconnectOfTheLiterature) {
  const ProgramResult result = simulate({"--device", "K80", "--model", "googlenet", "--interconnect", "10GbE"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* part : {"SIMULATED", "K80 (estimated)", "64 images", "~4096", "Scaling efficiency", "< 90 %",
                           "overtakes wfbp between", "as given", "by the law of"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part;
  for (const Scheduler& scheduler : schedulers()) EXPECT_NE(result.output.find(scheduler.name), std::string::npos);
}

TEST_F(Simulate, OneCalibrationIsAGuessBeyondItsRanks) {
  const ProgramResult result =
      simulate({"--profile", write_profile(), "--calibration", write_calibration(4), "--ranks", "4,8,...,32"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("a guess of mgbench"), std::string::npos);
  EXPECT_NE(result.output.find("~16"), std::string::npos);
}

TEST_F(Simulate, SeveralCalibrationsAreALaw) {
  const ProgramResult result =
      simulate({"--profile", write_profile(), "--calibration", write_calibration(2), "--calibration",
                write_calibration(4), "--calibration", write_calibration(8), "--ranks", "8,64"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("which explains 2, 4, 8 ranks best"), std::string::npos) << result.output;
}

TEST_F(Simulate, ValuesAsJson) {
  const ProgramResult result =
      simulate({"--device", "K80", "--interconnect", "10GbE", "--ranks", "8,64,1024", "--strategy", "mg-wfbp,wfbp,dear",
                "--jitter", "0.02", "--seed", "3", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json rows = Json::parse(result.output);
  ASSERT_EQ(rows.size(), 9);
  EXPECT_EQ(rows[0]["strategy"], "wfbp");
  EXPECT_EQ(rows[8]["strategy"], "dear");
  for (const Json& row : rows) {
    EXPECT_EQ(row["profile_of"], "K80 (estimated)");
    EXPECT_GT(row["mean_iteration_seconds"], row["iteration_seconds"]);
    EXPECT_LE(row["iteration_range_seconds"][0], row["iteration_seconds"]);
    EXPECT_NEAR(row["speedup"].get<double>(), row["ranks"].get<int>() * row["efficiency"].get<double>(), 1e-9);
  }
  EXPECT_EQ(rows[0]["cost_basis"], "measured");
}

TEST_F(Simulate, LayersAreFewerMessages) {
  const std::vector<std::string> words{"--device", "K80",        "--interconnect", "10GbE", "--ranks",
                                       "8",        "--strategy", "wfbp",           "--json"};
  const auto messages = [&](const std::string& unit) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--message-unit", unit});
    return Json::parse(simulate(all).output)[0]["messages"].get<int>();
  };
  EXPECT_EQ(messages("tensor"), 161);
  EXPECT_EQ(messages("layer"), 107);
}

TEST_F(Simulate, RefusesWrongInput) {
  const std::vector<std::string> good{"--device", "K80", "--interconnect", "10GbE"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), good.begin(), good.end());
    return more;
  };
  expect_refused(with({"--ranks", "1"}), {"'1'", "2 to"});
  expect_refused(with({"--ranks", "0,4"}), {"'0'"});
  expect_refused(with({"--ranks", "8,4"}), {"4 follows 8"});
  expect_refused(with({"--ranks", "2,...,8"}), {"two numbers"});
  expect_refused(with({"--ranks", "2,4,..."}), {"expected numbers"});
  expect_refused(with({"--ranks", "many"}), {"'many'"});
  expect_refused(with({"--strategy", "dera"}), {"did you mean 'dear'"});
  expect_refused(with({"--message-unit", "layers"}), {"did you mean 'layer'"});
  expect_refused(with({"--sharing", "0.5"}), {"sharing = 0.5", "at least 1"});
  expect_refused(with({"--law", "rings"}), {"did you mean 'ring'"});
  expect_refused(with({"--jitter", "-1"}), {"expected 0 to 1"});
  expect_refused(with({"--jitter", "nan"}), {"expected 0 to 1"});
  expect_refused(with({"--jitter", "nothing.json"}), {"no such file"});
  expect_refused(with({"--batch", "0"}), {"at least one image"});
  expect_refused(with({"--model", "alexnet"}), {"alexnet", "googlenet, resnet50"});
  expect_refused(with({"--profile", write_profile()}), {"--profile FILE", "--device NAME"});
  expect_refused({"--interconnect", "10GbE"}, {"mgbench profile"});
  expect_refused({"--device", "K80"}, {"--interconnect FILE or --calibration FILE"});
  expect_refused({"--device", "K81", "--interconnect", "10GbE"}, {"did you mean 'K80'"});
  expect_refused({"--device", "K80", "--interconnect", "11GbE"}, {"did you mean", "10GbE"});
  expect_refused({"--profile", write_profile(), "--calibration", write_calibration(1)}, {"one rank"});
  expect_refused(
      {"--profile", write_profile(), "--calibration", write_calibration(4), "--calibration", write_calibration(4)},
      {"second calibration of 4"});
}

TEST_F(Simulate, RefusesWrongDevices) {
  const std::string head = "name: X\nsource: y\nbytes_per_second: 1e11\n";
  const std::string tail = "throughput:\n  resnet50: {batch: 32, images_per_second: 80}\n";
  EXPECT_EQ(device_from_yaml(head + "flops: 1e12\n" + tail, "f").throughput.at("resnet50").batch, 32);
  for (const char* flops : {"-1", "0", ".nan", ".inf", "1e30", "fast"})
    EXPECT_THROW(device_from_yaml(head + "flops: " + flops + "\n" + tail, "f"), Error) << flops;
  EXPECT_THROW(device_from_yaml(head + tail, "f"), Error);
  EXPECT_THROW(device_from_yaml(head + "flops: 1e12\nthroughput: {}\n", "f"), Error);
  EXPECT_THROW(device_from_yaml(head + "flop: 1e12\n" + tail, "f"), Error);
}

TEST_F(Simulate, RunSaysThatItCannotExecuteThem) {
  for (const char* strategy : {"dear", "asc-wfbp"}) {
    const ProgramResult result = run_program({MGBENCH_PROGRAM, "run", "--strategy", strategy}, folder_.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find("can be simulated (mgbench simulate), not run"), std::string::npos) << result.errors;
  }
}

}  // namespace
}  // namespace mgbench
