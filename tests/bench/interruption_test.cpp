#include "bench/watch/interruption.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

namespace mgbench {
namespace {

bool readable(int descriptor) {
  pollfd source{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&source, 1, 0) == 1;
}

TEST(Interruptions, AreNotedAndWakeWhoWaitsForThem) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    const Interruption interruption;
    EXPECT_EQ(noted_signal(), 0);
    EXPECT_FALSE(readable(interruption.descriptor()));
    std::raise(signal);
    EXPECT_EQ(noted_signal(), signal);
    EXPECT_TRUE(readable(interruption.descriptor()));
  }
}

TEST(Interruptions, ThatComeTwiceAtOnceAreOne) {
  const Interruption interruption;
  std::raise(SIGTERM);
  std::raise(SIGUSR1);
  EXPECT_EQ(noted_signal(), SIGTERM);
}

TEST(Interruptions, HaveTheNamesThatUsersKnow) {
  EXPECT_STREQ(signal_name(SIGINT), "SIGINT");
  EXPECT_STREQ(signal_name(SIGTERM), "SIGTERM");
  EXPECT_STREQ(signal_name(SIGUSR1), "SIGUSR1");
}

}  // namespace
}  // namespace mgbench
