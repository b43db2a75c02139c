// Under mpiexec: rounds of contestants in virtual time, who takes part in them, and when they end.
#include "bench/training/rounds.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <set>

#include "bench/clock.h"
#include "bench/training/race_judge.h"
#include "support/fake_network.h"
#include "support/virtual_clock.h"
#include "support/virtual_communicator.h"

namespace mgbench {
namespace {

/// A CPU in virtual time.
class VirtualCpu final : public FakeNetwork {
 public:
  VirtualCpu(Profile profile, VirtualClock& clock) : FakeNetwork(std::move(profile)), clock_(clock) {}
  void forward(std::size_t index) override {
    if (index == 0) work(extra(iterations_++));
    work(step(index).forward);
  }
  void backward(std::size_t index) override { work(step(index).backward); }
  void update() override { work(update_time()); }
  Mark mark() override {
    times_.push_back(clock_.now());
    return {static_cast<std::int64_t>(times_.size()) - 1};
  }
  Seconds seconds(Mark mark) const override { return times_.at(static_cast<std::size_t>(mark.value)); }

  /// How much longer than the others an iteration takes, counted over all blocks.
  std::function<Seconds(std::size_t)> extra = [](std::size_t) { return 0; };

 private:
  void work(Seconds time) { clock_.sleep_until(clock_.now() + time); }

  VirtualClock& clock_;
  std::vector<Seconds> times_;
  std::size_t iterations_ = 0;
};

class Rounds : public testing::Test {
 protected:
  static Profile profile() {
    Profile result{.model = "two", .backend = "virtual", .ranks = 1, .batch = 1, .steps = {}, .update = 1};
    for (const char* name : {"first", "second"})
      result.steps.push_back({.name = name, .forward = 1, .backward = 2, .tensors = {{name, 400}}});
    return result;
  }
  Contestant contestant(const std::string& name, std::vector<std::size_t> ends) const {
    return {.name = name, .schedule = make_schedule(profile(), MergePlan(std::move(ends)))};
  }
  std::string measure(std::vector<Contestant>& contestants, RoundsRequest request) {
    request.deadline = steady_clock().now() + 1e6;
    request.iteration = 1e6;  // blocks of one iteration
    Progress progress(false);
    end_ = measure_rounds(trainer_, contestants, request, progress);
    return end_.reason;
  }
  static std::size_t rounds_of(const Contestant& contestant) { return contestant.samples.size(); }

