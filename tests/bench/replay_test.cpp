#include <gtest/gtest.h>

#include <algorithm>

#include "bench/network.h"
#include "support/random_case.h"
#include "support/virtual_clock.h"

namespace mgbench {
namespace {

class ReplayTest : public testing::Test {
 protected:
  std::unique_ptr<Network> make(int rank = 0, std::uint64_t seed = 1, int ranks = 4) {
    return backends().find("replay").make(
        {.profile = &profile_, .seed = seed, .rank = rank, .ranks = ranks, .sgd = sgd_, .clock = &clock_});
  }

  /// Forward and backward; the gradients are this rank's own.
  static void compute(Network& network) {
    for (std::size_t step = 0; step < network.steps(); ++step) network.forward(step);
    for (std::size_t step = network.steps(); step-- > 0;) network.backward(step);
  }

  Profile profile_{.model = "two",
                   .steps = {{.name = "first", .forward = 1, .backward = 2, .tensors = {{"a", 4}, {"b", 4000}}},
                             {.name = "second", .forward = 4, .backward = 8, .tensors = {{"c", 400}}}},
                   .update = 16};
  const SgdOptions sgd_{.learning_rate = 0.5F, .momentum = 0.25F, .weight_decay = 0.125F};
  VirtualClock clock_;
};

TEST_F(ReplayTest, TakesTheProfilesTimes) {
  const auto network = make();
  clock_.sleep_until(100);
  compute(*network);
  EXPECT_EQ(clock_.now(), 100 + 15);
  clock_.sleep_until(200);  // blocked in a join: the update lasts as long as ever
  network->update();
  EXPECT_EQ(clock_.now(), 200 + 16);
  EXPECT_EQ(network->seconds(network->mark()), 216);
}

/// A clock whose sleeps end late, as real ones do.
class LateClock final : public Clock {
 public:
  Seconds now() const override { return now_; }
  void sleep_until(Seconds time) override { now_ = std::max(now_, time + 0.25); }

 private:
  Seconds now_ = 0;
};

TEST_F(ReplayTest, LateAwakeningsDoNotAddUp) {
  LateClock clock;
  const auto network = backends().find("replay").make({.profile = &profile_, .clock = &clock});
  compute(*network);
  EXPECT_EQ(clock.now(), 15 + 0.25);
  network->update();
  EXPECT_EQ(clock.now(), 15.25 + 16 + 0.25);
}

TEST_F(ReplayTest, OutlineHasTheStepsWithoutTimes) {
  const auto network = make();
  ASSERT_EQ(network->steps(), 2U);
  EXPECT_EQ(network->outline().steps[0].tensors[1].name, "b");
  EXPECT_EQ(network->outline().bytes(), 4404);
  EXPECT_EQ(network->outline().forward() + network->outline().backward() + network->outline().update, 0);
}

TEST_F(ReplayTest, GradientsDifferByRankIterationAndSeedAndReachTheEndsOfEachTensor) {
  const auto gradients_of = [&](int rank, std::uint64_t seed, int iterations) {
    const auto network = make(rank, seed);
    for (int i = 0; i < iterations; ++i) {
      compute(*network);
      network->update();
    }
    compute(*network);
    return network->plain_gradients();
  };
  const auto reference = gradients_of(0, 1, 0);
  EXPECT_EQ(reference, gradients_of(0, 1, 0));
  EXPECT_NE(reference, gradients_of(1, 1, 0));
  EXPECT_NE(reference, gradients_of(0, 2, 0));
  EXPECT_NE(reference, gradients_of(0, 1, 1));
  // In the arena's order: c (100 elements), a (1), b (1000).
  ASSERT_EQ(reference.size(), 1101U);
  for (const std::size_t end : {0, 99, 100, 101, 1100}) EXPECT_GT(reference[end], 0) << end;
  EXPECT_EQ(std::count_if(reference.begin(), reference.end(), [](float value) { return value != 0; }), 64 + 1 + 64);
}

TEST_F(ReplayTest, BackwardWritesTheGradientsOfItsStepOnly) {
  const auto network = make();
  network->backward(1);
  const auto gradients = network->plain_gradients();
  EXPECT_GT(gradients[99], 0);
  EXPECT_EQ(gradients[100], 0);
}

TEST_F(ReplayTest, UpdateIsMomentumSgdWithTheAveragedSum) {
  const auto network = make();
  std::vector<float> weight = network->plain_parameters();
  std::vector<float> velocity(weight.size());
  for (int iteration = 0; iteration < 3; ++iteration) {
    compute(*network);
    const auto gradients = network->plain_gradients();
    network->update();
    for (std::size_t i = 0; i < weight.size(); ++i) {
      velocity[i] = 0.25F * velocity[i] + (gradients[i] / 4 + 0.125F * weight[i]);
      weight[i] -= 0.5F * velocity[i];
    }
    EXPECT_EQ(network->plain_parameters(), weight);
  }
}

TEST_F(ReplayTest, RanksStartEqualAndSavedStatesComeBack) {
  const auto network = make();
  EXPECT_EQ(network->plain_parameters(), make(3)->plain_parameters());
  EXPECT_NE(network->plain_parameters(), make(0, 2)->plain_parameters());

  compute(*network);
  network->update();
  const NetworkState state = network->save();
  const auto run = [&] {
    compute(*network);
    network->update();
    return network->plain_parameters();
  };
  const auto once = run();
  network->restore(state);
  EXPECT_EQ(run(), once);
}

TEST_F(ReplayTest, GradientViewIsASliceOfTheArena) {
  const auto network = make();
  const auto all = network->gradients({0, 4404});
  const auto slice = network->gradients({400, 404});
  EXPECT_EQ(all.count, 1101U);
  EXPECT_EQ(slice.count, 1U);
  EXPECT_EQ(slice.data, static_cast<float*>(all.data) + 100);
}

TEST_F(ReplayTest, RefusesWhatItCannotReplay) {
  EXPECT_THROW(backends().find("replay").make({.clock = &clock_}), Error);
  profile_.steps[0].tensors[0].bytes = 6;
  EXPECT_THROW(make(), Error);
}

}  // namespace
}  // namespace mgbench
