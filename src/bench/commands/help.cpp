#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bench/command.h"
#include "bench/help/bash_completion.h"
#include "bench/help/fish_completion.h"
#include "bench/help/help_text.h"
#include "bench/help/manual_page.h"
#include "bench/help/zsh_completion.h"

namespace mgbench::commands_entries {
namespace {

/// A script for a shell.
struct Completion {
  const char* name;
  const char* description;
  std::string (*script)();
};

constexpr std::array<Completion, 3> kCompletions{
    {{"bash", "Completion for bash: source <(mgbench help --bash-completion)", bash_completion},
     {"fish", "Completion for fish: mgbench help --fish-completion | source", fish_completion},
     {"zsh", "Completion for zsh: a file _mgbench in a folder of $fpath", zsh_completion}}};

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("topic", config.topic, "What to explain; without one, the program")->type_name("TOPIC");
  std::vector<CLI::Option*> alone{
      app.add_flag("--man", config.manual_page, "Everything as a manual page: mgbench help --man | man -l -")};
  for (const Completion& shell : kCompletions) {
    CLI::Option* completion = app.add_flag_callback(
        fmt::format("--{}-completion", shell.name), [&config, &shell] { config.completion = shell.name; },
        shell.description);
    for (CLI::Option* other : alone) other->excludes(completion);
    alone.push_back(completion);
  }
}

void check(const RunConfig& config) {
  require_help_topic(config.topic);
}

ExitCode execute(const RunConfig& config, Session*) {
  const auto completion = std::find_if(kCompletions.begin(), kCompletions.end(),
                                       [&](const Completion& shell) { return shell.name == config.completion; });
  fmt::print("{}", config.manual_page                 ? manual_page()
                   : completion != kCompletions.end() ? completion->script()
                                                      : help_text(config.topic));
  return ExitCode::ok;
}

}  // namespace

CommandEntry help() {
  return {.name = "help",
          .summary = "Explain a command, a topic (files, exit-codes, ...), a strategy, communicator, backend or model",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries
