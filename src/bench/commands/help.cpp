#include <fmt/format.h>

#include "bench/command.h"
#include "bench/help/bash_completion.h"
#include "bench/help/help_text.h"
#include "bench/help/manual_page.h"

namespace mgbench::commands_entries {
namespace {

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("topic", config.topic, "What to explain; without one, the program")->type_name("TOPIC");
  CLI::Option* manual =
      app.add_flag("--man", config.manual_page, "Everything as a manual page: mgbench help --man | man -l -");
  CLI::Option* completion = app.add_flag("--bash-completion", config.bash_completion,
                                         "Completion for bash: source <(mgbench help --bash-completion)");
  manual->excludes(completion);
}

void check(const RunConfig& config) {
  require_help_topic(config.topic);
}

ExitCode execute(const RunConfig& config, Session*) {
  fmt::print("{}", config.manual_page       ? manual_page()
                   : config.bash_completion ? bash_completion()
                                            : help_text(config.topic));
  return ExitCode::ok;
}

}  // namespace

CommandEntry help() {
  return {.name = "help",
          .summary = "Explain a command, a topic (strategies, files, exit-codes, ...), or anything that has a name",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries
