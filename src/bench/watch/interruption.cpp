#include "bench/watch/interruption.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace mgbench {
namespace {

constexpr std::array kNoted{SIGINT, SIGTERM, SIGUSR1};
constexpr auto kOneSignalInNanoseconds = static_cast<std::int64_t>(kOneSignal * 1e9);

std::atomic<std::int64_t> first_at = 0;  // nanoseconds; 0: not yet
std::atomic<int> first_signal = 0;
std::atomic<int> event = -1;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Calls only what a handler of signals may.
void note(int signal) {
  const int error = errno;
  std::int64_t none = 0;
  if (first_at.compare_exchange_strong(none, nanoseconds())) {
    first_signal = signal;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(event, &one, sizeof one);
  } else if (nanoseconds() - first_at > kOneSignalInNanoseconds) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = error;
}

}  // namespace

Interruption::Interruption() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  first_at = 0;
  first_signal = 0;
  event = descriptor_;
  for (const int signal : kNoted) std::signal(signal, note);
}

Interruption::~Interruption() {
  for (const int signal : kNoted) std::signal(signal, SIG_DFL);
  event = -1;
  first_signal = 0;
  if (descriptor_ >= 0) close(descriptor_);
}

int noted_signal() {
  return first_signal;
}

int noted_signal(ProcessGroup& group) {
  return static_cast<int>(group.maximum(noted_signal()));
}

double share_spent(Seconds elapsed, Seconds budget) {
  const double share = elapsed / budget;
  return noted_signal() == 0 ? share : std::max(share, 1.0);
}

const char* signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "a signal";
  }
}

void stop_if_told(ProcessGroup& group, const std::string& stage) {
  if (const int signal = noted_signal(group); signal != 0)
    throw Interrupted(fmt::format("stopped by {} before {}", signal_name(signal), stage));
}

}  // namespace mgbench
