#include "bench/watch/watchdog_role.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "bench/clock.h"
#include "bench/watch/activity.h"

namespace mgbench {
namespace {

/// So that nobody who floods the port keeps rank 0 from judging.
constexpr int kMostAtOnce = 5000;
/// Launchers kill about a second after they have told ranks to end.
constexpr Seconds kRollCall = 0.5;
constexpr Seconds kBetweenCalls = 0.15;

/// Sleeps until something can be received, or `until`.
void wait_for(int descriptor, Seconds until) {
  pollfd source{.fd = descriptor, .events = POLLIN, .revents = 0};
  const Seconds left = std::clamp(until - steady_clock().now(), 0.0, 10.0);
  poll(&source, 1, static_cast<int>(left * 1e3) + 1);
}

}  // namespace

Heartbeat OwnHeartbeats::next() {
  Activity::State state = activity().read();
  return {.rank = rank_,
          .sequence = ++sequence_,
          .position = state.position,
          .pulse = state.pulse,
          .waiting = state.waiting,
          .expected = state.expected,
          .doing = std::move(state.doing)};
}

WatchingRole::WatchingRole(std::vector<std::string> hosts, std::optional<Seconds> patience, Seconds interval,
                           std::uint64_t key)
    : key_(key), addresses_(hosts.size()), watch_(std::move(hosts), patience, interval) {}

void WatchingRole::send(Datagram::Kind kind, std::uint8_t route, const UdpAddress& to) {
  socket_.send(encode({.kind = kind, .route = route, .beat = {}}, key_), to);
}

void WatchingRole::receive() {
  for (int count = 0; count < kMostAtOnce; ++count) {
    const auto message = socket_.receive();
    if (!message) return;
    const auto datagram = decode(message->bytes, key_, static_cast<int>(addresses_.size()));
    if (!datagram || datagram->kind != Datagram::Kind::heartbeat || datagram->beat.rank == 0) continue;
    addresses_[static_cast<std::size_t>(datagram->beat.rank)] = message->from;
    watch_.hear(datagram->beat);
    send(Datagram::Kind::answer, datagram->route, message->from);
  }
}

std::optional<std::string> WatchingRole::tick(Seconds now) {
  watch_.hear(own_.next());
  const auto finding = watch_.check(now);
  if (!finding || !judges_) return std::nullopt;
  return finding->text;
}

std::optional<std::string> WatchingRole::interrupted() {
  if (!judges_) return std::nullopt;
  watch_.hear(own_.next());
  watch_.begin_roll_call();
  const Seconds end = steady_clock().now() + kRollCall;
  for (Seconds now = steady_clock().now(), next = now; now < end && !watch_.all_have_answered();
       now = steady_clock().now()) {
    if (now >= next) {
      for (const auto& address : addresses_)
        if (address) send(Datagram::Kind::call, 0, *address);
      next = now + kBetweenCalls;
    }
    wait_for(socket_.descriptor(), std::min(next, end));
    receive();
  }
  const auto finding = watch_.end_roll_call();
  if (!finding) return std::nullopt;
  return finding->text;
}

WatchedRole::WatchedRole(int rank, RootContact root, std::optional<Seconds> patience, Seconds interval)
    : root_(std::move(root)), rank_(rank), own_(rank), watch_(rank, root_.host, patience, interval) {}

void WatchedRole::tell(std::size_t route) {
  socket_.send(
      encode({.kind = Datagram::Kind::heartbeat, .route = static_cast<std::uint8_t>(route), .beat = own_.next()},
             root_.key),
      {.host = root_.addresses[route], .port = root_.port});
}

bool WatchedRole::find_root(Seconds limit) {
  constexpr Seconds kBetween = 0.25;
  if (!socket_.ok() || root_.port == 0) return false;
  const Seconds end = steady_clock().now() + limit;
  // All ranks begin at once: each tries when its turn comes, and again later.
  Seconds next = steady_clock().now() + kBetween * (rank_ % 16) / 16;
  while (!route_ && steady_clock().now() < end) {
    if (steady_clock().now() >= next) {
      for (std::size_t route = 0; route < root_.addresses.size(); ++route) tell(route);
      next += kBetween;
    }
    wait_for(socket_.descriptor(), std::min(next, end));
    receive();
  }
  return route_.has_value();
}

void WatchedRole::receive() {
  for (int count = 0; count < kMostAtOnce; ++count) {
    const auto message = socket_.receive();
    if (!message) return;
    const auto datagram = decode(message->bytes, root_.key, rank_ + 1);
    if (!datagram || datagram->kind == Datagram::Kind::heartbeat) continue;
    watch_.hear();
    if (datagram->kind == Datagram::Kind::answer && !route_ && datagram->route < root_.addresses.size())
      route_ = datagram->route;
    if (datagram->kind == Datagram::Kind::call && route_) tell(*route_);
  }
}

std::optional<std::string> WatchedRole::tick(Seconds now) {
  tell(route_.value());
  return watch_.check(now);
}

LonelyRole::LonelyRole(int rank, const std::string& host, std::optional<Seconds> patience, Seconds interval,
                       Waits waits)
    : own_(rank), watch_(rank, host, patience, interval, waits) {}

}  // namespace mgbench
