// The commands on GPUs, as a user types them, on libraries that stand in for CUDA's (tests/stand_in).
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <map>
#include <nlohmann/json.hpp>

#include "report/calibration.h"
#include "report/profile_file.h"
#include "report/run_result.h"
#include "support/commands.h"
#include "support/result_schema.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class GpuCommands : public Commands {
 protected:
  ProgramResult on_gpus(int devices, std::vector<std::string> words, const std::string& memory = "60000000") const {
    std::map<std::string, std::string> environment{{"LD_LIBRARY_PATH", MGBENCH_STAND_IN},
                                                   {"MGBENCH_STAND_IN_DEVICES", std::to_string(devices)},
                                                   {"MGBENCH_STAND_IN_MEMORY", memory},
                                                   {"NCCL_DEBUG", "WARN"}};
    for (const auto& [name, value] : environment_) environment[name] = value;
    return mgbench(std::move(words), {environment.begin(), environment.end()});
  }

  /// Of a run of two ranks, which must have gone well.
  RunResult run(const std::vector<std::string>& options, int devices = 2) const {
    // Six rounds are enough, and a busy machine has time for them.
    std::vector<std::string> words{"run", "--model",  "tiny", "--batch",    "2",           "--budget",
                                   "20",  "--within", "0.9",  "--strategy", "wfbp,mg-wfbp"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramResult result = on_gpus(devices, words);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    const std::string path = result_file("-run-tiny.json");
    EXPECT_EQ(complaints(Json::parse(text_of(path)), "result"), "");
    RunResult saved = run_result_from_json(text_of(path), path);
    EXPECT_TRUE(saved.correct());
    EXPECT_EQ(saved.backend, "cudnn");
    EXPECT_EQ(saved.environment.at("device.name"), "stand-in");
    EXPECT_EQ(saved.environment.at("variable.NCCL_DEBUG"), "WARN");
    EXPECT_NE(saved.environment.at("software.backend").find("cuDNN 9."), std::string::npos);
    return saved;
  }

  /// Whether this process may use processors 0 and 1.
  static bool two_processors() {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    return CPU_ISSET(0, &allowed) && CPU_ISSET(1, &allowed);
  }

  /// What `calibrate --algorithms` finds of NCCL in such a mood (tests/stand_in/README.md).
  Json compared(const std::string& mood) {
    environment_["MGBENCH_STAND_IN_NCCL"] = mood;
    const ProgramResult result =
        on_gpus(2, {"calibrate", "--algorithms", "--communicator", "nccl", "--budget", "6", "--json"}, "1100000000");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return Json::parse(result.output);
  }

  void expect_line(const ProgramResult& result, int exit_code, const std::vector<std::string>& parts) const {
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    for (const std::string& part : parts)
      EXPECT_NE(result.errors.find(part), std::string::npos) << part << "\n" << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result_file(".json"), "");
  }

  std::string result_file(const std::string& ending) const {
    return std::filesystem::exists(folder_.path() / "results") ? Commands::result_file(ending) : "";
  }

  std::map<std::string, std::string> environment_;  ///< beside what on_gpus() sets
};

TEST_F(GpuCommands, ListSaysThatTheyCanBeUsed) {
  const ProgramResult list = on_gpus(1, {"list"});
  EXPECT_NE(list.output.find("  cudnn           an NVIDIA GPU, through cuDNN and cuBLAS\n"), std::string::npos);
  EXPECT_EQ(list.output.find("cuBLAS [not available"), std::string::npos) << list.output;
}

TEST_F(GpuCommands, RanksAreAsManyAsGpus) {
  const ProgramResult plan = on_gpus(3, {"run", "--model", "tiny", "--dry-run"});
  EXPECT_EQ(plan.output.find("3 ranks on "), 0U) << plan.output;
  EXPECT_NE(plan.output.find(", one a GPU"), std::string::npos) << plan.output;
}

TEST_F(GpuCommands, RunsOnNcclAndTellsWhatItSaysOfItself) {
  const RunResult result = run({"--communicator", "nccl"});
  EXPECT_EQ(result.ranks, 2);
  EXPECT_EQ(result.communicator, "nccl");
  EXPECT_EQ(result.environment.at("software.precision"), "fp32, gradients in fp32");
  EXPECT_EQ(result.environment.at("nccl.allreduce"), "TREE/LL, 1 channel: 4 B to 19.8 KiB");
  EXPECT_EQ(result.environment.at("nccl.network"), "Socket: lo");
  EXPECT_EQ(result.environment.at("nccl.nvls"), "not available");
  EXPECT_EQ(result.environment.at("nccl.channels"), "8, of NVLS 0");
}

