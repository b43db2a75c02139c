#include "bench/launch/launch.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"

namespace mgbench {
namespace {

constexpr Bytes kGibibyte = Bytes{1} << 30;

Machine machine(int cores, int numa_domains, Bytes memory = 64 * kGibibyte) {
  return {
      .host = "h", .cpu = "c", .kernel = "k", .cores = cores, .numa_domains = numa_domains, .memory_available = memory};
}

TEST(RankLayout, IsOneRankACoreUpToEight) {
  EXPECT_EQ(lay_out_ranks(machine(2, 1), std::nullopt, kGibibyte).ranks, 2);
  EXPECT_EQ(lay_out_ranks(machine(8, 2), std::nullopt, kGibibyte).ranks, 8);
  EXPECT_EQ(lay_out_ranks(machine(8, 2), std::nullopt, kGibibyte).cores_per_rank, 1);
}

TEST(RankLayout, IsOneRankANumaDomainBeyondEightCores) {
  const RankLayout layout = lay_out_ranks(machine(64, 4), std::nullopt, kGibibyte);
  EXPECT_EQ(layout.ranks, 4);
  EXPECT_EQ(layout.cores_per_rank, 16);
}

TEST(RankLayout, ObeysTheUser) {
  EXPECT_EQ(lay_out_ranks(machine(8, 2), 2, kGibibyte).cores_per_rank, 4);
  const RankLayout crowded = lay_out_ranks(machine(2, 1), 5, kGibibyte);
  EXPECT_EQ(crowded.ranks, 5);
  EXPECT_EQ(crowded.cores_per_rank, 0);
}

TEST(RankLayout, StartsFewerRanksWhereMemoryIsShort) {
  EXPECT_EQ(lay_out_ranks(machine(8, 1, 10 * kGibibyte), std::nullopt, 2 * kGibibyte).ranks, 4);
}

TEST(RankLayout, RefusesWhatMemoryDoesNotHold) {
  EXPECT_THROW(lay_out_ranks(machine(8, 1, 10 * kGibibyte), 8, 2 * kGibibyte), Error);
  try {
    lay_out_ranks(machine(8, 1, 10 * kGibibyte), std::nullopt, 20 * kGibibyte);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "1 rank of 20.0 GiB need 20.0 GiB; h has 10.0 GiB of memory available: choose a smaller --batch");
  }
}

TEST(LauncherCommand, BindsEachRankToItsCores) {
  const std::vector<std::string> command = launcher_command({.ranks = 2, .cores_per_rank = 1}, {"/bin/mgbench", "run"});
  const std::string joined = [&] {
    std::string text;
    for (const std::string& word : command) text += word + " ";
    return text;
  }();
  EXPECT_NE(joined.find("-n 2"), std::string::npos) << joined;
  EXPECT_NE(joined.find("core"), std::string::npos) << joined;
  EXPECT_EQ(command.back(), "run");
  EXPECT_EQ(command[command.size() - 2], "/bin/mgbench");
}

TEST(PlanLaunch, LeavesRanksTimeToEnd) {
  const char* name = "OMPI_MCA_odls_base_sigkill_timeout";
  RunConfig config;
  config.launcher = "mpirun";
  unsetenv(name);
  EXPECT_EQ(plan_launch(config, kGibibyte / 1024, {"mgbench", "run"}).variables.at(name), "3");
  setenv(name, "9", 1);
  EXPECT_FALSE(plan_launch(config, kGibibyte / 1024, {"mgbench", "run"}).variables.contains(name)) << "the user's";
  unsetenv(name);
}

}  // namespace
}  // namespace mgbench
