#include "report/prediction_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <numeric>

#include "report/examples.h"

namespace mgbench {
namespace {

constexpr Seconds kNothing = 1e-12;

/// One tensor of 1 MB a step, 10 ms of backward each.
Profile profile_of(std::size_t steps) {
  Profile profile;
  for (std::size_t i = 0; i < steps; ++i) {
    const std::string name = "layer" + std::to_string(i);
    profile.steps.push_back({.name = name, .forward = 0.005, .backward = 0.010, .tensors = {{name, 1'000'000}}});
  }
  profile.update = 0.002;
  return profile;
}

MergePlan one_each(std::size_t tensors) {
  std::vector<std::size_t> ends(tensors);
  std::iota(ends.begin(), ends.end(), std::size_t{1});
  return MergePlan(ends);
}

/// A strategy whose measured iteration is what `predict` says for another profile and cost.
StrategyResult measured_as(const Profile& profile, const CostModel& cost, const Profile& real_profile,
                           const CostModel& real_cost) {
  StrategyResult result;
  result.strategy = "wfbp";
  const Schedule schedule = make_schedule(profile, one_each(profile.steps.size()));
  result.predicted = predict(profile, schedule, cost);
  result.measured = predict(real_profile, schedule, real_cost);
  for (const MessageTimes& times : result.measured.messages) result.transfers.push_back(times.end - times.start);
  result.samples.push_back({.round = 0, .position = 0, .iteration = result.measured.iteration});
  return result;
}

Seconds sum_of_parts(const PredictionError& error) {
  Seconds sum = 0;
  for (const auto& [name, seconds] : error.parts()) sum += seconds;
  return sum;
}

/// Everything but the part that `part` takes is nothing.
void expect_only(const PredictionError& error, Seconds PredictionError::*part, Seconds expected) {
  EXPECT_NEAR(error.total, expected, kNothing);
  EXPECT_NEAR(error.*part, expected, kNothing);
  EXPECT_NEAR(sum_of_parts(error), error.total, kNothing);
  Seconds magnitudes = 0;
  for (const auto& [name, seconds] : error.parts()) magnitudes += std::abs(seconds);
  EXPECT_NEAR(magnitudes, std::abs(expected), 10 * kNothing);
}

const CostModel kFast({.a = 0.001, .b = 1e-9});   // 2 ms a message: behind 10 ms of computation
const CostModel kSlow({.a = 0.010, .b = 10e-9});  // 20 ms a message: a chain from the first one on

TEST(PredictionErrorParts, AreNothingWhereAllComesAsPredicted) {
  const Profile profile = profile_of(4);
  expect_only(prediction_error(measured_as(profile, kSlow, profile, kSlow)).value(), &PredictionError::computation, 0);
}

TEST(PredictionErrorParts, NameComputationThatTookLonger) {
  const Profile profile = profile_of(4);
  Profile real = profile;
  real.steps.back().backward += 0.003;  // the chain's first message waits for it
  expect_only(prediction_error(measured_as(profile, kSlow, real, kSlow)).value(), &PredictionError::computation, 0.003);
  real = profile;
  real.steps.front().backward += 0.003;  // and where communication is hidden but for the last message
  expect_only(prediction_error(measured_as(profile, kFast, real, kFast)).value(), &PredictionError::computation, 0.003);
  real = profile;
  real.update += 0.004;
  expect_only(prediction_error(measured_as(profile, kFast, real, kFast)).value(), &PredictionError::computation, 0.004);
}

TEST(PredictionErrorParts, NameMessagesThatTookLonger) {
  const Profile profile = profile_of(4);
  const CostModel slower({.a = 0.011, .b = 10e-9});
  const auto error = prediction_error(measured_as(profile, kSlow, profile, slower)).value();
  expect_only(error, &PredictionError::transfer, 4 * 0.001);
}

TEST(PredictionErrorParts, TellWaitingForALaterRankFromTheMessageItself) {
  const Profile profile = profile_of(4);
  const CostModel slower({.a = 0.012, .b = 10e-9});
  StrategyResult strategy = measured_as(profile, kSlow, profile, slower);
  for (Seconds& transfer : strategy.transfers) transfer -= 0.002;
  expect_only(prediction_error(strategy).value(), &PredictionError::waiting, 4 * 0.002);
}

TEST(PredictionErrorParts, NameLateStarts) {
  const Profile profile = profile_of(4);
  StrategyResult strategy = measured_as(profile, kSlow, profile, kSlow);
  Seconds late = 0;
  for (MessageTimes& times : strategy.measured.messages) {
    late += 0.0005;
    times.start += late;
    times.end += late;
  }
  strategy.measured.communication_end += late;
  strategy.measured.iteration += late;
  strategy.samples.front().iteration += late;
  expect_only(prediction_error(strategy).value(), &PredictionError::starting, 4 * 0.0005);
}

TEST(PredictionErrorParts, NameTheSlowestRank) {
  const Profile profile = profile_of(4);
  StrategyResult strategy = measured_as(profile, kSlow, profile, kSlow);
  strategy.samples.front().iteration += 0.007;
  expect_only(prediction_error(strategy).value(), &PredictionError::rest, 0.007);
}

TEST(PredictionErrorParts, NameTheMessageThatIsOffMost) {
  const Profile profile = profile_of(4);
  StrategyResult strategy = measured_as(profile, kSlow, profile, kSlow);
  for (std::size_t i = 2; i < 4; ++i) {
    strategy.measured.messages[i].end += 0.004;
    if (i > 2) strategy.measured.messages[i].start += 0.004;
  }
  strategy.transfers[2] += 0.004;
  strategy.measured.communication_end += 0.004;
  strategy.samples.front().iteration = strategy.measured.iteration += 0.004;
  const auto error = prediction_error(strategy).value();
  expect_only(error, &PredictionError::transfer, 0.004);
  EXPECT_EQ(error.message, 2U);
  EXPECT_NEAR(error.message_excess, 0.004, kNothing);
  const std::string text = format_prediction_error("wfbp", error, strategy.predicted.iteration);
  EXPECT_NE(text.find("message 3 alone"), std::string::npos) << text;
  EXPECT_EQ(text.find("computation"), std::string::npos) << text;
}

RC_GTEST_PROP(PredictionErrorParts, AddUpToTheWhole, ()) {
  const auto steps = *rc::gen::inRange<std::size_t>(1, 9);
  const auto factor = [] { return static_cast<double>(*rc::gen::inRange(30, 300)) / 100; };
  const auto cost = [&] { return CostModel({.a = 0.004 * factor(), .b = 4e-9 * factor()}); };
  const Profile profile = profile_of(steps);
  Profile real = profile;
  for (Profile::Step& step : real.steps) step.backward *= factor();
  StrategyResult strategy = measured_as(profile, cost(), real, cost());
  for (Seconds& transfer : strategy.transfers) transfer *= std::min(1.0, factor());
  strategy.samples.front().iteration *= factor();
  const auto error = prediction_error(strategy).value();
  RC_ASSERT(std::abs(error.total - (strategy.samples.front().iteration - strategy.predicted.iteration)) < kNothing);
  RC_ASSERT(std::abs(sum_of_parts(error) - error.total) < 10 * kNothing);
  RC_ASSERT(error.waiting >= 0);
}

TEST(PredictionErrorParts, AreNoneWithoutSamplesOrForOtherMessages) {
  const Profile profile = profile_of(4);
  StrategyResult strategy = measured_as(profile, kSlow, profile, kSlow);
  strategy.measured.messages.pop_back();
  EXPECT_FALSE(prediction_error(strategy));
  strategy = measured_as(profile, kSlow, profile, kSlow);
  strategy.samples.clear();
  EXPECT_FALSE(prediction_error(strategy));
}

}  // namespace
}  // namespace mgbench
