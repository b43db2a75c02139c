#include "bench/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/launch/launcher.h"

namespace mgbench {
namespace {

constexpr const char* kHandedDown = "MGBENCH_TERMINAL_COLUMNS";
constexpr std::size_t kUnknownWidth = 80;

/// 0: no terminal. Open MPI gives rank 0 one of its own, whatever the launcher's output goes to: behind a launcher only
/// what was handed down counts.
std::size_t columns() {
  if (const char* handed_down = std::getenv(kHandedDown)) return std::strtoul(handed_down, nullptr, 10);
  if (find_launcher(std::getenv) || isatty(STDOUT_FILENO) != 1) return 0;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUnknownWidth;
}

bool color_is_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && (kind == nullptr || std::strcmp(kind, "dumb") != 0);
}

}  // namespace

Terminal standard_output() {
  const std::size_t width = columns();
  return {.is_one = width > 0, .color = width > 0 && color_is_wanted(), .width = width};
}

void hand_down_terminal() {
  setenv(kHandedDown, std::to_string(columns()).c_str(), 1);
}

}  // namespace mgbench