TEST_F(GpuCommands, RunsInTheLayoutThatIsMeasured) {
  const std::string layout = run({"--communicator", "nccl"}).environment.at("software.layout");
  EXPECT_TRUE(layout == "channels-first, measured" || layout == "channels-last, measured") << layout;
}

TEST_F(GpuCommands, RunsInTheLayoutThatIsTold) {
  const RunResult result = run({"--communicator", "nccl", "--precision", "tf32", "--layout", "channels-last"});
  EXPECT_EQ(result.environment.at("software.layout"), "channels-last, as told");
}

TEST_F(GpuCommands, ALayoutThatALayerRefusesIsNotTaken) {
  environment_["MGBENCH_STAND_IN_NHWC"] = "0";
  const std::string refusal = "cudnnFindConvolutionForwardAlgorithmEx: CUDNN_STATUS_NOT_SUPPORTED";
  const RunResult result = run({"--communicator", "nccl"});
  EXPECT_EQ(result.environment.at("software.layout"), "channels-first, since channels-last cannot be used: " + refusal);
  const ProgramResult told =
      on_gpus(1, {"run", "--model", "tiny", "--batch", "2", "--communicator", "nccl", "--layout", "channels-last"});
  EXPECT_EQ(told.exit_code, 3);
  EXPECT_NE(told.errors.find(refusal), std::string::npos) << told.errors;
}

TEST_F(GpuCommands, RunsThroughTheHostWithGradientsInHalves) {
  const RunResult result = run({"--communicator", "mpi-staged", "--precision", "bf16", "--gradients", "bf16"});
  EXPECT_EQ(result.communicator, "mpi-staged");
  EXPECT_EQ(result.environment.at("software.precision"), "bf16, gradients in bf16");
}

TEST_F(GpuCommands, RunsOnAnEmulatedInterconnect) {
  const RunResult result = run({"-n", "1", "--interconnect", "10GbE", "--as-ranks", "16", "--precision", "fp16"});
  EXPECT_EQ(result.communicator, "emulated");
  EXPECT_EQ(result.emulated, "10GbE as 16 ranks");
  EXPECT_EQ(result.environment.at("software.precision"), "fp16, gradients in fp32");
}

TEST_F(GpuCommands, ChoosesACommunicatorByMeasuring) {
  const RunResult result = run({});
  ASSERT_TRUE(result.communicator_choice);
  EXPECT_TRUE(result.communicator == "nccl" || result.communicator == "mpi-staged") << result.communicator;
}

/// As hwloc reads a machine from a file: device 0 is beside processor 1, device 1 beside processor 0, device 2 at a
/// package of which no processor is there.
const std::map<std::string, std::string> kTwoPackages{{"HWLOC_XMLFILE", MGBENCH_TWO_PACKAGES},
                                                      {"HWLOC_THISSYSTEM", "1"}};

std::string placement(const RunResult& result) {
  for (const auto& [key, value] : result.environment)
    if (key.starts_with("host.") && value.find("rank 0 on ") != std::string::npos)
      return value.substr(value.find("rank 0 on "));
  return "";
}

TEST_F(GpuCommands, RanksTakeDevicesNearTheirProcessors) {
  if (!two_processors()) GTEST_SKIP() << "processors 0 and 1 are not this test's";
  environment_ = kTwoPackages;
  const RunResult result = run({"--communicator", "nccl"});
  EXPECT_EQ(placement(result),
            "rank 0 on processors 0 with GPU 0000:11:00.0 at the same NUMA node; "
            "rank 1 on processors 1 with GPU 0000:10:00.0 at the same NUMA node");
  EXPECT_EQ(result.remarks, std::vector<std::string>{});
}

TEST_F(GpuCommands, RanksThatAreNotBoundTakeDevicesInOrder) {
  const RunResult result = run({"--communicator", "nccl"}, 2);
  const std::string text = placement(result);
  const std::size_t first = text.find(" with GPU 0000:10:00.0");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_GT(text.find(" with GPU 0000:11:00.0"), first) << text;
}

