#include "bench/run_config.h"

#include <algorithm>
#include <sstream>

#include "planner/simulated_strategy.h"

namespace mgbench {

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream list(text);
  for (std::string word; std::getline(list, word, ',');)
    if (!word.empty()) words.push_back(word);
  return words;
}

std::vector<std::string> chosen_names(const std::string& option, const std::string& kind, const std::string& text,
                                      const std::vector<std::string>& names) {
  const std::vector<std::string> wanted = split_list(text);
  require(!wanted.empty(), "{} '{}': expected names separated by commas, or 'all'", option, text);
  if (wanted == std::vector<std::string>{"all"}) return names;
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail(ExitCode::bad_input, "unknown {} '{}'{}", kind, name, suggestion(name, names));
  std::vector<std::string> chosen;
  for (const std::string& name : names)
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) chosen.push_back(name);
  return chosen;
}

std::vector<const StrategyEntry*> chosen_strategies(const RunConfig& config) {
  const std::vector<std::string> simulated = simulated_strategies().names();
  for (const std::string& name : split_list(config.strategy))
    require(std::find(simulated.begin(), simulated.end(), name) == simulated.end(),
            "strategy '{}' can be simulated (mgbench simulate), not run: the training loop cannot execute its "
            "schedules yet",
            name);
  std::vector<const StrategyEntry*> chosen;
  for (const std::string& name : chosen_names("--strategy", "strategy", config.strategy, strategies().names()))
    chosen.push_back(&strategies().find(name));
  return chosen;
}

}  // namespace mgbench
