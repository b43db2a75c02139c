#include "bench/help/fish_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/help/command_tree.h"
#include "bench/help/option_values.h"

namespace mgbench {
namespace {

constexpr const char* kHead = R"(# Completion of mgbench for fish; made by 'mgbench help --fish-completion'.

# Whether the command is $argv, or none is there yet.
function __mgbench_command
    set -l words (commandline -opc)
    test "$words[2]" = "$argv"
end

complete -c mgbench -f
)";

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "'";
}

/// What may stand for a value: "-x" takes no files.
std::string values_of(const CLI::Option& option) {
  const OptionValues values = option_values(option);
  std::string text = values.files ? "-r -F" : "-x";
  if (values.folders) text += " -a '(__fish_complete_directories)'";
  const std::string names = fmt::format("{}", fmt::join(values.names, " "));
  if (values.list)
    text += " -a " + quoted("(__fish_append , " + names + ")");
  else if (!names.empty())
    text += " -a " + quoted(names);
  return text;
}

std::string line(const std::string& condition, const std::string& what, const std::string& description) {
  return fmt::format("complete -c mgbench -n {} {} -d {}\n", quoted(condition), what, quoted(description));
}

std::string lines(const std::string& condition, const CLI::Option& option) {
  if (option.get_positional())
    return fmt::format("complete -c mgbench -n {} {}\n", quoted(condition), values_of(option).substr(3));
  std::string what;
  for (const std::string& name : option.get_snames()) what += "-s " + name + ' ';
  for (const std::string& name : option.get_lnames()) what += "-l " + name + ' ';
  return line(condition, what + (is_flag(option) ? "" : values_of(option)), option.get_description());
}

}  // namespace

std::string fish_completion() {
  const CommandTree tree;
  std::string text = kHead;
  for (const CLI::Option* option : tree.app.get_options()) text += lines("__mgbench_command", *option);
  for (const CLI::App* command : tree.app.get_subcommands({}))
    text += line("__mgbench_command", "-a " + command->get_name(), command->get_description());
  for (const CLI::App* command : tree.app.get_subcommands({}))
    for (const CLI::Option* option : command->get_options())
      text += lines("__mgbench_command " + command->get_name(), *option);
  return text;
}

}  // namespace mgbench
