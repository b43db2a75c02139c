#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace mgbench {

/// What the process ends with; scripts and schedulers decide on it.
enum class ExitCode : int {
  ok = 0,
  verdict_failed = 1,  ///< measured, and the verdict is a failure
  bad_input = 2,       ///< nothing was measured and nothing was written
  not_measured = 3,    ///< a fault, an abort, or too few samples
};

/// What the project throws: a message for the user and the code that the process ends with. The message becomes one
/// line of at most 2000 bytes without control characters, whatever it quotes.
class Error : public std::runtime_error {
 public:
  Error(ExitCode exit_code, const std::string& message);
  ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

/// Throws Error(exit_code) with the formatted message.
template <typename... Arguments>
[[noreturn]] void fail(ExitCode exit_code, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Error(exit_code, fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Checks what comes from outside: throws Error(bad_input) with the formatted message unless `condition` holds.
template <typename... Arguments>
void require(bool condition, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!condition) fail(ExitCode::bad_input, format, std::forward<Arguments>(arguments)...);
}

}  // namespace mgbench
