#include "bench/launch/running_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace mgbench {
namespace {

/// "NAME=value" each, of this program and of `variables`.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> result;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (const std::string text = *variable; !variables.contains(text.substr(0, text.find('=')))) result.push_back(text);
  for (const auto& [name, value] : variables) result.push_back(fmt::format("{}={}", name, value));
  return result;
}

/// As C takes a list of texts, which outlive it.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

RunningProgram::RunningProgram(std::vector<std::string> command, const std::map<std::string, std::string>& variables,
                               std::size_t most)
    : most_(most) {
  std::vector<std::string> environment = environment_with(variables);
  const std::vector<char*> arguments = pointers_to(command);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  descriptor_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  pid_t process = -1;
  if (posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), pointers_to(environment).data()) ==
      0)
    process_ = process;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
}

RunningProgram::~RunningProgram() {
  if (descriptor_ >= 0) close(descriptor_);
  if (process_ < 0) return;
  kill(-process_, SIGKILL);  // one that has closed its output has said all
  waitpid(process_, nullptr, 0);
}

bool RunningProgram::listen(Seconds patience) {
  pollfd event{.fd = descriptor_, .events = POLLIN, .revents = 0};
  const int ready = poll(&event, 1, static_cast<int>(1000 * std::max(patience, 0.0)));
  if (ready <= 0) return ready == 0 || errno == EINTR;
  std::array<char, 4096> piece{};
  const ssize_t count = read(descriptor_, piece.data(), piece.size());
  if (count <= 0) return false;
  if (output_.size() < most_) output_.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace mgbench
