#include "bench/help/zsh_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "bench/help/command_tree.h"
#include "bench/help/option_values.h"

namespace mgbench {
namespace {

constexpr const char* kScript = R"(#compdef mgbench
# Completion of mgbench for zsh; made by 'mgbench help --zsh-completion'.

_mgbench() {{
  if (( CURRENT == 2 )); then
    local -a commands=(
{commands}    )
    _describe command commands
    _arguments {options}
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{cases}  esac
}}

_mgbench "$@"
)";

/// With backslashes before `special` letters.
std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char letter : text) {
    if (special.find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

/// What completes a value, as _arguments takes it; a space where nothing does. A space before a command keeps
/// _arguments from adding options of its own, which _alternative does not take.
std::string action_of(const OptionValues& values) {
  const std::string names = fmt::format("{}", fmt::join(values.names, " "));
  if (values.list) return "_values -s , names " + names;
  const std::string paths = values.files ? "_files" : values.folders ? "_path_files -/" : "";
  constexpr const char* kEither = R"_( _alternative "names\:name\:({})" "paths\:path\:{}")_";
  if (!names.empty() && !paths.empty()) return fmt::format(kEither, names, paths);
  if (!names.empty()) return "(" + names + ")";
  return paths.empty() ? " " : paths;
}

std::string value_of(const CLI::Option& option) {
  return ":" + escaped(option.get_type_name(), ":") + ":" + action_of(option_values(option));
}

/// A specification for each name, which exclude one another unless the option may be repeated.
std::vector<std::string> specifications(const CLI::Option& option) {
  const bool repeats = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (option.get_positional()) return {quoted((repeats ? "*" : "1") + value_of(option))};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string before = repeats ? "*" : fmt::format("({})", fmt::join(names, " "));
    const std::string assigned = is_flag(option) ? "" : name.starts_with("--") ? "=" : "+";
    result.push_back(
        quoted(fmt::format("{}{}{}[{}]{}", before, name, assigned, escaped(option.get_description(), "[]\\"),
                           is_flag(option) ? "" : value_of(option))));
  }
  return result;
}

std::string arguments(const CLI::App& app, const std::string& separator) {
  std::vector<std::string> all;
  for (const CLI::Option* option : app.get_options())
    for (std::string& each : specifications(*option)) all.push_back(std::move(each));
  return fmt::format("{}", fmt::join(all, separator));
}

}  // namespace

std::string zsh_completion() {
  const CommandTree tree;
  std::string commands;
  std::string cases;
  for (const CLI::App* command : tree.app.get_subcommands({})) {
    const std::string& name = command->get_name();
    commands += "      " + quoted(name + ":" + escaped(command->get_description(), ":\\")) + "\n";
    cases += fmt::format("    {}) _arguments -s \\\n      {} ;;\n", name, arguments(*command, " \\\n      "));
  }
  return fmt::format(kScript, fmt::arg("commands", commands), fmt::arg("options", arguments(tree.app, " ")),
                     fmt::arg("cases", cases));
}

}  // namespace mgbench
