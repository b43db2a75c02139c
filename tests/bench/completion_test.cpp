// What fish and zsh themselves offer with the completion that `mgbench help` writes for them. (bash:
// help_command_test.)
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "bench/build_info.h"
#include "bench/command.h"
#include "bench/communicator.h"
#include "bench/help/command_tree.h"
#include "models/model.h"
#include "support/commands.h"

namespace mgbench {
namespace {

using Names = std::set<std::string>;

class Completion : public Commands, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    if (run_program({"sh", "-c", "command -v " + GetParam()}, folder_.path()).exit_code != 0)
      GTEST_SKIP() << "no " << GetParam();
    const bool zsh = GetParam() == "zsh";
    std::filesystem::create_directory(folder_.path() / "shell");
    folder_.write(zsh ? "shell/_mgbench" : "shell/mgbench.fish",
                  mgbench({"help", "--" + GetParam() + "-completion"}).output);
  }

  /// For the end of `line`, without what the shell says of each.
  Names offers(const std::string& line) const {
    const std::vector<std::string> command =
        GetParam() == "zsh"
            ? std::vector<std::string>{"zsh", "-f", std::string(kSourceFolder) + "/tests/support/zsh_offers.zsh",
                                       (folder_.path() / "shell").string(), line}
            : std::vector<std::string>{"fish", "--no-config", "-c", "source shell/mgbench.fish; complete -C $argv[1]",
                                       line};
    const ProgramResult result = run_program(command, folder_.path(), {{"HOME", folder_.path().string()}});
    EXPECT_EQ(result.errors, "") << line;
    Names names;
    std::istringstream lines(result.output);
    for (std::string each; std::getline(lines, each);) names.insert(each.substr(0, each.find('\t')));
    return names;
  }
};

TEST_P(Completion, OffersCommandsAndTheirOptions) {
  const Names all = offers("mgbench ");
  for (const std::string& command : commands().names()) EXPECT_TRUE(all.contains(command)) << command;
  EXPECT_EQ(offers("mgbench cali"), Names{"calibrate"});
  const CommandTree tree;
  for (const CLI::App* command : tree.app.get_subcommands({})) {
    Names offered = offers("mgbench " + command->get_name() + " -");
    offered.merge(offers("mgbench " + command->get_name() + " --"));
    for (const std::string& name : option_names(*command))
      EXPECT_TRUE(offered.contains(with_hyphens(name))) << command->get_name() << " " << name;
  }
}

TEST_P(Completion, OffersNamesOfTheRegistries) {
  const std::vector<std::string> networks = models().names();
  EXPECT_EQ(offers("mgbench run --model "), Names(networks.begin(), networks.end()));
  EXPECT_EQ(offers("mgbench run --precision f"), (Names{"fp32", "fp16"}));
  const Names carriers = offers("mgbench run --json --communicator ");
  for (const std::string& name : communicators().names()) EXPECT_TRUE(carriers.contains(name)) << name;
  EXPECT_EQ(offers("mgbench help wf"), Names{"wfbp"});
  EXPECT_EQ(offers("mgbench run --strategy wfbp,syn"), Names{"wfbp,synceasgd"});
  EXPECT_EQ(offers("mgbench run --model=goo"), Names{"--model=googlenet"});
}

TEST_P(Completion, OffersPathsWhereThereAreSome) {
  write_profile();
  EXPECT_EQ(offers("mgbench plan --profile prof"), Names{"profile.yaml"});
  EXPECT_EQ(offers("mgbench plan --interconnect 10"), Names{"10GbE"});
  EXPECT_EQ(offers("mgbench report prof"), Names{"profile.yaml"});
  EXPECT_EQ(offers("mgbench run -o prof"), Names{}) << "a folder is wanted";
  EXPECT_EQ(offers("mgbench run --batch "), Names{}) << "a number is wanted";
}

INSTANTIATE_TEST_SUITE_P(Shells, Completion, testing::Values("fish", "zsh"),
                         [](const auto& shell) { return shell.param; });

}  // namespace
}  // namespace mgbench
