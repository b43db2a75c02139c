// Under mpiexec: the comparison of algorithms whose times are known, and the algorithms of the library at hand.
#include "bench/calibration/compare_algorithms.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/error.h"
#include "bench/calibration/mpi_algorithms.h"
#include "bench/mpi/mpi_session.h"

namespace mgbench {
namespace {

/// Sums for real (or spoils the sum), and tells the time that it is told to.
class TimedBy : public TimedAllreduce {
 public:
  TimedBy(ProcessGroup& group, std::function<Seconds(Bytes)> time, Bytes wrong_from = Bytes{1} << 40)
      : group_(group), time_(std::move(time)), wrong_from_(wrong_from) {}
  Seconds operator()(const GradientView& view) override {
    const std::span data(static_cast<float*>(view.data), view.count);
    MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(data.size()), MPI_FLOAT, MPI_SUM, group_.handle());
    const auto bytes = static_cast<Bytes>(data.size_bytes());
    if (bytes >= wrong_from_ && group_.rank() == group_.size() - 1) data.back() += 1;
    return time_(bytes);
  }

 private:
  ProcessGroup& group_;
  std::function<Seconds(Bytes)> time_;
  Bytes wrong_from_;
};

class Comparing : public testing::Test {
 protected:
  void add(const std::string& name, std::function<Seconds(Bytes)> time, Bytes wrong_from = Bytes{1} << 40) {
    others_.push_back({.name = name,
                       .value = static_cast<int>(others_.size()) + 1,
                       .allreduce = std::make_unique<TimedBy>(group_, std::move(time), wrong_from)});
  }
  AlgorithmComparison compare(Bytes largest = Bytes{1} << 14) {
    return compare_algorithms(group_, own_choice_, others_, {.largest = {.bytes = largest}, .budget = 20}, progress_);
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  Progress progress_{false};
  /// 1 ms on the slowest rank, less on the others.
  TimedBy own_choice_{group_, [this](Bytes) { return 1e-3 * (group_.rank() + 1) / group_.size(); }};
  std::vector<Algorithm> others_;
};

TEST_F(Comparing, FindsTheFastestOtherOfEachSizeOnTheSlowestRank) {
  add("short", [](Bytes bytes) { return bytes < 1000 ? 0.5e-3 : 2e-3; });
  add("long", [](Bytes bytes) { return bytes < 1000 ? 2e-3 : 0.8e-3; });
  add("one rank", [this](Bytes) { return group_.rank() == 0 ? 0.9e-3 : 0.1e-3; });
  const AlgorithmComparison result = compare();
  ASSERT_EQ(result.sizes.size(), 7U);  // 4 B, ..., 16 KiB
  for (const SizeComparison& size : result.sizes) {
    const bool is_short = size.bytes < 1000;
    EXPECT_EQ(size.algorithm, is_short ? "short" : "long") << size.bytes;
    EXPECT_EQ(size.value, is_short ? 1 : 2);
    EXPECT_NEAR(size.ratio().median, is_short ? 2 : 1.25, 1e-9);
    EXPECT_TRUE(size.certainly_faster());
  }
  EXPECT_EQ(algorithm_rules(result),
            (std::vector<AlgorithmRule>{{0, 0}, {4, 1}, {257, 0}, {1024, 2}, {(1 << 14) + 1, 0}}));
  EXPECT_EQ(result.left_out_above, 0);
}

TEST_F(Comparing, WhatDoesTheSameIsNotTimed) {
  add("own", [](Bytes) -> Seconds { throw std::logic_error("timed where it does the same"); });
  add("twin", [](Bytes bytes) -> Seconds {
    return bytes == 16 ? throw std::logic_error("timed where another does the same") : 0.5e-3;
  });
  add("last", [](Bytes) { return 0.8e-3; });
  others_[0].same_as_own_choice = {4, 16, 64};
  others_[1].same_as_another = {16};
  others_[1].same_as_own_choice = {64};
  others_[2].same_as_another = {4, 64};
  others_[2].same_as_own_choice = {4};
  const AlgorithmComparison result = compare(64);
  ASSERT_EQ(result.sizes.size(), 2U) << "at 64 B nothing else is left";
  EXPECT_EQ(result.sizes[0].algorithm, "twin");
  EXPECT_EQ(result.sizes[0].same, (std::vector<std::string>{"own", "last"}));
  EXPECT_EQ(result.sizes[1].algorithm, "last");
  EXPECT_EQ(result.sizes[1].same, std::vector<std::string>{"own"});
}

TEST_F(Comparing, WhereAllAreHopelessTheLeastSlowIsTold) {
  add("slow", [](Bytes) { return 10e-3; });
  add("slower", [](Bytes) { return 20e-3; });
  const AlgorithmComparison result = compare(4);
  ASSERT_EQ(result.sizes.size(), 1U);
  EXPECT_EQ(result.sizes[0].algorithm, "slow");
  EXPECT_LT(result.sizes[0].ratio().median, 0.2);
}

TEST_F(Comparing, TheWinnerIsMeasuredAfresh) {
  // Fast as long as another one is called in between, slow when it is alone with the own choice.
  int in_a_row = 0;
  add("lucky", [&](Bytes) { return ++in_a_row < 10 ? 0.1e-3 : 1.5e-3; });
  add("steady", [&](Bytes) { return in_a_row = 0, 0.9e-3; });
  const AlgorithmComparison result = compare(4);
  ASSERT_EQ(result.sizes.size(), 1U);
  EXPECT_EQ(result.sizes[0].algorithm, "lucky");
  EXPECT_FALSE(result.sizes[0].certainly_faster()) << result.sizes[0].ratio().median;
}

TEST_F(Comparing, AWrongSumOfOneRankIsReportedAndTheAlgorithmLeftOutEverywhere) {
  add(
      "wrong when long", [](Bytes) { return 0.1e-3; }, 4096);
  add("right", [](Bytes) { return 0.5e-3; });
  const AlgorithmComparison result = compare();
  for (const SizeComparison& size : result.sizes) EXPECT_EQ(size.algorithm, "right");
  ASSERT_EQ(result.failed.size(), group_.is_root() ? 1U : 0U);
  for (const auto& [name, reason] : result.failed) {
    EXPECT_EQ(name, "wrong when long");
    EXPECT_NE(reason.find("allreduce of 4.0 KiB"), std::string::npos) << reason;
  }
}

TEST_F(Comparing, SizesThatTheBudgetDoesNotHoldAreLeftOut) {
  add("a", [](Bytes bytes) { return bytes < 4096 ? 1e-3 : 10.0; });
  const AlgorithmComparison result = compare_algorithms(group_, *others_[0].allreduce, others_,
                                                        {.largest = {.bytes = Bytes{1} << 20}, .budget = 3}, progress_);
  EXPECT_EQ(result.left_out_above, result.sizes.back().bytes);
  EXPECT_LT(result.left_out_above, Bytes{1} << 18);
}

TEST_F(Comparing, AnOwnChoiceThatSumsWrongEndsTheCommand) {
  class NoSum : public TimedAllreduce {
    Seconds operator()(const GradientView& view) override {
      const std::span data(static_cast<float*>(view.data), view.count);
      data.back() += 0.5F;
      return 1e-3;
    }
  } wrong;
  EXPECT_THROW(compare_algorithms(group_, wrong, others_, {.largest = {.bytes = 4}, .budget = 1}, progress_), Error);
}

TEST_F(Comparing, EveryAlgorithmOfTheLibrarySums) {
  if (group_.size() == 1) GTEST_SKIP() << "one rank sums nothing";
  MpiAlgorithms algorithms(group_);
  std::set<std::string> names;
  for (const Algorithm& other : algorithms.others()) {
    names.insert(other.name);
    std::vector<float> data(1001, static_cast<float>(group_.rank() + 1));
    EXPECT_GT((*other.allreduce)({.data = data.data(), .count = data.size()}), 0) << other.name;
    for (const float value : data) ASSERT_EQ(value, static_cast<float>(group_.size() * (group_.size() + 1) / 2));
  }
  EXPECT_GE(names.size(), 3U);
}

TEST_F(Comparing, AVariableThatTheUserHasSetIsNoOwnChoice) {
  if (!mpi_library_version().starts_with("Open MPI")) GTEST_SKIP() << "the variable is Open MPI's";
  ControlVariable variable("coll_tuned_allreduce_algorithm");
  variable.write(3);
  EXPECT_THROW(MpiAlgorithms algorithms(group_), Error);
  variable.restore();
  { const MpiAlgorithms algorithms(group_); }
  EXPECT_EQ(ControlVariable(variable.name()).value(), 0);
}

}  // namespace
}  // namespace mgbench
