#pragma once

#include <string>

#include "bench/communicator.h"
#include "bench/network.h"
#include "models/model.h"
#include "planner/simulated_strategy.h"
#include "planner/strategy.h"

namespace mgbench {

/// An entry of a registry for `mgbench help`: its name, and what it says of itself in lines of at most 78 characters.
std::string explain(const StrategyEntry& entry);
std::string explain(const SimulatedStrategyEntry& entry);
std::string explain(const CommunicatorEntry& entry);
std::string explain(const BackendEntry& entry);
std::string explain(const ModelEntry& entry);

/// All entries of a registry, an empty line before each.
template <typename Entry>
std::string explain_all(const Registry<Entry>& registry) {
  std::string text;
  for (const Entry& entry : registry) text += "\n" + explain(entry);
  return text;
}

/// What is called `name` in any of these registries; empty if nothing is.
std::string explain_registered(const std::string& name);

}  // namespace mgbench
