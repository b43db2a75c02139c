#include "report/run_result.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/error.h"
#include "report/equal.h"
#include "report/examples.h"
#include "report/random_values.h"

namespace mgbench {
namespace {

std::string error_of(const std::string& text) {
  try {
    run_result_from_json(text, "r.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

std::string error_of(std::string text, const std::string& from, const std::string& to) {
  return error_of(text.replace(text.find(from), from.size(), to));
}

RC_GTEST_PROP(RunResultJson, ReadsBackExactly, ()) {
  const RunResult result = random_run();
  RC_ASSERT(equal(run_result_from_json(to_json(result), "r.json"), result));
}

TEST(RunResultJson, HasOneLineASample) {
  const std::string text = to_json(example_run());
  EXPECT_NE(text.find("{\"round\": 7, \"position\": 1, "), std::string::npos);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LT(end - begin, 320U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(RunResultJson, SaysWhatIsWrong) {
  const std::string text = to_json(example_run());
  EXPECT_EQ(error_of(text, "\"schema\": 1", "\"schema\": 2"),
            "r.json: schema: 2 is of a newer mgbench, expected 1 at most");
  EXPECT_EQ(error_of(text, "\"schema\": 1,", "\"schema\": 7, \"later\": {},"),
            "r.json: schema: 7 is of a newer mgbench, expected 1 at most");
  EXPECT_EQ(error_of(text, "\"schema\": 1", "\"schema\": 0"),
            "r.json: schema: '0' is not valid, expected a whole number from 1 to 2147483647");
  EXPECT_EQ(error_of(text, "\"schema\": 1,", ""), "r.json: missing key: schema");
  EXPECT_EQ(error_of(text, "\"batch\": 4,", ""), "r.json: missing key: batch");
  EXPECT_EQ(error_of(text, "\"batch\": 4", "\"batch\": \"4\""),
            "r.json: batch: the text \"4\" is not valid, expected a whole number from 1 to 1000000000");
  EXPECT_NE(error_of(text, "\"batch\": 4", "\"batchs\": 4").find("batchs: unknown key; did you mean 'batch'?"),
            std::string::npos);
  EXPECT_NE(error_of(text, "\"round\": 0,", "").find("r.json: strategies[0].samples[0]: missing key: round"),
            std::string::npos);
  EXPECT_NE(error_of(text, "\"iteration_seconds\": 0.", "\"iteration_seconds\": -0.").find("strategies[0].predicted"),
            std::string::npos);
  EXPECT_NE(error_of(text, "\"end_tensor\": 5", "\"end_tensor\": 2").find("strategies[0].groups[1].end_tensor: '2'"),
            std::string::npos);
  EXPECT_NE(error_of(text.substr(0, text.find("\"seed\""))).find("unexpected end of input"), std::string::npos);
  EXPECT_EQ(error_of("[]"), "r.json: a list is not valid, expected a mapping");
}

RunResult with_choice() {
  RunResult result = example_run();
  result.communicator_choice = {.chosen = "mpi-async",
                                .reason = "the shortest",
                                .candidates = {{.communicator = "mpi-async",
                                                .iteration = {.median = 0.1, .interval = {}, .samples = 1},
                                                .alone = 0.04,
                                                .exposed = 0.01,
                                                .hidden = 0.75,
                                                .slowdown = 1.02}}};
  return result;
}

TEST(RunResultJson, ReadsResultsFromBeforeCommunicatorsWereChosen) {
  std::string text = to_json(example_run());
  const std::string key = "\"communicator_choice\": null,";
  ASSERT_NE(text.find(key), std::string::npos);
  EXPECT_TRUE(equal(run_result_from_json(text.erase(text.find(key), key.size()), "r.json"), example_run()));
}

TEST(RunResultJson, ReadsResultsFromBeforeRanksLoadAndDriftWereKept) {
  RunResult result = example_run();
  result.strategies.clear();
  std::string text = to_json(result);
  for (const std::string key : {"\"rank_computation\": null,", "\"machine_load\": null,",
                                "\"drift\": {\"machine\": null, \"strategies\": {}},"}) {
    ASSERT_NE(text.find(key), std::string::npos) << key << text;
    text.erase(text.find(key), key.size());
  }
  EXPECT_TRUE(equal(run_result_from_json(text, "r.json"), result));
}

TEST(RunResultJson, SaysWhatIsWrongWithRanksAndLoad) {
  RunResult result = example_run();
  result.computation = RankTimes{.typical = 1, .slowest = {{.rank = 3, .host = "h", .seconds = 1}}};
  result.load = MachineLoad{.hosts = 1, .worst = {{.host = "h", .processors = 2, .seconds = 9, .others = 0.25}}};
  const std::string text = to_json(result);
  EXPECT_EQ(error_of(text), "no error");
  EXPECT_EQ(
      error_of(text, "\"rank\": 3", "\"rank\": -3"),
      "r.json: rank_computation.slowest[0].rank: '-3' is not valid, expected a whole number from 0 to 1000000000");
  EXPECT_EQ(error_of(text, "\"others\": 0.25", "\"others\": 1.25"),
            "r.json: machine_load.worst[0].others: '1.25' is not valid, expected a number from 0 to 1");
  EXPECT_NE(error_of(text, "\"slow_ranks\"", "\"slow_rank\"").find("did you mean 'slow_ranks'?"), std::string::npos);
}

TEST(RunResultJson, TellsOtherProgramsOfDrift) {
  RunResult result = example_run(48);
  EXPECT_NE(to_json(result).find("\"machine\": null"), std::string::npos);
  for (StrategyResult& each : result.strategies)
    for (Sample& sample : each.samples) sample.iteration *= 1 + 0.005 * sample.round;
  EXPECT_NE(to_json(result).find("\"machine\": 1.04"), std::string::npos) << to_json(result).substr(0, 3000);
}

TEST(RunResultJson, SaysWhatIsWrongWithAChoice) {
  const std::string text = to_json(with_choice());
  EXPECT_EQ(error_of(text), "no error");
  EXPECT_EQ(error_of(text, "\"chosen\": \"mpi-async\"", "\"chosen\": \"mpi-asink\""),
            "r.json: communicator_choice.chosen: 'mpi-asink' is not among the candidates; did you mean 'mpi-async'? "
            "choices: mpi-async");
  EXPECT_EQ(error_of(text, "\"hidden\": 0.75", "\"hidden\": 1.5"),
            "r.json: communicator_choice.candidates[0].hidden: '1.5' is not valid, expected a number from 0 to 1");
  EXPECT_NE(error_of(text, "\"slowdown\": 1.02", "\"slowdown\": 0").find("candidates[0].slowdown: 0 is not valid"),
            std::string::npos);
  EXPECT_NE(error_of(text, "\"reason\": ", "\"raeson\": ").find("did you mean 'reason'?"), std::string::npos);
}

TEST(RunResultJson, IsNotWrittenWithATimeThatIsNone) {
  RunResult result = example_run();
  result.strategies[1].samples[2].iteration = std::numeric_limits<double>::quiet_NaN();
  try {
    to_json(result);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the result's strategies[1].samples[2].iteration_seconds is not a finite number and cannot be saved");
  }
}

TEST(StrategyResult, LeavesOutRejectedSamples) {
  StrategyResult result;
  EXPECT_EQ(result.iteration().samples, 0U);
  result.samples = example_samples(24, 0.1);
  EXPECT_EQ(result.iteration().samples, 6U) << "rounds";
  for (std::size_t i = 0; i < 3; ++i) {
    result.samples[i].iteration = 5;
    result.samples[i].rejected = true;
  }
  EXPECT_EQ(result.rejected(), 3U);
  EXPECT_EQ(result.iteration().samples, 6U);
  EXPECT_LT(result.iteration().interval.value().high, 0.2);
}

}  // namespace
}  // namespace mgbench
