#include "report/communicator_choice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace mgbench {
namespace {

/// `n` rounds of equal times: half of the messages' time of 0.04 s is hidden, computation takes `slowdown` as long.
CommunicatorRounds rounds(const std::string& name, Seconds iteration, double slowdown = 1.25, std::size_t n = 8) {
  return {.communicator = name,
          .iteration = std::vector<Seconds>(n, iteration),
          .computation = std::vector<Seconds>(n, 0.08 * slowdown),
          .computation_without = std::vector<Seconds>(n, 0.08),
          .exposed = std::vector<Seconds>(n, 0.02),
          .alone = std::vector<Seconds>(n, 0.04)};
}

/// Passes 1 % longer and 1 % shorter in turn.
CommunicatorRounds noisy(CommunicatorRounds candidate) {
  for (std::size_t i = 0; i < candidate.iteration.size(); ++i) candidate.iteration[i] *= i % 2 == 0 ? 0.99 : 1.01;
  return candidate;
}

TEST(CommunicatorChoice, IsTheShortestIteration) {
  const CommunicatorChoice choice =
      choose_communicator({rounds("first", 0.12, 1.5), rounds("second", 0.1), rounds("third", 0.11)}, "under a probe");
  EXPECT_EQ(choice.chosen, "second");
  ASSERT_EQ(choice.candidates.size(), 3U);
  EXPECT_EQ(choice.candidates[0].communicator, "first");
  EXPECT_DOUBLE_EQ(choice.candidates[0].iteration.median, 0.12);
  EXPECT_DOUBLE_EQ(choice.candidates[0].slowdown, 1.5);
  EXPECT_DOUBLE_EQ(choice.candidates[1].hidden, 0.5);
  EXPECT_EQ(choice.reason,
            "Communicator: second, since its iteration under a probe is the shortest: "
            "first 120 ms (50 % of the messages' time hidden, computation 1.50 times as long), "
            "second 100 ms (50 % of the messages' time hidden, computation 1.25 times as long), "
            "third 110 ms (50 % of the messages' time hidden, computation 1.25 times as long).");
}

TEST(CommunicatorChoice, OfThoseThatCannotBeDistinguishedIsTheFirst) {
  const CommunicatorChoice choice = choose_communicator(
      {rounds("slow", 0.2), noisy(rounds("even", 0.1004)), rounds("fastest", 0.1)}, "under a probe");
  EXPECT_EQ(choice.chosen, "even");
  EXPECT_NE(choice.reason.find("even, since its iteration under a probe cannot be distinguished from the shortest, "
                               "fastest's, and of such the first that disturbs computation least is taken: "),
            std::string::npos)
      << choice.reason;
}

TEST(CommunicatorChoice, OfThoseThatCannotBeDistinguishedIsTheOneThatSlowsComputationLeast) {
  const CommunicatorRounds fastest = rounds("fastest", 0.1, 1.11);
  const CommunicatorRounds even = noisy(rounds("even", 0.1004, 1.05));
  EXPECT_EQ(choose_communicator({fastest, even}, "").chosen, "even");
  EXPECT_EQ(choose_communicator({even, fastest}, "").chosen, "even");
  EXPECT_EQ(choose_communicator({fastest, rounds("longer", 0.11, 1.01)}, "").chosen, "fastest");
  CommunicatorRounds hides_less = rounds("hides less", 0.1, 1.05);
  hides_less.exposed.assign(8, 0.03);
  EXPECT_EQ(choose_communicator({fastest, hides_less}, "").chosen, "fastest");
  // Without intervals 1.11 and 1.06 are equal, 1.11 and 1.05 are not.
  for (const auto& [slowdown, chosen] : {std::pair{1.06, "fastest"}, {1.05, "even"}})
    EXPECT_EQ(choose_communicator({rounds("fastest", 0.1, 1.11, 5), rounds("even", 0.1, slowdown, 5)}, "").chosen,
              chosen);
}

TEST(CommunicatorChoice, WithoutIntervalsTakesUnderFivePercentAsEqual) {
  for (const auto& [iteration, chosen] : {std::pair{0.104, "first"}, {0.106, "second"}}) {
    const CommunicatorChoice choice =
        choose_communicator({rounds("first", iteration, 1, 5), rounds("second", 0.1, 1, 5)}, "under a probe");
    EXPECT_EQ(choice.chosen, chosen);
    EXPECT_FALSE(choice.candidates[0].iteration.interval);
    EXPECT_NE(choice.reason.find("too few rounds for intervals"), std::string::npos) << choice.reason;
  }
}

TEST(CommunicatorChoice, OfOneIsThatOne) {
  EXPECT_EQ(choose_communicator({rounds("only", 0.1, 1, 1)}, "under a probe").reason,
            "Communicator: only, the only one that can be used here.");
}

TEST(CommunicatorChoice, NeedsPasses) {
  EXPECT_THROW(choose_communicator({}, "under a probe"), Error);
  EXPECT_THROW(choose_communicator({rounds("none", 0.1, 1, 0)}, "under a probe"), Error);
  CommunicatorRounds uneven = rounds("uneven", 0.1);
  uneven.alone.pop_back();
  EXPECT_THROW(choose_communicator({uneven}, "under a probe"), Error);
}

RC_GTEST_PROP(CommunicatorChoice, HidesAShareAndIsNeverCertainlySlower, ()) {
  std::vector<CommunicatorRounds> candidates;
  const auto n = *rc::gen::inRange<std::size_t>(1, 12);
  const auto times = [&](int low) {
    std::vector<Seconds> values;
    while (values.size() < n) values.push_back(1e-3 * *rc::gen::inRange(low, 1000));
    return values;
  };
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
    candidates.push_back({.communicator = std::to_string(i),
                          .iteration = times(1),
                          .computation = times(1),
                          .computation_without = times(1),
                          .exposed = times(-2),
                          .alone = times(0)});
  const CommunicatorChoice choice = choose_communicator(candidates, "under a probe");
  for (const CommunicatorFigures& figures : choice.candidates) {
    RC_ASSERT(figures.hidden >= 0);
    RC_ASSERT(figures.hidden <= 1);
    RC_ASSERT(figures.slowdown > 0);
  }
  const auto by_median = [](const CommunicatorFigures& left, const CommunicatorFigures& right) {
    return left.iteration.median < right.iteration.median;
  };
  const auto fastest = std::min_element(choice.candidates.begin(), choice.candidates.end(), by_median);
  const auto chosen = std::find_if(choice.candidates.begin(), choice.candidates.end(),
                                   [&](const auto& figures) { return figures.communicator == choice.chosen; });
  const auto iterations = [&](auto which) {
    return candidates[static_cast<std::size_t>(which - choice.candidates.begin())].iteration;
  };
  const MedianEstimate ratio = estimate_ratio(iterations(chosen), iterations(fastest));
  RC_ASSERT(chosen == fastest || (ratio.interval ? not_distinguishable(ratio) : ratio.median < 1.05));
}

}  // namespace
}  // namespace mgbench
