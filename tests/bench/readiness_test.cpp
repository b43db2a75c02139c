#include "bench/launch/readiness.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

const std::vector<std::string> kHosts{"a", "b", "b"};
const Readiness kOnGpu{.refusal = "", .uses_gpu = true, .no_gpu = ""};
const Readiness kWithoutGpu{.refusal = "", .uses_gpu = false, .no_gpu = "there is no driver"};

Readiness refused(const std::string& why) {
  return {.refusal = why, .uses_gpu = false, .no_gpu = ""};
}

TEST(Readiness, IsThatOfAllRanks) {
  for (const Readiness& each : {kOnGpu, kWithoutGpu}) EXPECT_EQ(reason_not_to_begin({each, each, each}, kHosts), "");
}

TEST(Readiness, OfAllAlikeIsSaidOnce) {
  EXPECT_EQ(reason_not_to_begin({refused("x"), refused("x"), refused("x")}, kHosts), "x");
}

TEST(Readiness, NamesTheRankThatRefusesAlone) {
  EXPECT_EQ(reason_not_to_begin({kOnGpu, refused("no device"), kOnGpu}, kHosts), "rank 1 on b: no device");
  EXPECT_EQ(reason_not_to_begin({refused("x"), refused("x"), refused("y")}, kHosts), "rank 0 on a: x");
}

TEST(Readiness, WantsAGpuForEachRankOrForNone) {
  EXPECT_EQ(reason_not_to_begin({kOnGpu, kOnGpu, kWithoutGpu}, kHosts),
            "rank 0 on a would compute on a GPU, and rank 2 on b cannot: there is no driver; give each rank one, or "
            "choose --backend onednn");
  EXPECT_EQ(reason_not_to_begin({kWithoutGpu, kOnGpu, kOnGpu}, kHosts),
            "rank 1 on b would compute on a GPU, and rank 0 on a cannot: there is no driver; give each rank one, or "
            "choose --backend onednn");
}

}  // namespace
}  // namespace mgbench
