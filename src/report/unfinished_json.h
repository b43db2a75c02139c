#pragma once

#include <string>

namespace mgbench {

struct FinishedJson {
  std::string text;
  bool cut = false;  ///< something behind the last whole element was left out
};

/// An array that a program writes as it runs, and leaves without an end when it is killed: closed behind its last whole
/// element. Texts that are whole, or no arrays, come back as they are.
FinishedJson finished_json_array(const std::string& text);

}  // namespace mgbench
