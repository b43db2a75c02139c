#include "base/error.h"

#include "base/printable.h"

namespace mgbench {
namespace {

constexpr std::size_t kLongestMessage = 2000;

}  // namespace

Error::Error(ExitCode exit_code, const std::string& message)
    : std::runtime_error(printable(excerpt(message, kLongestMessage))), exit_code_(exit_code) {}

}  // namespace mgbench
