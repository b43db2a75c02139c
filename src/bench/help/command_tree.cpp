#include "bench/help/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "bench/build_info.h"
#include "bench/command.h"
#include "bench/help/topic.h"

namespace mgbench {

CommandTree::CommandTree()
    : app("mgbench: how fast synchronous data-parallel training runs on this interconnect, and how to merge its "
          "gradients into messages",
          "mgbench") {
  app.set_version_flag("--version", fmt::format("mgbench {} ({}, {}, {})", kVersion, kCommit, kBuildType, kCompiler));
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  for (const CommandEntry& entry : commands()) {
    CLI::App* command = app.add_subcommand(entry.name, entry.summary);
    entry.add_options(*command, config);
    command->add_option("--config", config_file, "YAML file that sets options by their names")->type_name("FILE");
  }
  app.footer(fmt::format("Topics of mgbench help: {}", fmt::join(topics().names(), ", ")));  // last: not the commands'
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    const auto& long_names = option->get_lnames();
    const auto& short_names = option->get_snames();
    names.insert(names.end(), long_names.begin(), long_names.end());
    names.insert(names.end(), short_names.begin(), short_names.end());
  }
  return names;
}

std::string with_hyphens(const std::string& name) {
  return (name.size() == 1 ? "-" : "--") + name;
}

}  // namespace mgbench
