#include "planner/overlap_fit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

namespace mgbench {
namespace {

std::vector<OverlapObservation> observations(const Overlap& truth, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> in_flight(0, 5e-3);
  std::uniform_int_distribution<int> messages(0, 4);
  std::normal_distribution<double> error(0, noise);
  std::vector<OverlapObservation> result;
  for (int i = 0; i < 100; ++i) {
    OverlapObservation one{
        .extra = 0, .in_flight = in_flight(random), .messages = static_cast<double>(messages(random))};
    one.extra = truth.core_share * one.in_flight + truth.message_cpu * one.messages + error(random);
    result.push_back(one);
  }
  return result;
}

RC_GTEST_PROP(OverlapFit, RecoversWhatMadeTheObservations, (std::uint64_t seed)) {
  const Overlap truth{
      .core_share = *rc::gen::inRange(0, 101) / 100.0, .stretch = 1, .message_cpu = *rc::gen::inRange(0, 1001) * 1e-6};
  const Overlap fitted = fit_computation(observations(truth, 0, seed), {});
  RC_ASSERT(std::abs(fitted.core_share - truth.core_share) < 1e-9);
  RC_ASSERT(std::abs(fitted.message_cpu - truth.message_cpu) < 1e-12);
}

TEST(OverlapFit, ToleratesNoise) {
  const Overlap truth{.core_share = 0.4, .stretch = 1, .message_cpu = 2e-4};
  const Overlap fitted = fit_computation(observations(truth, 5e-5, 7), {});
  EXPECT_NEAR(fitted.core_share, truth.core_share, 0.02);
  EXPECT_NEAR(fitted.message_cpu, truth.message_cpu, 2e-5);
}

RC_GTEST_PROP(OverlapFit, StaysInRangeAndNoPointOfTheRangeFitsBetter, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<OverlapObservation> steps;
  for (int i = 0; i < 5; ++i)
    steps.push_back(
        {.extra = any(random), .in_flight = std::abs(any(random)), .messages = std::floor(3 * std::abs(any(random)))});
  auto loss = [&](double share, double cpu) {
    double sum = 0;
    for (const auto& step : steps) {
      const double residual = step.extra - share * step.in_flight - cpu * step.messages;
      sum += residual * residual;
    }
    return sum;
  };
  const Overlap fitted = fit_computation(steps, {});
  RC_ASSERT(fitted.core_share >= 0 && fitted.core_share <= 1 && fitted.message_cpu >= 0);
  for (double share = 0; share <= 1; share += 0.05)
    for (double cpu = 0; cpu <= 1; cpu += 0.05)
      RC_ASSERT(loss(fitted.core_share, fitted.message_cpu) <= loss(share, cpu) + 1e-9);
}

TEST(OverlapFit, WithoutObservationsNothingIsLost) {
  EXPECT_TRUE(fit_messages({}).none());
  EXPECT_TRUE(fit_computation({}, {}).none());
  EXPECT_TRUE(fit_computation({{.extra = 1e-3, .in_flight = 0, .messages = 0}}, {}).none());
}

TEST(OverlapFit, KeepsWhatMessagesHaveTold) {
  const Overlap messages{.core_share = 0, .stretch = 1.5, .message_cpu = 0, .notice = 1e-4};
  const Overlap fitted = fit_computation(observations({.core_share = 0.5}, 0, 3), messages);
  EXPECT_EQ(fitted.stretch, 1.5);
  EXPECT_EQ(fitted.notice, 1e-4);
  EXPECT_NEAR(fitted.core_share, 0.5, 1e-9);
}

RC_GTEST_PROP(OverlapFit, TellsStretchFromNotice, ()) {
  const double stretch = 1 + *rc::gen::inRange(0, 300) / 100.0;
  const Seconds notice = *rc::gen::inRange(0, 1000) * 1e-6;
  std::vector<MessageObservation> messages;
  for (const Seconds expected : {20e-6, 20e-6, 100e-6, 1e-3, 30e-3})
    messages.push_back({stretch * expected + notice, expected});
  const Overlap fitted = fit_messages(messages);
  RC_ASSERT(std::abs(fitted.stretch - stretch) < 1e-9);
  RC_ASSERT(std::abs(fitted.notice - notice) < 1e-9);
}

TEST(OverlapFit, MessagesOfOneSizeAreStretchedAndFasterOnesAreNot) {
  EXPECT_DOUBLE_EQ(fit_messages({{3, 2}}).stretch, 1.5);
  EXPECT_DOUBLE_EQ(fit_messages({{3, 2}, {3, 2}}).stretch, 1.5);
  EXPECT_TRUE(fit_messages({{1, 2}, {0.5, 1}}).none());
}

}  // namespace
}  // namespace mgbench
