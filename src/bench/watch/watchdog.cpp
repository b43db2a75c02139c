#include "bench/watch/watchdog.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "bench/clock.h"
#include "bench/launch/launcher_guard.h"
#include "bench/mpi/mpi_session.h"
#include "bench/watch/activity.h"
#include "bench/watch/interruption.h"
#include "bench/watch/watchdog_role.h"

namespace mgbench {
namespace {

constexpr std::size_t kMostAddresses = 16;
constexpr Seconds kFindRoot = 3;
constexpr Seconds kStarting = 24;
constexpr Seconds kFirstMessages = 12;
constexpr Seconds kLauncher = 15;
constexpr auto kBeforeEnd = std::chrono::seconds(5);

/// About a second; a small part of the patience; and no more than a thousand heartbeats a second for rank 0.
Seconds interval_of(int ranks, std::optional<Seconds> patience) {
  return std::clamp(ranks / 1000.0, std::min(1.0, Patience(patience).silent() / 4), Patience(patience).silent() / 4);
}

std::uint64_t random_key() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | random();
}

/// From rank 0 to all.
RootContact broadcast(ProcessGroup& group, RootContact contact) {
  group.broadcast(contact.host);
  std::vector<std::uint64_t> numbers{contact.key, contact.port};
  numbers.insert(numbers.end(), contact.addresses.begin(), contact.addresses.end());
  group.broadcast(numbers);
  contact.key = numbers[0];
  contact.port = static_cast<std::uint16_t>(numbers[1]);
  contact.addresses.clear();
  for (std::size_t i = 2; i < numbers.size(); ++i) contact.addresses.push_back(static_cast<std::uint32_t>(numbers[i]));
  return contact;
}

/// Handlers run in threads that are there for the program.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Watchdog::Watchdog(Request request)
    : request_(std::move(request)),
      interval_(interval_of(1, request_.patience)),
      stop_event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // All ranks wait for the last one that the launcher starts.
  activity().begin("starting MPI (has every rank been started, do MPI's interfaces reach all hosts?)");
  activity().expect(kStarting);
  start(std::make_shared<LonelyRole>(request_.rank, request_.host, request_.patience, interval_, Waits::as_work), -1);
}

void Watchdog::connect(ProcessGroup& group) {
  activity().begin("the first messages between ranks");
  activity().expect(kFirstMessages);
  if (group.size() == 1) return;
  interval_ = interval_of(group.size(), request_.patience);

  RootContact contact{.host = request_.host, .addresses = {}, .port = 0, .key = 0};
  std::vector<std::string> hosts = group.gather(request_.host);
  std::shared_ptr<WatchingRole> watching;
  if (group.is_root()) {
    contact.key = random_key();
    watching = std::make_shared<WatchingRole>(std::move(hosts), request_.patience, interval_, contact.key);
    contact.port = watching->socket().port();
    contact.addresses = host_addresses(kMostAddresses);
    start(watching, request_.interruption);
  }
  contact = broadcast(group, std::move(contact));

  bool found = group.is_root() && watching->socket().ok();
  std::shared_ptr<WatchedRole> watched;
  if (!group.is_root()) {
    watched = std::make_shared<WatchedRole>(group.rank(), contact, request_.patience, interval_);
    found = watched->find_root(kFindRoot);
  }
  const double lost = group.sum(found ? 0 : 1);
  if (lost > 0) {
    remark_ = fmt::format(
        "no UDP between rank 0 on {} and {:.0f} of {} ranks: each rank watches only itself, so that a rank that dies "
        "may be noticed late",
        contact.host, lost, group.size());
    start(std::make_shared<LonelyRole>(group.rank(), request_.host, request_.patience, interval_, Waits::long_ones),
          -1);
  } else if (watching) {
    watching->judge();
  } else {
    start(watched, -1);
  }
}

Watchdog::~Watchdog() {
  stop();
  close(stop_event_);
}

void Watchdog::before_end(std::function<void(const std::string&)> action) {
  const std::scoped_lock lock(mutex_);
  before_end_ = std::move(action);
}

void Watchdog::start(std::shared_ptr<WatchdogRole> role, int interruption) {
  stop();
  const SignalsBlocked blocked;  // the new thread inherits that
  role_ = std::move(role);
  thread_ = std::thread([this, interruption] { watch(*role_, interruption); });
}

void Watchdog::stop() {
  if (!thread_.joinable()) return;
  eventfd_write(stop_event_, 1);
  thread_.join();
  eventfd_t ignored = 0;
  eventfd_read(stop_event_, &ignored);
}

void Watchdog::watch(WatchdogRole& role, int interruption) {
  std::array<pollfd, 3> sources{pollfd{stop_event_, POLLIN, 0}, pollfd{role.descriptor(), POLLIN, 0},
                                pollfd{interruption, POLLIN, 0}};  // poll() ignores those below 0
  for (Seconds next = steady_clock().now();;) {
    const Seconds now = steady_clock().now();
    if (now >= next) {
      if (const auto why = role.tick(now)) end_job(*why);
      next = std::max(next + interval_, now);  // what was slept through is not made up for
    }
    poll(sources.data(), sources.size(), static_cast<int>((next - now) * 1e3) + 1);
    if (sources[0].revents != 0) return;
    if (sources[1].revents != 0) role.receive();
    if (sources[2].revents == 0) continue;
    sources[2].fd = -1;                       // once
    if (noted_signal() != SIGTERM) continue;  // a warning: nobody has died, and a lost datagram must not end the job
    if (const auto why = role.interrupted()) end_job(*why);
  }
}

void Watchdog::end_job(const std::string& why) {
  fmt::print(stderr, "\nmgbench: {}. The job is ended.\n", why);
  std::fflush(stderr);
  const std::scoped_lock for_good(mutex_);
  if (before_end_) {
    // A file system may hang, too.
    struct Done {
      std::mutex mutex;
      std::condition_variable changed;
      bool done = false;
    };
    const auto state = std::make_shared<Done>();
    std::thread([state, action = before_end_, why] {
      action(why);
      const std::scoped_lock lock(state->mutex);
      state->done = true;
      state->changed.notify_one();
    }).detach();
    std::unique_lock lock(state->mutex);
    state->changed.wait_for(lock, kBeforeEnd, [&] { return state->done; });
  }
  kill_launcher_after(kLauncher);
  abort_job_from_helper(ExitCode::not_measured);
}

}  // namespace mgbench
