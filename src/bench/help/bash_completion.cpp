#include "bench/help/bash_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/help/command_tree.h"
#include "bench/help/option_values.h"

namespace mgbench {
namespace {

constexpr const char* kScript = R"(# Completion of mgbench for bash; made by 'mgbench help --bash-completion'.

# Sets what may be the value of option $2 of command $1, or its argument; fails where there is no value.
_mgbench_values() {{
  case "$1 $2" in
{values}    *) return 1 ;;
  esac
}}

# Sets the options of command $1.
_mgbench_options() {{
  case "$1" in
{options}  esac
}}

_mgbench() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
  local names='' list='' paths='' chosen=''
  # bash cuts --option=value into three words.
  if [[ $word == = ]]; then word=''; elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  if ((COMP_CWORD == 1)); then
    names='{commands}'
  elif ! _mgbench_values "$command" "$before"; then
    if [[ $word == -* ]]; then _mgbench_options "$command"; else _mgbench_values "$command" argument; fi
  fi
  if [[ $list && $word == *,* ]]; then chosen=${{word%,*}},; fi
  mapfile -t COMPREPLY < <(compgen -P "$chosen" -W "$names" -- "${{word#"$chosen"}}")
  if [[ $paths ]]; then
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen "$paths" -- "$word")
    compopt -o filenames 2>/dev/null  # there is none outside of a completion
  fi
}}
complete -F _mgbench mgbench
)";

/// What the script sets for a value; nothing for a number.
std::string assignments(const OptionValues& values) {
  std::string text;
  if (!values.names.empty()) text += fmt::format(" names='{}'", fmt::join(values.names, " "));
  if (values.list) text += " list=yes";
  if (values.files || values.folders) text += values.files ? " paths=-f" : " paths=-d";
  return text;
}

std::vector<std::string> hyphenated(const CLI::App& app) {
  std::vector<std::string> words;
  for (const std::string& name : option_names(app)) words.push_back(with_hyphens(name));
  return words;
}

/// "run --model" and "run argument": the cases of one option.
std::vector<std::string> cases(const CLI::App& command, const CLI::Option& option) {
  std::vector<std::string> result;
  for (const std::vector<std::string>& names : {option.get_snames(), option.get_lnames()})
    for (const std::string& name : names)
      result.push_back(fmt::format("'{} {}'", command.get_name(), with_hyphens(name)));
  if (option.get_positional()) result.push_back(fmt::format("'{} argument'", command.get_name()));
  return result;
}

/// Options that take the same share a line.
std::string value_cases(const CLI::App& app) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;
  for (const CLI::App* command : app.get_subcommands({}))
    for (const CLI::Option* option : command->get_options()) {
      if (is_flag(*option)) continue;
      const std::string sets = assignments(option_values(*option));
      auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& each) { return each.first == sets; });
      if (line == lines.end()) line = lines.insert(line, {sets, {}});
      for (std::string& each : cases(*command, *option)) line->second.push_back(std::move(each));
    }
  std::string text;
  for (const auto& [sets, patterns] : lines) text += fmt::format("    {}){} ;;\n", fmt::join(patterns, " | "), sets);
  return text;
}

}  // namespace

std::string bash_completion() {
  const CommandTree tree;
  std::vector<std::string> words;
  std::string options;
  for (const CLI::App* command : tree.app.get_subcommands({})) {
    words.push_back(command->get_name());
    options += fmt::format("    {}) names='{}' ;;\n", command->get_name(), fmt::join(hyphenated(*command), " "));
  }
  for (const std::string& option : hyphenated(tree.app)) words.push_back(option);
  return fmt::format(kScript, fmt::arg("values", value_cases(tree.app)), fmt::arg("options", options),
                     fmt::arg("commands", fmt::join(words, " ")));
}

}  // namespace mgbench
