#include "bench/launch/launcher_guard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <string>

namespace mgbench {
namespace {

constexpr long kMostDescriptors = 65536;

std::string name_of(pid_t process) {
  std::string name;
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", process)), name);
  return name;
}

}  // namespace

bool is_mpirun(std::string_view name) {
  constexpr std::array kNames{"mpirun", "mpiexec", "orterun", "prterun"};
  return std::any_of(kNames.begin(), kNames.end(), [&](const char* each) { return name.starts_with(each); });
}

void kill_launcher_after(Seconds grace) {
  const pid_t launcher = getppid();
  if (!is_mpirun(name_of(launcher))) return;
  const long descriptors = std::min(sysconf(_SC_OPEN_MAX), kMostDescriptors);
  const auto seconds = static_cast<unsigned>(grace);
  if (fork() != 0) return;
  // From here on only what a child of several threads may call. The launcher waits for the ends of the rank's pipes.
  setsid();
  for (long descriptor = 0; descriptor < descriptors; ++descriptor) close(static_cast<int>(descriptor));
  for (unsigned waited = 0; waited < seconds; ++waited) {
    sleep(1);
    if (kill(launcher, 0) != 0) _exit(0);
  }
  kill(launcher, SIGKILL);
  _exit(0);
}

}  // namespace mgbench
