#pragma once

#include <functional>
#include <string>

#include "base/registry.h"

namespace mgbench {

/// What `mgbench help NAME` explains, beside the commands and what is registered by name. Also a section of the manual
/// page.
struct TopicEntry {
  std::string name;
  std::string summary;
  /// Lines of at most 78 characters, the last one ended.
  std::function<std::string()> text;
};

Registry<TopicEntry>& topics();

}  // namespace mgbench