TEST_F(GpuCommands, ADeviceAtAnotherPackageIsRemarkedOn) {
  if (!two_processors()) GTEST_SKIP() << "processors 0 and 1 are not this test's";
  environment_ = kTwoPackages;
  const RunResult result = run({"-n", "3", "--communicator", "nccl"}, 3);
  EXPECT_NE(placement(result).find(" with GPU 0000:12:00.0 at another package"), std::string::npos)
      << placement(result);
  const auto far = [](const std::string& remark) {
    return remark.find("the GPU of rank 2 on ") == 0 &&
           remark.find("(processors 0-1, GPU 0000:12:00.0) lies at another package than the processors") !=
               std::string::npos;
  };
  EXPECT_EQ(std::count_if(result.remarks.begin(), result.remarks.end(), far), 1)
      << fmt::format("{}", fmt::join(result.remarks, "\n"));
}

TEST_F(GpuCommands, Calibrates) {
  const ProgramResult result = on_gpus(2, {"calibrate", "--communicator", "nccl", "--budget", "6"}, "1100000000");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string path = result_file(".yaml");
  const Calibration calibration = calibration_from_yaml(text_of(path), path);
  EXPECT_EQ(calibration.find("engine").communicator, "nccl");
  EXPECT_NE(text_of(path).find(" with GPU 0000:10:00.0"), std::string::npos) << "which device a rank had";
  EXPECT_EQ(calibration.provenance.at("nccl.allreduce"),
            "TREE/LL, 1 channel: 4 B to 64.0 KiB; RING/LL, 2 to 8 channels: 128.0 KiB to 1.0 MiB; RING/SIMPLE, 8 "
            "channels: 2.0 MiB to 232.6 MiB");
}

TEST_F(GpuCommands, WhatNcclDoesNotSayIsNotGuessed) {
  environment_["MGBENCH_STAND_IN_NCCL"] = "mute";
  const RunResult result = run({"--communicator", "nccl"});
  EXPECT_EQ(result.environment.at("nccl.allreduce"), "NCCL did not say");
  EXPECT_EQ(result.environment.at("nccl.channels"), "8, of NVLS 0");
}

