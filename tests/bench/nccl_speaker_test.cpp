#include "bench/nccl/nccl_speaker.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

constexpr const char* kNext = "mgbench: next communicator\n";

TEST(HeardOfNccl, IsTheLogOfEachCommunicator) {
  const auto heard = heard_of_nccl(std::string("before\n") + kNext + "one\ntwo\n" + kNext + "three\nmgbench: end\n", 2);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].log, "one\ntwo\n");
  EXPECT_EQ(heard[1].log, "three\n");
  EXPECT_EQ(heard[0].failure + heard[1].failure, "");
}

TEST(HeardOfNccl, AFailureIsOfItsCommunicatorAlone) {
  const auto heard =
      heard_of_nccl(std::string(kNext) + "one\nmgbench: failed: no NVLS\n" + kNext + "two\nmgbench: end\n", 2);
  EXPECT_EQ(heard[0].failure, "no NVLS");
  EXPECT_EQ(heard[0].log, "one\n");
  EXPECT_EQ(heard[1].failure, "");
}

TEST(HeardOfNccl, WhatBreaksOffHasNotEnded) {
  const auto heard = heard_of_nccl(std::string(kNext) + "one\n" + kNext + "two\n", 3);
  EXPECT_EQ(heard[0].failure, "");
  EXPECT_EQ(heard[1].failure, kUntold);
  EXPECT_EQ(heard[1].log, "two\n");
  EXPECT_EQ(heard[2].failure, kUntold);
  EXPECT_EQ(heard_of_nccl("", 1)[0].failure, kUntold);
}

TEST(HeardOfNccl, IsWholeWithItsLastLine) {
  EXPECT_TRUE(is_whole_speech(std::string(kNext) + "one\nmgbench: failed: no NVLS\nmgbench: end\n"));
  EXPECT_FALSE(is_whole_speech(std::string(kNext) + "one\n"));
  EXPECT_FALSE(is_whole_speech("mgbench: failed: out of memory\n"));
  EXPECT_FALSE(is_whole_speech(""));
}

TEST(HeardOfNccl, WhatFailsAtOnceHasOneReasonForAll) {
  const auto heard = heard_of_nccl("mgbench: failed: out of memory\n", 2);
  EXPECT_EQ(heard[0].failure, "out of memory");
  EXPECT_EQ(heard[1].failure, "out of memory");
}

}  // namespace
}  // namespace mgbench
