#pragma once

#include <map>
#include <string>
#include <utility>

#include "bench/launch/launcher.h"

namespace mgbench {

/// An environment of just these variables.
inline EnvironmentLookup environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

}  // namespace mgbench
