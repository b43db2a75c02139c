#include "bench/launch/program_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "bench/clock.h"

namespace mgbench {
namespace {

/// Until the other end is closed, or the time is over; what is beyond `most` is read and dropped.
std::string read_all(int descriptor, Seconds deadline, std::size_t most) {
  std::string text;
  std::array<char, 4096> piece{};
  while (true) {
    const Seconds left = deadline - steady_clock().now();
    pollfd event{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = left > 0 ? poll(&event, 1, static_cast<int>(1000 * left) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = ready > 0 ? read(descriptor, piece.data(), piece.size()) : 0;
    if (count <= 0) return text;
    if (text.size() < most) text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

/// "NAME=value" each, of this program and of `variables`.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> result;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (const std::string text = *variable; !variables.contains(text.substr(0, text.find('=')))) result.push_back(text);
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
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

std::string program_output(std::vector<std::string> command, const OutputRequest& request) {
  const Seconds deadline = steady_clock().now() + request.patience;
  std::vector<std::string> environment = environment_with(request.variables);
  const std::vector<char*> arguments = pointers_to(command);

  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const bool started =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), pointers_to(environment).data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text = started ? read_all(ends[0], deadline, request.most) : "";
  close(ends[0]);
  if (started) {
    kill(child, SIGKILL);  // one that has closed its output has said all
    waitpid(child, nullptr, 0);
  }
  return text;
}

}  // namespace mgbench