TEST_F(GpuCommands, TheUsersOwnLogOfNcclIsAsItWas) {
  const std::string log = (folder_.path() / "nccl.log").string();
  environment_ = {{"NCCL_DEBUG", "INFO"}, {"NCCL_DEBUG_SUBSYS", "INIT"}, {"NCCL_DEBUG_FILE", log + ".%p"}};
  const ProgramResult result = on_gpus(2, {"run", "--model", "tiny", "--batch", "2", "--budget", "20", "--within",
                                           "0.9", "--strategy", "wfbp", "--communicator", "nccl"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  int logs = 0;  // one a rank: the processes that ask NCCL write to none of them
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (!entry.path().string().starts_with(log)) continue;
    ++logs;
    const std::string text = text_of(entry.path().string());
    EXPECT_NE(text.find("NCCL INFO Using network Socket\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("Bytes -> Algo"), std::string::npos) << "a subsystem that the user has not asked for";
  }
  EXPECT_EQ(logs, 2);
}

TEST_F(GpuCommands, ComparesNcclsChoiceWithWhatItCanBeMadeToTake) {
  const std::string log = (folder_.path() / "nccl.log").string();
  environment_ = {{"NCCL_DEBUG", "INFO"}, {"NCCL_DEBUG_SUBSYS", "TUNING"}, {"NCCL_DEBUG_FILE", log + ".%p"}};
  const Json json = compared("open");
  EXPECT_EQ(json["variable"], "NCCL_ALGO, NCCL_PROTO");
  EXPECT_EQ(json["provenance"]["nccl.network"], "Socket: lo");
  EXPECT_EQ(
      json["provenance"]["nccl.allreduce"].get<std::string>().find("TREE/LL, 1 channel: 4 B to 64.0 KiB; RING/LL"), 0U);
  EXPECT_FALSE(json["failed"].contains("Ring"));
  EXPECT_FALSE(json["failed"].contains("Tree/Simple"));
  EXPECT_TRUE(json["failed"].contains("NVLS"));
  EXPECT_TRUE(json["failed"].contains("Ring/LL128"));
  ASSERT_FALSE(json["sizes"].empty());
  EXPECT_EQ(json["sizes"][0]["same_as_own_choice"], (Json{"Tree", "Tree/LL"}));
  std::string said;  // where time is taken
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    if (entry.path().string().starts_with(log)) said += text_of(entry.path().string());
  for (const char* way : {"TREE proto LL ", "TREE proto SIMPLE ", "RING proto LL ", "RING proto SIMPLE "})
    EXPECT_NE(said.find(std::string("AllReduce: 4 Bytes -> Algo ") + way), std::string::npos) << way;
}

TEST_F(GpuCommands, WhatNcclDoesNotTakeIsLeftOut) {
  const Json failed = compared("deaf")["failed"];
  EXPECT_EQ(failed["Ring/Simple"], "NCCL took RING/LL at 4 B all the same");
  EXPECT_FALSE(failed.contains("Ring"));
}

TEST_F(GpuCommands, WhatNcclRefusesIsLeftOut) {
  const Json failed = compared("reluctant")["failed"];
  EXPECT_NE(failed["NVLS"].get<std::string>().find("NCCL_ALGO was set to NVLS."), std::string::npos) << failed;
  EXPECT_FALSE(failed.contains("Ring"));
}

TEST_F(GpuCommands, ChoicesThatNcclDoesNotTellAreNotCompared) {
  environment_["MGBENCH_STAND_IN_NCCL"] = "mute";
  expect_line(on_gpus(2, {"calibrate", "--algorithms", "--communicator", "nccl"}, "1100000000"), 3,
              {"--algorithms: nothing can be compared with NCCL's own choice (Ring: NCCL did not say what it took at "
               "4 B)"});
}

TEST_F(GpuCommands, NoAlgorithmsOfACommunicatorWithoutAny) {
  expect_line(on_gpus(2, {"calibrate", "--algorithms", "--communicator", "mpi-staged", "-n", "2"}), 2,
              {"mgbench: --algorithms: the MPI library's, or NCCL's with --communicator nccl; 'mpi-staged' has none"});
  expect_line(on_gpus(1, {"calibrate", "--algorithms", "--communicator", "nccl"}), 2,
              {"--algorithms: there is one GPU, and one rank has nothing to sum"});
  environment_["NCCL_PROTO"] = "LL";
  expect_line(on_gpus(2, {"calibrate", "--algorithms", "--communicator", "nccl", "-n", "2"}), 2,
              {"mgbench: --algorithms: NCCL_PROTO is set to LL, and NCCL's own choice could not be measured"});
}

TEST_F(GpuCommands, Profiles) {
  const ProgramResult result = on_gpus(2, {"profile", "--model", "tiny", "--batch", "2", "--budget", "5"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string path = result_file(".yaml");
  EXPECT_EQ(profile_from_yaml(text_of(path), path).backend, "cudnn");
}

TEST_F(GpuCommands, Tunes) {
  const ProgramResult result = on_gpus(2, {"tune", "--model", "tiny", "--batch", "2", "--communicator", "nccl",
                                           "--strategy", "wfbp,mg-wfbp", "--budget", "10"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string path = result_file("-tune-tiny.json");
  EXPECT_EQ(run_result_from_json(text_of(path), path).backend, "cudnn");
  EXPECT_NE(result_file("-tune-tiny.yaml"), "");
}

TEST_F(GpuCommands, RunsIterationsAsGraphs) {
  const RunResult result = run({"--cuda-graphs"});
  EXPECT_EQ(result.communicator, "nccl") << "the only one whose messages can be captured";
  EXPECT_FALSE(result.communicator_choice);
  EXPECT_EQ(result.environment.at("software.graphs"), "an iteration is a CUDA graph");
  EXPECT_NE(result.command.find("--cuda-graphs"), std::string::npos) << result.command;
  for (const StrategyResult& strategy : result.strategies) EXPECT_GT(strategy.iteration().median, 0);
}

TEST_F(GpuCommands, OneRankHasNothingToSendAndGraphsAllTheSame) {
  EXPECT_EQ(run({"--cuda-graphs", "-n", "1", "--precision", "fp16", "--gradients", "fp16"}, 1).ranks, 1);
}

TEST_F(GpuCommands, WithoutGraphsNothingIsSaidOfThem) {
  EXPECT_FALSE(run({"--communicator", "nccl"}).environment.contains("software.graphs"));
}

TEST_F(GpuCommands, TunesIterationsAsGraphs) {
  const ProgramResult result = on_gpus(
      2, {"tune", "--model", "tiny", "--batch", "2", "--cuda-graphs", "--strategy", "wfbp,mg-wfbp", "--budget", "10"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find(" --cuda-graphs"), std::string::npos) << "how to run the plan: " << result.output;
}

TEST_F(GpuCommands, GraphsOfWhatTheHostTakesPartInAreRefused) {
  const auto with = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"run", "--model", "tiny", "--cuda-graphs"};
    words.insert(words.end(), options.begin(), options.end());
    return on_gpus(1, words);
  };
  for (const char* communicator : {"mpi-staged", "mpi-async"})
    expect_line(with({"--communicator", communicator}), 2,
                {"mgbench: --cuda-graphs: the host takes part in each message of communicator '" +
                 std::string(communicator) + "', and a graph runs without it: take nccl\n"});
  expect_line(
      with({"--interconnect", "10GbE", "--as-ranks", "16"}), 2,
      {"mgbench: --cuda-graphs: the host takes the time of emulated messages (--interconnect), and a graph runs "
       "without it\n"});
  expect_line(with({"--backend", "onednn"}), 2, {"mgbench: --cuda-graphs: backend 'onednn' has no CUDA graphs\n"});
}

TEST_F(GpuCommands, ARankWithoutAGpuIsNamed) {
  const auto errors_where_rank_1_has_none = [&](const std::string& communicator) {
    const ProgramResult result =
        run_program({MGBENCH_MPIEXEC, "-n", "2", "sh", "-c",
                     "MGBENCH_STAND_IN_DEVICES=$((2 - 2 * OMPI_COMM_WORLD_RANK)) exec " MGBENCH_PROGRAM
                     " run --model tiny --budget 2 --communicator " +
                         communicator},
                    folder_.path(),
                    {{"LD_LIBRARY_PATH", MGBENCH_STAND_IN},
                     {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                     {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_EQ(result.errors.find("MPI_"), std::string::npos) << result.errors;
    return result.errors;
  };
  const std::string chosen = errors_where_rank_1_has_none("auto");
  EXPECT_NE(chosen.find("would compute on a GPU, and rank 1 on "), std::string::npos) << chosen;
  const std::string told = errors_where_rank_1_has_none("nccl");
  EXPECT_NE(told.find("mgbench: rank 1 on "), std::string::npos) << told;
}

TEST_F(GpuCommands, TwoRanksOnOneDeviceAreRefused) {
  expect_line(on_gpus(1, {"run", "--model", "tiny", "-n", "2", "--batch", "2", "--communicator", "nccl"}), 2,
              {"ranks 0 and 1 would share the GPU ", "as many ranks as there are GPUs (-n)"});
}

TEST_F(GpuCommands, ABatchThatDoesNotFitIsNotMeasured) {
  expect_line(
      on_gpus(1, {"run", "--model", "tiny", "--batch", "4000", "--communicator", "nccl"}), 3,
      {"model 'tiny' at batch 4000 needs ", " MiB of device memory, and ", " MiB are free: take a smaller --batch"});
}

TEST_F(GpuCommands, WrongPrecisionsAndLayoutsAreRefused) {
  const std::vector<std::string> run{"run", "--model", "tiny"};
  const auto with = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words = run;
    words.insert(words.end(), options.begin(), options.end());
    return on_gpus(1, words);
  };
  expect_line(with({"--precision", "fp61"}), 2, {"mgbench: unknown precision 'fp61'", "fp16"});
  expect_line(with({"--gradients", "tf32"}), 2, {"mgbench: unknown type of gradients 'tf32'", "fp32"});
  expect_line(with({"--backend", "onednn", "--precision", "fp16"}), 2,
              {"mgbench: --precision fp16: backend 'onednn' computes in fp32 only\n"});
  expect_line(with({"--backend", "onednn", "--gradients", "bf16"}), 2,
              {"mgbench: --gradients bf16: backend 'onednn' has gradients in fp32 only\n"});
  expect_line(with({"--layout", "nhwc"}), 2, {"mgbench: unknown layout 'nhwc'", "auto, channels-first, channels-last"});
  expect_line(with({"--backend", "onednn", "--layout", "channels-last"}), 2,
              {"mgbench: --layout channels-last: backend 'onednn' has its own layouts\n"});
  expect_line(with({"--backend", "onednn", "--communicator", "nccl"}), 2,
              {"mgbench: communicator 'nccl' does not fit the backend 'onednn'", "Those that do: mpi-async"});
  expect_line(with({"--communicator", "mpi-cuda", "--gradients", "fp16"}), 2, {"mgbench: communicator 'mpi-cuda'"});
}

}  // namespace
}  // namespace mgbench
