// Rank 0's watch and another rank's, by real datagrams on this host.
#include "bench/watch/watchdog_role.h"

#include <gtest/gtest.h>

#include <thread>

namespace mgbench {
namespace {

constexpr std::uint64_t kKey = 42;
constexpr std::uint32_t kLoopback = 0x7f000001;

RootContact contact(const WatchingRole& root, std::uint64_t key = kKey) {
  return {.host = "a", .addresses = {0x7f000002, kLoopback}, .port = root.socket().port(), .key = key};
}

/// Answers for as long as it lives.
class Answering {
 public:
  explicit Answering(WatchingRole& root)
      : thread_([this, &root] {
          while (!stopped_) root.receive();
        }) {}
  ~Answering() {
    stopped_ = true;
    thread_.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

 private:
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

TEST(WatchdogRoles, FindEachOther) {
  WatchingRole root({"a", "b"}, 3, 1, kKey);
  ASSERT_TRUE(root.socket().ok());
  WatchedRole other(1, contact(root), 3, 1);
  {
    const Answering answering(root);
    EXPECT_TRUE(other.find_root(10));
  }
  EXPECT_FALSE(other.tick(0));
  root.judge();
  root.receive();
  EXPECT_FALSE(root.tick(0));
}

TEST(WatchdogRoles, AnswerNobodyWithoutTheKey) {
  WatchingRole root({"a", "b"}, 3, 1, kKey);
  WatchedRole stranger(1, contact(root, kKey + 1), 3, 1);
  const Answering answering(root);
  EXPECT_FALSE(stranger.find_root(0.3));
}

TEST(WatchdogRoles, FindNobodyWhereNobodyIs) {
  WatchedRole lost(1, {.host = "a", .addresses = {}, .port = 1, .key = kKey}, 3, 1);
  EXPECT_FALSE(lost.find_root(0.1));
  WatchedRole without_port(1, {.host = "a", .addresses = {kLoopback}, .port = 0, .key = kKey}, 3, 1);
  EXPECT_FALSE(without_port.find_root(10)) << "at once";
}

TEST(WatchdogRoles, EndAJobWhoseRankHasGone) {
  WatchingRole root({"a", "b"}, 3, 1, kKey);
  WatchedRole other(1, contact(root), 3, 1);
  {
    const Answering answering(root);
    ASSERT_TRUE(other.find_root(10));
  }
  root.receive();
  EXPECT_FALSE(root.interrupted()) << "not before it judges";
  root.judge();
  std::optional<std::string> why;
  for (Seconds now = 0; now < 10 && !why; ++now) why = root.tick(now);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("rank 1 on b: silent for"), std::string::npos) << *why;
  why = root.interrupted();
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("rank 1 on b: does not answer any more"), std::string::npos) << *why;
}

TEST(WatchdogRoles, AnswerTheRollCall) {
  WatchingRole root({"a", "b"}, 3, 1, kKey);
  WatchedRole other(1, contact(root), 3, 1);
  {
    const Answering answering(root);
    ASSERT_TRUE(other.find_root(10));
  }
  root.judge();
  std::atomic<bool> stopped = false;
  std::thread listening([&] {
    while (!stopped) other.receive();
  });
  EXPECT_FALSE(root.interrupted());
  stopped = true;
  listening.join();
}

TEST(WatchdogRoles, NoticeThatTheRootHasGone) {
  WatchingRole root({"a", "b"}, 3, 1, kKey);
  WatchedRole other(1, contact(root), 3, 1);
  {
    const Answering answering(root);
    ASSERT_TRUE(other.find_root(10));
  }
  std::optional<std::string> why;
  for (Seconds now = 0; now < 10 && !why; ++now) why = other.tick(now);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("rank 0 on a: silent for"), std::string::npos) << *why;
}

}  // namespace
}  // namespace mgbench
