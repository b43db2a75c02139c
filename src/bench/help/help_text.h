#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// What `mgbench help` takes: topics, commands, and the names of models, strategies, backends and communicators.
std::vector<std::string> help_topics();

/// Throws Error naming the nearest one for what is not among them.
void require_help_topic(const std::string& topic);

/// Of the program where `topic` is empty; that of a command is what its --help says.
std::string help_text(const std::string& topic);

}  // namespace mgbench
