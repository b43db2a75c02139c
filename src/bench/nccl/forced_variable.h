#pragma once

#include <optional>
#include <string>

namespace mgbench {

/// A variable of this process's environment; afterwards it is what it was. Not while another thread reads any.
class ForcedVariable {
 public:
  /// An empty `value` leaves it as it is.
  ForcedVariable(std::string name, const std::string& value);
  ~ForcedVariable();
  ForcedVariable(const ForcedVariable&) = delete;
  ForcedVariable& operator=(const ForcedVariable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace mgbench
