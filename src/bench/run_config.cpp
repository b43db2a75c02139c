#include "bench/run_config.h"

#include <algorithm>
#include <sstream>

namespace mgbench {

std::vector<const StrategyEntry*> chosen_strategies(const RunConfig& config) {
  std::vector<std::string> wanted;
  std::istringstream list(config.strategy);
  for (std::string name; std::getline(list, name, ',');)
    if (!name.empty()) wanted.push_back(name);
  require(!wanted.empty(), "--strategy '{}': expected strategy names separated by commas, or 'all'", config.strategy);
  const bool all = wanted == std::vector<std::string>{"all"};
  if (!all)
    for (const std::string& name : wanted) strategies().find(name);
  std::vector<const StrategyEntry*> chosen;
  for (const StrategyEntry& entry : strategies())
    if (all || std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end()) chosen.push_back(&entry);
  return chosen;
}

}  // namespace mgbench
