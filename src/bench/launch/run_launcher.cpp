#include "bench/launch/run_launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "bench/clock.h"
#include "bench/watch/interruption.h"

namespace mgbench {
namespace {

/// Those that are waited for, blocked meanwhile.
class Signals {
 public:
  Signals() {
    sigemptyset(&awaited_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP, SIGCONT, SIGCHLD}) sigaddset(&awaited_, signal);
    sigprocmask(SIG_BLOCK, &awaited_, &before_);
  }
  ~Signals() { restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  int next() const {
    int signal = 0;
    sigwait(&awaited_, &signal);
    return signal;
  }

 private:
  sigset_t awaited_{};
  sigset_t before_{};
};

/// In the new process. Returns what has gone wrong.
int become(std::vector<char*>& arguments, const Signals& signals) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int nothing = open("/dev/null", O_RDONLY);  // a terminal would stop it for reading from behind
  if (nothing > STDIN_FILENO) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  signals.restore();
  execvp(arguments[0], arguments.data());
  return errno;
}

pid_t start(const std::vector<std::string>& command, const Signals& signals) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> trouble{};
  if (pipe2(trouble.data(), O_CLOEXEC) != 0)
    fail(ExitCode::not_measured, "cannot start {}: {}", command[0], std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) {
    const int error = become(arguments, signals);
    [[maybe_unused]] const ssize_t written = write(trouble[1], &error, sizeof error);
    _exit(0);
  }
  int error = child < 0 ? errno : 0;
  close(trouble[1]);
  if (child > 0 && read(trouble[0], &error, sizeof error) > 0) waitpid(child, nullptr, 0);
  close(trouble[0]);
  if (error != 0)
    fail(ExitCode::bad_input, "cannot start {}: {}; start mgbench with the mpirun of the MPI that it was built with",
         command[0], std::strerror(error));
  return child;
}

/// Passes on what asks for an end.
class Ending {
 public:
  explicit Ending(pid_t launcher) : launcher_(launcher) {}
  void ask(int signal) {
    const Seconds now = steady_clock().now();
    if (!asked_) {
      asked_ = true;
      asked_at_ = now;
      fmt::print(stderr, "\nmgbench: {}: stopping the ranks; a second one ends them at once\n", signal_name(signal));
      kill(launcher_, SIGUSR1);
    } else if (now > asked_at_ + kOneSignal) {
      kill(launcher_, SIGTERM);
    }
  }

 private:
  pid_t launcher_;
  bool asked_ = false;
  Seconds asked_at_ = 0;
};

}  // namespace

int run_launcher(const std::vector<std::string>& command, const std::function<std::string()>& why_no_ranks) {
  const Signals signals;
  const pid_t launcher = start(command, signals);
  Ending ending(launcher);
  int status = 0;
  while (waitpid(launcher, &status, WNOHANG) == 0) {
    const int signal = signals.next();
    if (signal == SIGCHLD) continue;
    if (signal == SIGCONT) kill(-launcher, SIGCONT);
    if (signal == SIGTSTP) {
      kill(launcher, SIGTSTP);
      std::raise(SIGSTOP);
    }
    if (signal != SIGCONT && signal != SIGTSTP) ending.ask(signal);
  }
  const bool whole = WIFEXITED(status);
  const int code = whole ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const bool of_ranks = code <= static_cast<int>(ExitCode::not_measured);
  if (of_ranks && code != static_cast<int>(ExitCode::verdict_failed)) return code;
  const std::string trouble = why_no_ranks();
  if (!trouble.empty()) {
    fmt::print(stderr, "mgbench: {} started no rank: {}\n", command[0], trouble);
    return static_cast<int>(ExitCode::not_measured);
  }
  if (of_ranks) return code;
  fmt::print(stderr, "mgbench: {} ended with {}\n", command[0],
             whole ? fmt::format("code {}", code) : strsignal(code - 128));
  return static_cast<int>(ExitCode::not_measured);
}

}  // namespace mgbench
