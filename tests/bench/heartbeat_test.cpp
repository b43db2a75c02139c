#include "bench/watch/heartbeat.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace mgbench {
namespace {

constexpr std::uint64_t kKey = 0x0123456789abcdef;
constexpr int kRanks = 8;

Datagram example() {
  return {.kind = Datagram::Kind::heartbeat,
          .route = 3,
          .beat = {.rank = 7,
                   .sequence = 0xfffffffe,
                   .position = 1234567890123,
                   .pulse = 0xffffffffffffffff,
                   .waiting = true,
                   .expected = 2.5,
                   .doing = "measuring, round 3: wfbp: backward"}};
}

TEST(Heartbeats, ComeBackAsTheyWereSent) {
  const auto back = decode(encode(example(), kKey), kKey, kRanks);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->kind, Datagram::Kind::heartbeat);
  EXPECT_EQ(back->route, 3);
  EXPECT_EQ(back->beat.rank, 7);
  EXPECT_EQ(back->beat.sequence, 0xfffffffe);
  EXPECT_EQ(back->beat.position, 1234567890123U);
  EXPECT_EQ(back->beat.pulse, 0xffffffffffffffff);
  EXPECT_TRUE(back->beat.waiting);
  EXPECT_DOUBLE_EQ(back->beat.expected, 2.5);
  EXPECT_EQ(back->beat.doing, "measuring, round 3: wfbp: backward");
}

TEST(Heartbeats, OfAnotherJobSizeOrRankAreNone) {
  const DatagramBytes bytes = encode(example(), kKey);
  EXPECT_FALSE(decode(bytes, kKey + 1, kRanks)) << "another job's key";
  EXPECT_FALSE(decode(bytes, kKey, 7)) << "no such rank";
  EXPECT_FALSE(decode(std::span(bytes).first(kDatagramBytes - 1), kKey, kRanks));
  EXPECT_FALSE(decode({}, kKey, kRanks));
  std::vector<std::uint8_t> longer(bytes.begin(), bytes.end());
  longer.push_back(0);
  EXPECT_FALSE(decode(longer, kKey, kRanks));
}

TEST(Heartbeats, LongTextsAreCutAndStrangeOnesPrintable) {
  Datagram datagram = example();
  datagram.beat.doing = std::string(1000, 'x');
  const auto cut = decode(encode(datagram, kKey), kKey, kRanks);
  ASSERT_TRUE(cut);
  EXPECT_GT(cut->beat.doing.size(), 100U);
  EXPECT_EQ(cut->beat.doing, std::string(cut->beat.doing.size(), 'x'));
  datagram.beat.doing = "a\033[31m\n\xff";
  EXPECT_EQ(decode(encode(datagram, kKey), kKey, kRanks)->beat.doing, "a?[31m??");
}

TEST(Heartbeats, OfAnyBytesAreReadWithinBounds) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    DatagramBytes bytes = encode(example(), kKey);
    for (int flips = 0; flips < 4; ++flips) bytes[16 + random() % (kDatagramBytes - 16)] = random() & 0xffU;
    const auto datagram = decode(bytes, kKey, kRanks);
    if (!datagram) continue;
    EXPECT_GE(datagram->beat.rank, 0);
    EXPECT_LT(datagram->beat.rank, kRanks);
    EXPECT_LT(datagram->beat.doing.size(), kDatagramBytes);
  }
}

}  // namespace
}  // namespace mgbench
