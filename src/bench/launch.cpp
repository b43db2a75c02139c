#include "bench/launch.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "bench/build_info.h"
#include "bench/mpi_session.h"
#include "bench/progress.h"
#include "bench/shell_words.h"
#include "bench/terminal.h"

namespace mgbench {
namespace {

constexpr int kMostRanksOnePerCore = 8;

}  // namespace

RankLayout lay_out_ranks(const Machine& machine, std::optional<int> wanted, Bytes memory_per_rank) {
  // The operating system and other users keep a tenth.
  const Bytes usable = machine.memory_available / 10 * 9;
  const auto fitting = static_cast<int>(std::min<Bytes>(usable / std::max<Bytes>(memory_per_rank, 1), 1 << 20));
  const int chosen = wanted.value_or(machine.cores <= kMostRanksOnePerCore ? machine.cores : machine.numa_domains);
  const int ranks = wanted ? chosen : std::clamp(fitting, 1, chosen);
  require(ranks <= fitting, "{} rank{} of {} need {}; {} has {} of memory available: choose a smaller --batch{}", ranks,
          ranks == 1 ? "" : "s", format_bytes(memory_per_rank), format_bytes(memory_per_rank * ranks), machine.host,
          format_bytes(machine.memory_available), ranks > 1 ? " or fewer ranks (-n)" : "");
  return {.ranks = ranks, .cores_per_rank = machine.cores / ranks};
}

std::vector<std::string> launcher_command(const RankLayout& layout, const std::vector<std::string>& program) {
  std::vector<std::string> command{kMpiLauncher};
  auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
  const bool bound = layout.cores_per_rank >= 1;
  if (mpi_library_version().starts_with("Open MPI")) {
    add({"--quiet", "-n", std::to_string(layout.ranks)});
    if (bound)
      add({"--map-by", fmt::format("slot:PE={}", layout.cores_per_rank), "--bind-to", "core"});
    else
      add({"--oversubscribe", "--bind-to", "none"});
  } else {
    add({"-n", std::to_string(layout.ranks)});
    if (bound) add({"-bind-to", fmt::format("core:{}", layout.cores_per_rank)});
  }
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

void become_launcher(const std::vector<std::string>& command) {
  fmt::print(stderr, "mgbench: no launcher: starting {}\n", shell_words(command));

  if (standard_error_is_terminal()) setenv("MGBENCH_TERMINAL", "1", 1);
  hand_down_terminal();
  if (geteuid() == 0) {
    // Open MPI refuses to run as root unless both are set.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  fail(ExitCode::bad_input, "cannot start {}: {}; start mgbench with the mpirun of the MPI that it was built with",
       command[0], std::strerror(errno));
}

}  // namespace mgbench
