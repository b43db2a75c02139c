#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "bench/watch/rank_watch.h"
#include "bench/watch/udp_socket.h"

namespace mgbench {

/// What the watchdog's thread of one rank does. Each call that returns a text wants the job to be ended, and says why.
class WatchdogRole {
 public:
  virtual ~WatchdogRole() = default;
  /// -1: it receives nothing.
  virtual int descriptor() const { return -1; }
  /// Takes what waits at the descriptor.
  virtual void receive() {}
  /// Once an interval.
  virtual std::optional<std::string> tick(Seconds now) = 0;
  /// This process was told to end.
  virtual std::optional<std::string> interrupted() { return std::nullopt; }
};

/// What this rank says of itself; each call has a new sequence number.
class OwnHeartbeats {
 public:
  explicit OwnHeartbeats(int rank) : rank_(rank) {}
  Heartbeat next();

 private:
  int rank_;
  std::uint32_t sequence_ = 0;
};

/// Rank 0: hears all, answers all, and judges.
class WatchingRole final : public WatchdogRole {
 public:
  WatchingRole(std::vector<std::string> hosts, std::optional<Seconds> patience, Seconds interval, std::uint64_t key);

  const UdpSocket& socket() const { return socket_; }
  /// Until then it only answers.
  void judge() { judges_ = true; }

  int descriptor() const override { return socket_.descriptor(); }
  void receive() override;
  std::optional<std::string> tick(Seconds now) override;
  /// A launcher that sees a rank die tells the others to end: it calls all, and says who does not answer.
  std::optional<std::string> interrupted() override;

 private:
  void send(Datagram::Kind kind, std::uint8_t route, const UdpAddress& to);

  UdpSocket socket_;
  std::uint64_t key_;
  std::vector<std::optional<UdpAddress>> addresses_;  ///< by rank, from its heartbeats
  OwnHeartbeats own_{0};
  RankWatch watch_;
  std::atomic<bool> judges_ = false;
};

/// Where rank 0 is.
struct RootContact {
  std::string host;
  std::vector<std::uint32_t> addresses;
  std::uint16_t port = 0;
  std::uint64_t key = 0;
};

/// Every other rank: tells rank 0, and notices when it does not answer any more.
class WatchedRole final : public WatchdogRole {
 public:
  WatchedRole(int rank, RootContact root, std::optional<Seconds> patience, Seconds interval);

  /// Tries rank 0's addresses until one answers; false after `limit`.
  bool find_root(Seconds limit);

  int descriptor() const override { return socket_.descriptor(); }
  void receive() override;
  std::optional<std::string> tick(Seconds now) override;

 private:
  void tell(std::size_t route);

  UdpSocket socket_;
  RootContact root_;
  int rank_;
  OwnHeartbeats own_;
  RootWatch watch_;
  std::optional<std::size_t> route_;  ///< of root_.addresses, from its answers
};

/// A rank that hears of no other.
class LonelyRole final : public WatchdogRole {
 public:
  LonelyRole(int rank, const std::string& host, std::optional<Seconds> patience, Seconds interval, Waits waits);
  std::optional<std::string> tick(Seconds now) override { return watch_.check(now, own_.next()); }

 private:
  OwnHeartbeats own_;
  SelfWatch watch_;
};

}  // namespace mgbench
