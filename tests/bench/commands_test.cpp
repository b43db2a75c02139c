// What all commands have in common, and wrong input to each.
#include "support/commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/error.h"
#include "bench/communicator.h"
#include "bench/network.h"
#include "models/model.h"
#include "planner/strategy.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

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
  folder_.write("wrong_short.yaml", "model: tiny\nn: many\n");
  folder_.write("broken_profile.yaml", "schema: 1\nmodel: x\nsteps: 3\n");
  folder_.write("newer.yaml", "schema: 2\nlater: 1\n");
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
        Wrong{{"run", "--backend", "onednn", "--communicator", "mpi-staged"},
              {"communicator 'mpi-staged' does not fit the backend 'onednn'", "from a GPU's memory only",
               "mpi-async, mpi-poll, mpi-thread"}},
        Wrong{{"calibrate", "--communicator", "mpi-pool"},
              {"unknown communicator 'mpi-pool'; did you mean 'mpi-poll'?"}},
        Wrong{{"run", "--batch", "0"}, {"--batch 0: expected at least one image"}},
        Wrong{{"run", "--batch", "four"}, {"--batch", "four"}},
        Wrong{{"run", "--batch", "100000"}, {"memory", "smaller --batch"}},
        Wrong{{"run", "-n", "0"}, {"-n 0: expected at least one rank"}},
        Wrong{{"run", "--budget", "-1"}, {"--budget -1"}}, Wrong{{"run", "--budget", "nan"}, {"--budget nan"}},
        Wrong{{"run", "--ddp-bucket", "25Mib"}, {"unknown unit 'Mib'", "did you mean 'MiB'?"}},
        Wrong{{"run", "--horovod-cycle", "0"}, {"--horovod-cycle: 0: expected a number above 0;"}},
        Wrong{{"run", "--horovod-cycle", "inf"}, {"--horovod-cycle: inf: expected a number above 0;"}},
        Wrong{{"run", "--budget", ""}, {"--budget: expected a value, which is empty"}},
        Wrong{{"run", "--calibration="}, {"--calibration: expected a value, which is empty"}},
        Wrong{{"run", "-o", "/proc/results"}, {"/proc/results: the results folder cannot be made"}},
        Wrong{{"run", "--config", "none.yaml"}, {"none.yaml: no such file"}},
        Wrong{{"run", "--config", "broken.yaml"}, {"broken.yaml:2"}},
        Wrong{{"run", "--config", "unknown_key.yaml"}, {"unknown_key.yaml:2", "batsh", "'batch'"}},
        Wrong{{"run", "--config", "wrong_value.yaml"}, {"wrong_value.yaml:3", "batch", "many"}},
        Wrong{{"run", "--config", "wrong_short.yaml"}, {"wrong_short.yaml:2", "-n", "many"}},
        Wrong{{"run", "--interconnect", "10GbE"}, {"--as-ranks"}},
        Wrong{{"run", "--interconnect", "11GbE", "--as-ranks", "8"}, {"11GbE", "did you mean '10GbE'?"}},
        Wrong{{"run", "--interconnect", "10GbE", "--as-ranks", "7"}, {"7", "8, 16, 32, 64"}},
        Wrong{{"run", "--backend", "replay"}, {"--profile and --backend replay belong together"}},
        Wrong{{"run", "--backend", "onednn", "--profile", "profile.yaml"},
              {"--profile and --backend replay belong together"}},
        Wrong{{"run", "--backend", "replay", "--profile", "broken_profile.yaml"}, {"broken_profile.yaml:"}},
        Wrong{{"plan", "--profile", "newer.yaml", "--interconnect", "10GbE", "--ranks", "8"},
              {"newer.yaml:1: schema: 2 is of a newer mgbench, expected 1 at most"}},
        Wrong{{"plan", "--profile", "profile.yaml", "--calibration", "newer.yaml"},
              {"newer.yaml:1: schema: 2 is of a newer mgbench, expected 1 at most"}},
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
              {"-o saves the plan of one strategy", "--strategy all names "}},
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
        Wrong{{"run", "--within", "2"}, {"--within 2: expected a share of the median, from 0 to below 1"}},
        Wrong{{"run", "--within", "nan"}, {"--within nan: expected a share of the median, from 0 to below 1"}},
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

TEST_F(Commands, SaysThatStandardOutputCannotBeWritten) {
  // The first is written at the end, the second while there is more to come.
  for (const char* command : {"list", "simulate --device K80 --model resnet50 --interconnect 10GbE"}) {
    const ProgramResult result =
        run_program({"sh", "-c", fmt::format("{} {} >/dev/full", MGBENCH_PROGRAM, command)}, folder_.path());
    EXPECT_EQ(result.exit_code, 3) << command;
    EXPECT_NE(result.errors.find(std::strerror(ENOSPC)), std::string::npos) << result.errors;
  }
}

TEST_F(Commands, WritesToNoFileInPlaceOfAClosedStream) {
  const std::string program = fmt::format("{} run --model tiny -n 2 --strategy wfbp --budget 4", MGBENCH_PROGRAM);
  const ProgramResult result = run_program({"sh", "-c", program + " <&- >&- 2>&-"}, folder_.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(Json::parse(text_of(result_file(".json"))).at("model"), "tiny");
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
