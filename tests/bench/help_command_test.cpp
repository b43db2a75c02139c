// What the program says of itself: `mgbench help`, the manual page, completion.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "bench/command.h"
#include "bench/communicator.h"
#include "bench/help/bash_completion.h"
#include "bench/help/command_tree.h"
#include "bench/help/explain.h"
#include "bench/help/help_text.h"
#include "bench/help/manual_page.h"
#include "bench/help/topic.h"
#include "bench/network.h"
#include "models/model.h"
#include "planner/simulated_strategy.h"
#include "support/commands.h"

namespace mgbench {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& line : lines_of(text)) longest = std::max(longest, line.size());
  return longest;
}

template <typename Entry>
void expect_four_lines(const Registry<Entry>& registry) {
  for (const Entry& entry : registry) {
    for (const std::string& line :
         {entry.explanation.does, entry.explanation.formula, entry.explanation.best, entry.explanation.source}) {
      EXPECT_NE(line, "") << entry.name;
      EXPECT_LE(line.size(), 69U) << entry.name << ": " << line;
    }
    EXPECT_EQ(lines_of(explain(entry)).size(), 5U) << entry.name;
  }
}

TEST(Explanation, EveryStrategyHasFourLines) {
  expect_four_lines(strategies());
  expect_four_lines(simulated_strategies());
}

TEST(Explanation, EveryCommunicatorAndBackendHasOne) {
  for (const CommunicatorEntry& entry : communicators()) EXPECT_NE(entry.explanation, "") << entry.name;
  for (const BackendEntry& entry : backends()) EXPECT_NE(entry.explanation, "") << entry.name;
}

TEST(Topic, HasASummaryAndLinesThatFitATerminal) {
  for (const TopicEntry& entry : topics()) {
    const std::string text = entry.text();
    EXPECT_NE(entry.summary, "") << entry.name;
    EXPECT_LE(longest_line(text), 79U) << entry.name;
    EXPECT_TRUE(text.ends_with("\n")) << entry.name;
  }
}

TEST(Topic, NoNameIsTakenByACommandOrAnEntry) {
  std::vector<std::string> names = help_topics();
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  EXPECT_TRUE(twice == names.end()) << *twice;
}

class HelpCommand : public Commands {
 protected:
  /// What completion offers for the last of `words`.
  std::vector<std::string> completions(const std::vector<std::string>& words) const {
    folder_.write("completion", bash_completion());
    std::vector<std::string> command{"bash",
                                     "--norc",
                                     "-c",
                                     "source completion; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _mgbench; "
                                     "printf '%s\\n' \"${COMPREPLY[@]}\"",
                                     "bash",
                                     "mgbench"};
    command.insert(command.end(), words.begin(), words.end());
    const ProgramResult result = run_program(command, folder_.path());
    EXPECT_EQ(result.errors, "");
    return lines_of(result.output);
  }

  static bool holds(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};

TEST_F(HelpCommand, ExplainsWhateverHasAName) {
  for (const std::string& topic : help_topics()) {
    const ProgramResult result = mgbench({"help", topic});
    EXPECT_EQ(result.exit_code, 0) << topic << result.errors;
    EXPECT_NE(result.output, "") << topic;
  }
}

TEST_F(HelpCommand, OfACommandIsWhatTheCommandSays) {
  for (const std::string& command : commands().names())
    EXPECT_EQ(mgbench({"help", command}).output, mgbench({command, "--help"}).output);
  EXPECT_EQ(mgbench({"help"}).output, mgbench({"--help"}).output);
}

TEST_F(HelpCommand, ListsItsTopics) {
  const std::string help = mgbench({"--help"}).output;
  for (const std::string& topic : topics().names()) EXPECT_NE(help.find(topic), std::string::npos) << topic;
  EXPECT_EQ(mgbench({"run", "--help"}).output.find("exit-codes"), std::string::npos);
}

TEST_F(HelpCommand, OfStrategiesExplainsEachOfThem) {
  const std::string help = mgbench({"help", "strategies"}).output;
  for (const std::string& name : strategies().names()) EXPECT_NE(help.find("\n" + name + "\n"), std::string::npos);
}

TEST_F(HelpCommand, AnUnknownTopicNamesTheNearest) {
  expect_refused({"help", "stratgies"}, {"unknown topic 'stratgies'; did you mean 'strategies'?"});
  expect_refused({"help", "rnu"}, {"did you mean 'run'?"});
  expect_refused({"help", "--man", "--bash-completion"}, {"--man", "--bash-completion"});
}

TEST(ManualPage, HasEveryOptionOfEveryCommand) {
  const CommandTree tree;
  const std::string page = manual_page();
  for (const CLI::App* command : tree.app.get_subcommands({})) {
    const std::size_t begin = page.find("\n.SS mgbench " + command->get_name() + "\n");
    ASSERT_NE(begin, std::string::npos) << command->get_name();
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& name : option_names(*command)) {
      std::string bold = with_hyphens(name);
      for (std::size_t at = 0; (at = bold.find('-', at)) != std::string::npos; at += 2) bold.insert(at, 1, '\\');
      EXPECT_NE(section.find("\\fB" + bold + "\\fR"), std::string::npos) << command->get_name() << " --" << name;
    }
  }
}

