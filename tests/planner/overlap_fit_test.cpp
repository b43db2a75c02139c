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

/// Messages of `sizes` (in seconds in flight) follow each other from the begin of backward, whose 100 steps take 1 ms
/// each without them. Each takes the core in the step in which it starts: a share of its whole time, and `cpu`.
ObservedSchedule takes_the_core_at_the_start(const std::vector<Seconds>& sizes, double share, Seconds cpu) {
  constexpr int kSteps = 100;
  ObservedSchedule schedule;
  std::vector<Seconds> starts;
  Seconds now = 0;
  for (const Seconds size : sizes) {
    schedule.ended.push_back({.measured = size, .expected = size});
    schedule.messages.push_back({.ready = now, .start = now, .end = now + size});
    now += size;
  }
  Seconds busy = 0;
  std::size_t next = 0;
  for (int step = 1; step <= kSteps; ++step) {
    Seconds lost = 0;
    for (; next < sizes.size() && schedule.messages[next].start < busy + 1e-3 + lost; ++next)
      lost += share * sizes[next] + cpu;
    busy += 1e-3 + lost;
    schedule.step_ends.push_back(busy);
    schedule.quiet_step_ends.push_back(1e-3 * step);
  }
  return schedule;
}

TEST(FitOverlap, OfSeveralSchedulesDoesNotAskInWhichStepAMessageTookTheCore) {
  for (const auto& [share, cpu] : {std::pair{0.25, 0.0}, {0.25, 5e-5}, {0.0, 5e-5}, {0.6, 1e-4}}) {
    std::vector<ObservedSchedule> schedules;
    for (const std::vector<Seconds>& sizes :
         {std::vector<Seconds>(60, 5e-4), {30e-3}, {10e-3, 10e-3, 1e-3, 1e-3}, {20e-3, 1e-4}})
      schedules.push_back(takes_the_core_at_the_start(sizes, share, cpu));
    const Overlap overlap = fit_overlap(schedules);
    EXPECT_NEAR(overlap.core_share, share, 1e-9);
    EXPECT_NEAR(overlap.message_cpu, cpu, 1e-9);
    EXPECT_NEAR(overlap.stretch, 1, 1e-9);
    EXPECT_NEAR(overlap.notice, 0, 1e-9);
  }
}

TEST(FitOverlap, OfOneScheduleLooksAtItsSteps) {
  // Each step loses a quarter of what is in flight in it, and one message starts in it.
  ObservedSchedule schedule;
  for (int step = 0; step < 10; ++step) {
    const Seconds begin = 1e-3 * step, size = 1e-4 * (step + 1);
    const Seconds before = schedule.step_ends.empty() ? 0 : schedule.step_ends.back();
    schedule.messages.push_back({.ready = before, .start = before, .end = before + size});
    schedule.quiet_step_ends.push_back(begin + 1e-3);
    schedule.step_ends.push_back(before + 1e-3 + 0.25 * size + 1e-5);
  }
  const Overlap overlap = fit_overlap({schedule});
  EXPECT_NEAR(overlap.core_share, 0.25, 1e-9);
  EXPECT_NEAR(overlap.message_cpu, 1e-5, 1e-9);
}

}  // namespace
}  // namespace mgbench
