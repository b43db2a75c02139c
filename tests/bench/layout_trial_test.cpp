// Under mpiexec: which layout all ranks take, of networks whose iterations take the time that a test gives them.
#include "bench/training/layout_trial.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "base/error.h"
#include "support/fake_network.h"

namespace mgbench {
namespace {

std::vector<Seconds> around(Seconds middle, Seconds noise) {
  std::vector<Seconds> times;
  for (int i = -5; i <= 5; ++i) times.push_back(middle + noise * i / 5);
  return times;
}

LayoutChoice chosen(const std::vector<Seconds>& first, const std::vector<Seconds>& last) {
  return choose_layout({.iterations = first, .obstacle = ""}, {.iterations = last, .obstacle = ""});
}

TEST(LayoutChoice, IsTheFasterOneBeyondDoubt) {
  const LayoutChoice faster = chosen(around(2e-3, 1e-4), around(1e-3, 1e-4));
  EXPECT_EQ(faster.layout, Layout::channels_last);
  EXPECT_EQ(layout_remark(faster), "activations: channels-last, measured: 1 ms an iteration, channels-first 2 ms");
  const LayoutChoice slower = chosen(around(1e-3, 1e-4), around(2e-3, 1e-4));
  EXPECT_EQ(slower.layout, Layout::channels_first);
  EXPECT_EQ(layout_remark(slower), "activations: channels-first, measured: 1 ms an iteration, channels-last 2 ms");
}

TEST(LayoutChoice, IsChannelsFirstWithinNoise) {
  const LayoutChoice tie = chosen(around(1.1e-3, 3e-4), around(1e-3, 3e-4));
  EXPECT_EQ(tie.layout, Layout::channels_first);
  EXPECT_TRUE(tie.times.ends_with(", not distinguishable")) << tie.times;
  EXPECT_EQ(chosen(around(1e-3, 0), around(1e-3, 0)).layout, Layout::channels_first);
  EXPECT_EQ(chosen({2e-3, 2e-3}, {1e-3, 1e-3}).layout, Layout::channels_first) << "two say little";
}

TEST(LayoutChoice, IsChannelsFirstWhereTheOtherCannotBeUsed) {
  const LayoutChoice choice = choose_layout({.iterations = around(2e-3, 1e-4), .obstacle = ""},
                                            {.iterations = around(0, 0), .obstacle = "a norm: not supported"});
  EXPECT_EQ(choice.layout, Layout::channels_first);
  EXPECT_EQ(describe(choice), "channels-first, since channels-last cannot be used: a norm: not supported");
}

/// Counts how many there are at once.
class TimedNetwork final : public FakeNetwork {
 public:
  TimedNetwork(Seconds iteration, int& alive)
      : FakeNetwork({.steps = {{.name = "layer", .tensors = {{"weights", 4}}}}}), iteration_(iteration), alive_(alive) {
    ++alive_;
    EXPECT_EQ(alive_, 1) << "no device need have room for two";
  }
  ~TimedNetwork() override { --alive_; }

  void forward(std::size_t) override {}
  void backward(std::size_t) override {}
  /// The first iterations take longest, as anywhere.
  void update() override { now_ += ++iterations_ <= 2 ? 1.0 : iteration_ + 1e-6 * (iterations_ % 3); }
  Mark mark() override { return {std::bit_cast<std::int64_t>(now_)}; }
  Seconds seconds(Mark mark) const override { return std::bit_cast<Seconds>(mark.value); }

 private:
  Seconds iteration_;
  int& alive_;
  int iterations_ = 0;
  Seconds now_ = 0;
};

class LayoutTrial : public testing::Test {
 protected:
  LayoutChoice choose(Seconds first, Seconds last, bool refuses_last = false) {
    static int workload = 0;  // another one each time
    const LayoutChoice choice =
        try_layouts(group_, fmt::format("workload {}", ++workload), [&](Layout layout) -> std::unique_ptr<Network> {
          ++made_[layout];
          if (refuses_last && layout == Layout::channels_last)
            fail(ExitCode::not_measured, "rank {} refuses", group_.rank());
          return std::make_unique<TimedNetwork>(layout == Layout::channels_first ? first : last, alive_);
        });
    EXPECT_EQ(alive_, 0);
    for (const std::string& other : group_.gather(layout_remark(choice))) EXPECT_EQ(other, layout_remark(choice));
    return choice;
  }
  bool last_rank() const { return group_.rank() == group_.size() - 1; }

  ProcessGroup group_{MPI_COMM_WORLD};
  std::map<Layout, int> made_;
  int alive_ = 0;
};

TEST_F(LayoutTrial, TriesBothAndTakesTheFaster) {
  EXPECT_EQ(choose(2e-3, 1e-3).layout, Layout::channels_last);
  EXPECT_EQ(choose(1e-3, 2e-3).layout, Layout::channels_first);
  EXPECT_EQ(made_, (std::map<Layout, int>{{Layout::channels_first, 2}, {Layout::channels_last, 2}}));
}

TEST_F(LayoutTrial, TheSlowestRankDecidesForAll) {
  EXPECT_EQ(choose(2e-3, last_rank() ? 3e-3 : 1e-3).layout, Layout::channels_first);
  EXPECT_EQ(choose(last_rank() ? 3e-3 : 1e-3, 2e-3).layout, Layout::channels_last);
}

TEST_F(LayoutTrial, WhatOneRankCannotDoIsNotTaken) {
  const LayoutChoice choice = choose(2e-3, 1e-3, last_rank());
  EXPECT_EQ(choice.layout, Layout::channels_first);
  EXPECT_NE(choice.why.find(fmt::format("rank {} refuses", group_.size() - 1)), std::string::npos) << choice.why;
}

TEST_F(LayoutTrial, IsMadeOnceForEachWorkload) {
  const auto make = [&](Layout layout) -> std::unique_ptr<Network> {
    ++made_[layout];
    return std::make_unique<TimedNetwork>(layout == Layout::channels_first ? 2e-3 : 1e-3, alive_);
  };
  const std::map<Layout, int> once{{Layout::channels_first, 1}, {Layout::channels_last, 1}};
  EXPECT_EQ(try_layouts(group_, "one", make).layout, Layout::channels_last);
  EXPECT_EQ(try_layouts(group_, "one", make).layout, Layout::channels_last);
  EXPECT_EQ(made_, once);
  try_layouts(group_, "another", make);
  EXPECT_NE(made_, once);
}

TEST_F(LayoutTrial, WhatGoesWrongChannelsFirstIsThrown) {
  EXPECT_THROW(try_layouts(group_, "without memory",
                           [](Layout) -> std::unique_ptr<Network> { fail(ExitCode::not_measured, "no memory"); }),
               Error);
}

}  // namespace
}  // namespace mgbench
