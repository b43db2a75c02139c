#pragma once

#include <CLI/Option.hpp>
#include <string>
#include <vector>

namespace mgbench {

/// What may stand for an option's value.
struct OptionValues {
  std::vector<std::string> names;  ///< of models, strategies, ...
  bool list = false;               ///< several of them, separated by commas
  bool files = false;
  bool folders = false;
};

/// By the words that help shows for the value, which '|' separates: MODEL, STRATEGIES, ... stand for what is
/// registered, FILE and DIR for paths, and words in lower case for themselves ("tensor|layer").
OptionValues option_values(const CLI::Option& option);

/// Whether it stands alone: --json.
bool is_flag(const CLI::Option& option);

}  // namespace mgbench
