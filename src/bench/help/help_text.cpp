#include "bench/help/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.h"
#include "bench/command.h"
#include "bench/help/command_tree.h"
#include "bench/help/explain.h"
#include "bench/help/topic.h"

namespace mgbench {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const std::vector<std::string>& more :
       {topics().names(), commands().names(), strategies().names(), simulated_strategies().names(),
        communicators().names(), backends().names(), models().names()})
    names.insert(names.end(), more.begin(), more.end());
  return names;
}

void require_help_topic(const std::string& topic) {
  const std::vector<std::string> names = help_topics();
  require(topic.empty() || holds(names, topic), "unknown topic '{}'{}", topic, suggestion(topic, names));
}

std::string help_text(const std::string& topic) {
  const CommandTree tree;
  if (topic.empty()) return tree.app.help();
  if (holds(topics().names(), topic)) return topics().find(topic).text();
  if (holds(commands().names(), topic)) return tree.app.get_subcommand(topic)->help(tree.app.get_name());
  return explain_registered(topic);
}

}  // namespace mgbench
