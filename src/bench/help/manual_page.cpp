#include "bench/help/manual_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bench/build_info.h"
#include "bench/help/command_tree.h"
#include "bench/help/option_values.h"
#include "bench/help/topic.h"

namespace mgbench {
namespace {

/// Text that roff leaves as it is: hyphens can be copied, and no line begins a request.
std::string roff(const std::string& text) {
  std::string result;
  for (const char character : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (character == '.' || character == '\'')) result += "\\&";
    if (character == '\\')
      result += "\\e";
    else if (character == '-')
      result += "\\-";
    else
      result += character;
  }
  return result;
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return letter == '-' ? ' ' : static_cast<char>(std::toupper(letter)); });
  return text;
}

/// "-o, --output DIR".
std::string heading(const CLI::Option& option) {
  if (option.get_positional()) return fmt::format("\\fI{}\\fR", roff(option.get_name()));
  std::string names;
  for (const std::vector<std::string>& some : {option.get_snames(), option.get_lnames()})
    for (const std::string& name : some)
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(with_hyphens(name)));
  return is_flag(option) ? names : fmt::format("{} \\fI{}\\fR", names, roff(option.get_type_name()));
}

std::string paragraph(const CLI::Option& option) {
  std::string text = fmt::format(".TP\n{}\n{}", heading(option), roff(option.get_description()));
  if (option.get_required()) text += "; required";
  if (!option.get_default_str().empty()) text += fmt::format(" [{}]", roff(option.get_default_str()));
  return text + "\n";
}

std::string paragraphs(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) text += paragraph(*option);
  return text;
}

std::string section(const CLI::App& command) {
  std::string text = fmt::format(".SS mgbench {}\n{}.\n", roff(command.get_name()), roff(command.get_description()));
  return text + paragraphs(command);
}

/// Its lines as they are.
std::string section(const TopicEntry& topic) {
  return fmt::format(".SH {}\n.in 2n\n.nf\n{}.fi\n.in\n", roff(capitals(topic.name)), roff(topic.text()));
}

}  // namespace

std::string manual_page() {
  const CommandTree tree;
  const std::string about = tree.app.get_description().substr(tree.app.get_description().find(':') + 2);
  std::string text = fmt::format(
      ".TH MGBENCH 1 \"\" \"mgbench {}\" \"User Commands\"\n"
      ".SH NAME\nmgbench \\- {}\n"
      ".SH SYNOPSIS\n\\fBmgbench\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH OPTIONS\n{}.SH COMMANDS\nTyped bare, a command that needs ranks starts its own.\n",
      roff(kVersion), roff(about), paragraphs(tree.app));
  for (const CLI::App* command : tree.app.get_subcommands({})) text += section(*command);
  for (const TopicEntry& topic : topics()) text += section(topic);
  return text + ".SH SEE ALSO\n\\fBmpirun\\fR(1), \\fBsrun\\fR(1)\n";
}

}  // namespace mgbench
