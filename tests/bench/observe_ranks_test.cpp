// Under mpiexec: each rank brings its own virtual times, one of them a slow rank's.
#include "bench/host/observe_ranks.h"

#include <gtest/gtest.h>

#include "bench/host/load_meter.h"

namespace mgbench {
namespace {

class Ranks : public testing::Test {
 protected:
  /// `rounds` rounds of three iterations; this rank ends backward after about `seconds`, with a spike in each block.
  RankTimes observe(Seconds seconds, int rounds = 8) {
    Contestant contestant;
    for (int round = 0; round < rounds; ++round)
      for (int position = 0; position < 3; ++position) {
        IterationRecord record;
        record.timeline.backward_end = position == 1 ? 50 : seconds * (1 + 0.001 * (round % 3));
        contestant.records.push_back(record);
        Sample sample;
        sample.round = round;
        sample.position = position;
        sample.iteration = 100;
        contestant.samples.push_back(sample);
      }
    return observe_ranks(group_, contestant, fmt::format("h{}", group_.rank()));
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  const int last_ = group_.size() - 1;
};

TEST_F(Ranks, ThePlantedSlowOneIsNamedWithItsHostAndCost) {
  const RankTimes times = observe(group_.rank() == last_ ? 2.0 : 1.0);
  if (!group_.is_root()) return;
  ASSERT_EQ(times.slowest.size(), static_cast<std::size_t>(group_.size()));
  if (last_ == 0) {
    EXPECT_EQ(times.slow, 0U);
    return;
  }
  EXPECT_EQ(times.slow, 1U);
  EXPECT_EQ(times.slowest[0].rank, last_);
  EXPECT_EQ(times.slowest[0].host, fmt::format("h{}", last_));
  EXPECT_TRUE(times.slowest[0].slow);
  EXPECT_NEAR(times.slowest[0].ratio, 2, 1e-9);
  EXPECT_NEAR(times.lost, 1, 0.01);
  EXPECT_EQ(times.slowest[1].host, "h0");
}

TEST_F(Ranks, NobodyIsNamedWhereAllAreAlikeOrRoundsAreTooFewForTheDifference) {
  const RankTimes alike = observe(1 + 0.01 * group_.rank());
  EXPECT_EQ(alike.slow, 0U);
  const RankTimes few = observe(group_.rank() == last_ ? 1.2 : 1.0, 5);
  EXPECT_EQ(few.slow, 0U) << "five rounds have no interval: it takes a quarter";
  if (group_.is_root()) {
    EXPECT_EQ(few.slowest[0].rank, last_);
  }
}

/// The kernel's own figures: what they must be whatever else the machine does.
TEST_F(Ranks, TheLoadMeterTellsOneHostOfAllItsRanks) {
  const Placement placement = place_rank(group_, {});
  LoadMeter meter(group_, placement);
  std::optional<MachineLoad> load;
  while (group_.minimum(load ? 1 : 0) < 1) {  // until the kernel's clock has ticked
    load = meter.read();
    if (!group_.is_root()) load = MachineLoad{};
  }
  if (!group_.is_root()) return;
  EXPECT_EQ(load->hosts, 1U);
  ASSERT_EQ(load->worst.size(), 1U);
  const HostLoad& host = load->worst[0];
  EXPECT_EQ(host.host, placement.host);
  EXPECT_EQ(host.first_rank, 0);
  EXPECT_GE(host.processors, 1);
  EXPECT_GT(host.seconds, 0);
  EXPECT_GE(host.others, 0);
  EXPECT_LE(host.others, 1);
}

}  // namespace
}  // namespace mgbench