  RoundsEnd end_;
  ProcessGroup group_{MPI_COMM_WORLD};
  VirtualClock clock_;
  CostModel cost_{Line{10, 1e-3}};  // start-up is dear: one message is better than two
  VirtualCpu network_{profile(), clock_};
  VirtualCommunicator communicator_{clock_, cost_};
  Trainer trainer_{group_, network_, communicator_};
};

TEST(BlockLength, IsWhatFitsBesideTheDiscardedIteration) {
  EXPECT_EQ(block_length(60, 0.1, 80), 6) << "seven iterations each, one of them discarded";
  EXPECT_EQ(block_length(60, 0.001, 80), 10);
  EXPECT_EQ(block_length(60, 10, 80), 1);
  EXPECT_EQ(block_length(-1, 0.1, 80), 1) << "the time is spent";
  EXPECT_EQ(block_length(60, 0, 80), 10);
}

TEST_F(Rounds, EndWhenEveryMedianIsCertain) {
  std::vector<Contestant> contestants{contestant("one", {2}), contestant("two", {1, 2})};
  EXPECT_EQ(measure(contestants, {}), "every 95 % interval is within 2 % of its median after 6 rounds");
  for (const Contestant& each : contestants) EXPECT_EQ(rounds_of(each), 6U);
  // Two steps forwards, two backwards, the update, and messages of 10.8 s or 10.4 s each, the first released after 4 s.
  EXPECT_NEAR(contestants[0].samples[0].iteration, 6 + 10.8 + 1, 1e-9);
  EXPECT_NEAR(contestants[1].samples[0].iteration, 4 + 2 * 10.4 + 1, 1e-9);
}

TEST_F(Rounds, ABlocksFirstIterationDoesNotCountAndItsLastDoes) {
  std::vector<Contestant> contestants{contestant("one", {2})};
  network_.extra = [](std::size_t iteration) { return iteration % 2 == 0 ? 1000 : 100 + static_cast<int>(iteration); };
  measure(contestants, {.most_rounds = 5, .within = 0});
  for (std::size_t round = 0; round < 5; ++round)
    EXPECT_NEAR(contestants[0].samples[round].iteration, 6 + 10.8 + 1 + 100 + 2 * static_cast<double>(round) + 1, 1e-9);
}

TEST_F(Rounds, EveryOrderOfContestantsComesUp) {
  // Each iteration takes as much longer as there were iterations before: samples tell when they were taken.
  std::vector<Contestant> contestants{contestant("one", {2}), contestant("other", {2}), contestant("third", {2})};
  network_.extra = [](std::size_t iteration) { return static_cast<Seconds>(iteration); };
  measure(contestants, {.most_rounds = 60, .within = 0});
  std::set<std::vector<bool>> orders;
  for (std::size_t round = 0; round < 60; ++round) {
    const auto time = [&](std::size_t i) { return contestants[i].samples[round].iteration; };
    orders.insert({time(0) < time(1), time(1) < time(2), time(0) < time(2)});
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST_F(Rounds, NothingIsCertainWithinNothing) {
  std::vector<Contestant> contestants{contestant("one", {2})};
  EXPECT_EQ(measure(contestants, {.most_rounds = 9, .within = 0}), "9 rounds are enough");
}

TEST_F(Rounds, EndWithTheMostThatAreAskedFor) {
  std::vector<Contestant> contestants{contestant("one", {2})};
  std::vector<int> told;
  const auto tell = [&](int rounds) { told.push_back(rounds); };
  EXPECT_EQ(measure(contestants, {.most_rounds = 3, .after_round = tell}), "3 rounds are enough");
  EXPECT_EQ(told, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(end_.rounds, 3);
  EXPECT_FALSE(end_.stopped);
  EXPECT_EQ(rounds_of(contestants[0]), 3U);
}

TEST_F(Rounds, TheJudgeDropsAndEnds) {
  std::vector<Contestant> contestants{contestant("one", {2}), contestant("two", {1, 2})};
  int calls = 0;
  const RoundsJudge judge = [&](std::vector<Contestant>& all) -> std::string {
    if (++calls == 2) all[1].dropped = Dropped{2, "one"};
    return calls == 5 ? "that will do" : "";
  };
  EXPECT_EQ(measure(contestants, {.judge = judge}), "that will do after 5 rounds");
  EXPECT_EQ(rounds_of(contestants[0]), 5U);
  EXPECT_EQ(rounds_of(contestants[1]), 2U) << "a dropped one takes no part any more";
}

TEST_F(Rounds, ASignalToOneRankEndsThemOnAllAfterTheFirst) {
  std::vector<Contestant> contestants{contestant("one", {2}), contestant("two", {1, 2})};
  const int signal = group_.rank() == group_.size() - 1 ? SIGTERM : 0;
  EXPECT_EQ(measure(contestants, {.signal = [&] { return signal; }}), "stopped by SIGTERM after 1 round");
  EXPECT_TRUE(end_.stopped);
  EXPECT_EQ(end_.rounds, 1);
  for (const Contestant& each : contestants) EXPECT_EQ(rounds_of(each), 1U) << "the first round is whole";
}

TEST_F(Rounds, ARaceDropsTheLoserAfterSixAndKeepsTheBestStrategy) {
  std::vector<Contestant> contestants{contestant("helper", {2}), contestant("synceasgd", {2}),
                                      contestant("cost-x0.5", {1, 2})};
  EXPECT_EQ(measure(contestants, {.judge = race_judge(1)}), "all others are dropped after 6 rounds");
  EXPECT_FALSE(contestants[0].dropped);
  EXPECT_FALSE(contestants[1].dropped);
  ASSERT_TRUE(contestants[2].dropped);
  EXPECT_EQ(contestants[2].dropped->by, "synceasgd");
  EXPECT_EQ(contestants[2].dropped->rounds, 6U);
}

TEST_F(Rounds, ARaceWhoseLeaderIsNoStrategyKeepsTheBestOneBesideIt) {
  std::vector<Contestant> contestants{contestant("wfbp", {1, 2}), contestant("cost-x2", {2}),
                                      contestant("cost-x0.5", {1, 2})};
  measure(contestants, {.judge = race_judge(0)});
  EXPECT_FALSE(contestants[0].dropped);
  EXPECT_FALSE(contestants[1].dropped);
  EXPECT_TRUE(contestants[2].dropped);
  EXPECT_EQ(rounds_of(contestants[0]), rounds_of(contestants[1]));
}

}  // namespace
}  // namespace mgbench
