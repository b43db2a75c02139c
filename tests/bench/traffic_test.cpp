#include "bench/host/traffic.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

using Names = std::vector<std::string>;

TEST(Traffic, IsCarriedByInterfacesThatSentEnough) {
  const SentBytes before{{"eth0", 1000}, {"ib0", 500}, {"wlan0", 0}};
  EXPECT_EQ(carriers(before, {{"eth0", 3000}, {"ib0", 2499}, {"wlan0", 2000}}, 2000), (Names{"eth0", "wlan0"}));
  EXPECT_EQ(carriers(before, before, 1), Names{});
}

TEST(Traffic, IsCountedOverTheCountersWrap) {
  EXPECT_EQ(carriers({{"eth0", 0xFFFFFF00U}}, {{"eth0", 0x300U}}, 0x400), Names{"eth0"});
  EXPECT_EQ(carriers({{"eth0", 0xFFFFFF00U}}, {{"eth0", 0x300U}}, 0x401), Names{});
}

TEST(Traffic, OfAnInterfaceThatHasJustComeIsNotKnown) {
  EXPECT_EQ(carriers({}, {{"eth0", 5000}}, 1), Names{});
}

TEST(Traffic, IsCountedHereWithoutTheLoopback) {
  EXPECT_FALSE(sent_bytes().contains("lo"));
}

}  // namespace
}  // namespace mgbench
