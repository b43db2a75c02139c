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

constexpr std::size_t kMost = std::size_t{64} * 1024;

/// Until the other end is closed, or the time is over; what is beyond kMost is read and dropped.
std::string read_all(int descriptor, Seconds deadline) {
  std::string text;
  std::array<char, 4096> piece{};
  while (true) {
    const Seconds left = deadline - steady_clock().now();
    pollfd event{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = left > 0 ? poll(&event, 1, static_cast<int>(1000 * left) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = ready > 0 ? read(descriptor, piece.data(), piece.size()) : 0;
    if (count <= 0) return text;
    if (text.size() < kMost) text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string program_output(std::vector<std::string> command, Seconds patience) {
  const Seconds deadline = steady_clock().now() + patience;
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text = started ? read_all(ends[0], deadline) : "";
  close(ends[0]);
  if (started) {
    kill(child, SIGKILL);  // one that has closed its output has said all
    waitpid(child, nullptr, 0);
  }
  return text;
}

}  // namespace mgbench
