#include "report/run_notes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/examples.h"
#include "report/summary.h"

namespace mgbench {
namespace {

RankTimes one_slow(int rank = 1) {
  return {.typical = 0.3,
          .spread = 0.001,
          .slow = 1,
          .lost = 0.12,
          .slowest = {{.rank = rank, .host = "h2", .seconds = 0.414, .ratio = 1.38, .slow = true},
                      {.rank = 0, .host = "h1", .seconds = 0.294, .ratio = 0.98, .slow = false}}};
}

RankTimes none_slow() {
  RankTimes times = one_slow();
  times.slow = 0;
  times.slowest[0].slow = false;
  return times;
}

using Notes = std::vector<std::string>;

TEST(RunNotes, SayWhatTheTimeWentInto) {
  RunResult result = example_run();
  EXPECT_EQ(stage_sentence(result), "Time: calibrating 6.5 s, measuring 78 s.");
  result.stages.clear();
  EXPECT_EQ(stage_sentence(result), "");
}

TEST(RunNotes, OfAQuietRunAreItsRemarks) {
  RunResult result = example_run();
  result.computation = none_slow();
  result.load = MachineLoad{.hosts = 1, .disturbed = 0, .worst = {{.host = "h1", .others = 0.01}}};
  EXPECT_EQ(run_notes(result), Notes{});
  result.remarks = {"two ranks share a core"};
  EXPECT_EQ(run_notes(result), Notes{"Note: two ranks share a core"});
}

TEST(RunNotes, NameTheSlowRankWithHostAndCost) {
  RunResult result = example_run();
  result.computation = one_slow();
  EXPECT_EQ(
      run_notes(result),
      Notes{"Slow: rank 1 on h2 computes 38 % longer than the typical rank and costs up to 120 ms an iteration."});
}

TEST(RunNotes, NameSeveralSlowRanksAndCountTheRest) {
  RunResult result = example_run();
  result.computation = one_slow();
  result.computation->slow = 12;
  for (RankTime& rank : result.computation->slowest) rank.slow = true;
  EXPECT_EQ(run_notes(result), Notes{"Slow: 12 ranks compute longer than the typical rank and together cost up to 120 "
                                     "ms an iteration: rank 1 on h2 (38 %), rank 0 on h1 (-2 %), 10 more."});
}

TEST(RunNotes, NameTheRankThatIsLateOnlyWhereMessagesTravel) {
  RunResult result = example_run();
  result.computation = none_slow();
  strategy(result, "ddp").arrival = one_slow();
  strategy(result, "wfbp").arrival = one_slow();
  strategy(result, "wfbp").arrival->lost = 0.01;
  EXPECT_EQ(run_notes(result), Notes{"Late: under ddp rank 1 on h2 ends backward 38 % (114 ms) later than the typical "
                                     "rank, though without communication it is not measurably slow."});
  result.computation = one_slow();
  EXPECT_EQ(run_notes(result).size(), 1U) << "a rank that computes slowly is late for that reason";
  EXPECT_EQ(run_notes(result)[0].find("Slow: "), 0U);
}

TEST(RunNotes, SayWhatDisturbedWhichHost) {
  RunResult result = example_run();
  HostLoad load{.host = "h2", .first_rank = 0, .processors = 2, .seconds = 60, .others = 0.48, .steal = 0.03};
  load.begin_hertz = 3.1e9;
  load.end_hertz = 2.6e9;
  load.throttled = 12;
  HostLoad quiet{.host = "h3", .first_rank = 1, .processors = 2, .seconds = 60, .others = 0.001, .steal = 0};
  result.load = summarize_load({quiet, load});
  EXPECT_EQ(run_notes(result),
            Notes{"Note: the machine was disturbed during the rounds: on h2 others took 48 % of the processors' time, "
                  "other virtual machines took 3 % (steal), the clock went from 3.10 to 2.60 GHz, processors were "
                  "throttled 12 times."});
  load.throttled.reset();
  load.end_hertz.reset();
  load.steal = 0;
  result.load = summarize_load(std::vector<HostLoad>(13, load));
  const std::string many = run_notes(result).at(0);
  EXPECT_TRUE(many.ends_with("on h2 others took 48 % of the processors' time; 3 more of 13 hosts.")) << many;
}

TEST(RunNotes, SayWhatDrifted) {
  RunResult result = example_run(48);  // twelve rounds
  for (StrategyResult& each : result.strategies)
    for (Sample& sample : each.samples) sample.iteration *= 1 + 0.005 * sample.round;
  for (Sample& sample : result.without_communication) sample.iteration *= 1 + 0.005 * sample.round;
  EXPECT_EQ(run_notes(result),
            Notes{"Note: the machine became 4 % slower during the rounds (last third against first third, all "
                  "strategies together); ratios are paired within rounds and hold."});
  RunResult single = example_run(48);
  for (Sample& sample : strategy(single, "ddp").samples) sample.iteration /= 1 + 0.02 * sample.round;
  EXPECT_EQ(run_notes(single),
            Notes{"Note: beside the others ddp became 13 % faster during the rounds: its ratios mix two states."});
}

TEST(RunNotes, StandInTheSummary) {
  RunResult result = example_run();
  result.computation = one_slow();
  EXPECT_NE(format_summary(result, 160).find("\nSlow: rank 1 on h2 computes 38 % longer"), std::string::npos);
}

}  // namespace
}  // namespace mgbench