TEST(ManualPage, HasEveryTopic) {
  const std::string page = manual_page();
  for (const TopicEntry& topic : topics()) {
    std::string title = topic.name;
    std::replace(title.begin(), title.end(), '-', ' ');
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char letter) { return std::toupper(letter); });
    EXPECT_NE(page.find("\n.SH " + title + "\n"), std::string::npos) << title;
  }
}

TEST_F(HelpCommand, TheManualPageIsWithoutWarnings) {
  if (run_program({"sh", "-c", "command -v groff"}, folder_.path()).exit_code != 0) GTEST_SKIP() << "no groff";
  folder_.write("mgbench.1", mgbench({"help", "--man"}).output);
  const ProgramResult shown = run_program({"groff", "-man", "-Tutf8", "-ww", "-rLL=80n", "mgbench.1"}, folder_.path());
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.errors, "");
  EXPECT_NE(shown.output.find("F(j) = min over i < j of max(F(i), r_j) + T(s_{i+1} + ... + s_j)"), std::string::npos);
}

TEST_F(HelpCommand, CompletesCommands) {
  EXPECT_EQ(completions({"cali"}), (std::vector<std::string>{"calibrate"}));
  const std::vector<std::string> all = completions({""});
  for (const std::string& command : commands().names()) EXPECT_TRUE(holds(all, command)) << command;
}

TEST_F(HelpCommand, CompletesEveryOptionOfEveryCommand) {
  const CommandTree tree;
  for (const CLI::App* command : tree.app.get_subcommands({})) {
    const std::vector<std::string> offered = completions({command->get_name(), "-"});
    for (const std::string& name : option_names(*command))
      EXPECT_TRUE(holds(offered, with_hyphens(name))) << command->get_name() << " " << name;
  }
}

TEST_F(HelpCommand, CompletesNamesOfTheRegistries) {
  EXPECT_EQ(completions({"run", "--model", ""}), models().names());
  EXPECT_EQ(completions({"run", "--precision", "f"}), (std::vector<std::string>{"fp32", "fp16"}));
  const std::vector<std::string> computing = completions({"run", "--backend", ""});
  for (const std::string& name : backends().names()) EXPECT_TRUE(holds(computing, name)) << name;
  const std::vector<std::string> carriers = completions({"run", "--json", "--communicator", ""});
  for (const std::string& name : communicators().names()) EXPECT_TRUE(holds(carriers, name)) << name;
  const std::vector<std::string> simulated = completions({"simulate", "--strategy", ""});
  for (const std::string& name : simulated_strategies().names()) EXPECT_TRUE(holds(simulated, name)) << name;
  EXPECT_EQ(completions({"help", "wf"}), (std::vector<std::string>{"wfbp"}));
}

TEST_F(HelpCommand, CompletesListsAndValuesAfterAnEqualsSign) {
  EXPECT_EQ(completions({"run", "--strategy", "wfbp,syn"}), (std::vector<std::string>{"wfbp,synceasgd"}));
  EXPECT_EQ(completions({"run", "--model", "=", "goo"}), (std::vector<std::string>{"googlenet"}));
  EXPECT_EQ(completions({"run", "--model", "="}), models().names());
}

TEST_F(HelpCommand, CompletesPathsWhereThereAreSome) {
  write_profile();
  EXPECT_EQ(completions({"plan", "--profile", "prof"}), (std::vector<std::string>{"profile.yaml"}));
  EXPECT_EQ(completions({"plan", "--interconnect", "10"}), (std::vector<std::string>{"10GbE"}));
  EXPECT_EQ(completions({"report", "prof"}), (std::vector<std::string>{"profile.yaml"}));
  EXPECT_TRUE(completions({"run", "-o", "prof"}) == std::vector<std::string>{""}) << "a folder is wanted";
  EXPECT_TRUE(completions({"run", "--batch", ""}) == std::vector<std::string>{""}) << "a number is wanted";
}

}  // namespace
}  // namespace mgbench
