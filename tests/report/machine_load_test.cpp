#include "report/machine_load.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

// As Linux 6.12 writes it, on two processors.
constexpr const char* kStat =
    "cpu  2754037 782261 516789 795391 2271 0 2649 5266 0 0\n"
    "cpu0 1367211 388967 252693 414963 806 0 1096 2643 0 0\n"
    "cpu1 1386825 393293 264095 380428 1464 0 1553 2623 0 0\n"
    "intr 28281796 0 0 0 0 0\n"
    "ctxt 48112345\n"
    "softirq 12221168 0 1124659 223212 6101662 435446 0 121252 1086145 742426 2386366\n";

TEST(ProcessorTimes, AreThoseOfTheGivenProcessors) {
  const ProcessorTimes second = processor_times(kStat, {1}, 100);
  EXPECT_DOUBLE_EQ(second.busy, (1386825 + 393293 + 264095) / 100.0);
  EXPECT_DOUBLE_EQ(second.steal, 26.23);
  EXPECT_NEAR(second.all, (1386825 + 393293 + 264095 + 380428 + 1464 + 1553 + 2623) / 100.0, 1e-6);
  EXPECT_DOUBLE_EQ(processor_times(kStat, {0}, 100).busy, (1367211 + 388967 + 252693) / 100.0)
      << "without the sum of all";
  const ProcessorTimes both = processor_times(kStat, {0, 1}, 100);
  EXPECT_NEAR(both.busy, processor_times(kStat, {0}, 100).busy + second.busy, 1e-6);
  EXPECT_EQ(processor_times(kStat, {2, 17}, 100).all, 0);
  EXPECT_EQ(processor_times("", {0}, 100).all, 0);
}

TEST(ProcessorTimes, OfKernelsWithoutStealHaveNone) {
  const ProcessorTimes times = processor_times("cpu10 1 2 3 4 5 6 7\n", {10}, 1);
  EXPECT_EQ(times.busy, 6);
  EXPECT_EQ(times.steal, 0);
  EXPECT_EQ(times.all, 28);
  EXPECT_EQ(processor_times("cpu10 1 2 3 4 5 6 7\n", {1}, 1).all, 0) << "cpu10 is not cpu1";
}

TEST(StalledTime, IsTheTotalOfSome) {
  EXPECT_DOUBLE_EQ(stalled_time("some avg10=82.24 avg60=28.15 avg300=13.12 total=12736021397\n"
                                "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n")
                       .value(),
                   12736.021397);
  EXPECT_FALSE(stalled_time(""));
  EXPECT_FALSE(stalled_time("some avg10=0.00 total=\n"));
  EXPECT_FALSE(stalled_time("full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"));
}

TEST(Processors, AreReadFromListsOfRanges) {
  EXPECT_EQ(processors_of("0-3,8"), (std::set<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(processors_of("5"), std::set<int>{5});
  EXPECT_EQ(processors_of("0,0-1,"), (std::set<int>{0, 1}));
  EXPECT_TRUE(processors_of("").empty());
}

TEST(Load, IsWhatOthersTookOfTheProcessorsTime) {
  HostReading begin{.processors = {.busy = 100, .steal = 2, .all = 1000}, .own = 10};
  HostReading end{.processors = {.busy = 118, .steal = 2.5, .all = 1020}, .own = 24};
  const HostLoad load = load_between(begin, end, 2).value();
  EXPECT_DOUBLE_EQ(load.seconds, 10);
  EXPECT_DOUBLE_EQ(load.others, 0.2) << "18 s busy, 14 of them the job's, of 20";
  EXPECT_DOUBLE_EQ(load.steal, 0.025);
  EXPECT_FALSE(load.stalled);
  EXPECT_FALSE(load.throttled);
  begin.stalled = 3;
  end.stalled = 8;
  begin.throttled = 4;
  end.throttled = 6;
  begin.clock_hertz = 3e9;
  end.clock_hertz = 2e9;
  const HostLoad more = load_between(begin, end, 2).value();
  EXPECT_DOUBLE_EQ(more.stalled.value(), 0.5);
  EXPECT_EQ(more.throttled, 2U);
  EXPECT_EQ(more.end_hertz, 2e9);
  end.own = 100;
  EXPECT_EQ(load_between(begin, end, 2).value().others, 0) << "ticks are coarse: never below none";
  EXPECT_FALSE(load_between(end, end, 2)) << "no time has passed";
}

HostLoad quiet(const std::string& host = "a") {
  return {.host = host, .first_rank = 0, .processors = 2, .seconds = 60, .others = 0.005, .steal = 0.001};
}

TEST(Load, IsDisturbedBeyondTheStatedThresholds) {
  EXPECT_FALSE(quiet().disturbed());
  HostLoad load = quiet();
  load.others = 0.021;
  EXPECT_TRUE(load.disturbed());
  load.seconds = 1;
  EXPECT_FALSE(load.disturbed()) << "four ticks";
  load = quiet();
  load.steal = 0.011;
  EXPECT_TRUE(load.disturbed());
  load = quiet();
  load.stalled = 0.9;
  EXPECT_FALSE(load.disturbed()) << "the job's own threads may wait for each other";
  load.begin_hertz = 3.0e9;
  load.end_hertz = 2.9e9;
  EXPECT_FALSE(load.disturbed());
  load.end_hertz = 2.8e9;
  EXPECT_TRUE(load.disturbed());
  load = quiet();
  load.throttled = 0;
  EXPECT_FALSE(load.disturbed());
  load.throttled = 1;
  EXPECT_TRUE(load.disturbed());
}

TEST(Load, OfManyHostsNamesTheWorstTen) {
  std::vector<HostLoad> loads;
  for (int host = 0; host < 40; ++host) {
    loads.push_back(quiet("h" + std::to_string(host)));
    if (host % 2 == 0) loads.back().others = 0.01 * host;
  }
  loads[7].throttled = 3;
  const MachineLoad load = summarize_load(loads);
  EXPECT_EQ(load.hosts, 40U);
  EXPECT_EQ(load.disturbed, 19U) << "4, 6, ... 38 and 7";
  ASSERT_EQ(load.worst.size(), 10U);
  EXPECT_EQ(load.worst[0].host, "h38");
  EXPECT_EQ(load.worst[9].host, "h20");
  EXPECT_EQ(summarize_load({}).hosts, 0U);
}

}  // namespace
}  // namespace mgbench
