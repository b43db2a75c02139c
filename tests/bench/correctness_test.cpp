// Under mpiexec: the check inside the run passes every schedule that is right, and finds what is planted.
#include "bench/training/correctness.h"

#include <gtest/gtest.h>

#include <limits>

#include "bench/clock.h"
#include "models/model.h"
#include "planner/strategy.h"

namespace mgbench {
namespace {

/// Passes messages on, and does something wrong to one of them, or to every one.
class Saboteur : public Communicator {
 public:
  static constexpr std::size_t kEvery = std::numeric_limits<std::size_t>::max();
  using Crime = std::function<void(Communicator&, const Message&, const GradientView&)>;
  Saboteur(Communicator& inner, std::size_t victim, Crime crime)
      : inner_(inner), victim_(victim), crime_(std::move(crime)) {}

  void prepare(std::size_t messages) override {
    next_ = 0;
    inner_.prepare(2 * messages);
  }
  void start(const Message& message, const GradientView& gradients, const Event& ready) override {
    if (next_++ == victim_ || victim_ == kEvery)
      crime_(inner_, message, gradients);
    else
      inner_.start(message, gradients, ready);
  }
  Event join() override { return inner_.join(); }
  std::span<const MessageTimes> spans() const override { return inner_.spans(); }

 private:
  Communicator& inner_;
  std::size_t victim_;
  Crime crime_;
  std::size_t next_ = 0;
};

class Correctness : public testing::Test {
 protected:
  Correctness() {
    network_ = network_with({});
    communicator_ = communicators().find("mpi-async").make({.group = &group_, .clock = &steady_clock()});
  }

  std::unique_ptr<Network> network_with(const SgdOptions& sgd) const {
    return backends().find("onednn").make({.model = &model_,
                                           .profile = nullptr,
                                           .batch = 2,
                                           .seed = 3,
                                           .rank = group_.rank(),
                                           .ranks = group_.size(),
                                           .threads = 1,
                                           .sgd = sgd,
                                           .clock = &steady_clock()});
  }

  Schedule schedule_of(const StrategyEntry& strategy) const {
    return make_schedule(network_->outline(), strategy.plan(network_->outline(), CostModel(Line{1e-3, 1e-9}), {}));
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  ModelSpec model_ = models().find("tiny").make();
  std::unique_ptr<Network> network_;
  std::unique_ptr<Communicator> communicator_;
};

TEST_F(Correctness, EveryStrategyPassesOnEveryCommunicatorThatMovesData) {
  const CostModel cost(Line{1e-5, 1e-10});
  CorrectnessCheck check(group_, *network_);
  for (const CommunicatorEntry& entry : communicators()) {
    if (!entry.host) continue;
    const auto communicator =
        entry.make({.group = &group_, .clock = &steady_clock(), .emulated_cost = &cost, .emulated_moves_data = true});
    for (const StrategyEntry& strategy : strategies())
      EXPECT_EQ(check.check(*communicator, schedule_of(strategy)), "") << entry.name << " " << strategy.name;
  }
}

TEST_F(Correctness, TheStateIsRestored) {
  const NetworkState before = network_->save();
  CorrectnessCheck check(group_, *network_);
  check.check(*communicator_, schedule_of(strategies().find("wfbp")));
  const NetworkState after = network_->save();
  EXPECT_EQ(before.parameters, after.parameters);
  EXPECT_EQ(before.momentum, after.momentum);
  EXPECT_EQ(before.iteration, after.iteration);
}

TEST_F(Correctness, FindsWhatIsPlanted) {
  if (group_.size() == 1) GTEST_SKIP() << "one rank sums nothing";
  const std::vector<std::pair<const char*, Saboteur::Crime>> crimes{
      {"a lost message", [](Communicator&, const Message&, const GradientView&) {}},
      {"a message sent twice",
       [](Communicator& inner, const Message& message, const GradientView& view) {
         inner.start(message, view, {});
         inner.start(message, view, {});
       }},
      {"a message that lacks its last element",
       [](Communicator& inner, const Message& message, GradientView view) {
         --view.count;
         inner.start(message, view, {});
       }},
      {"a gradient changed on one rank", [this](Communicator& inner, const Message& message, const GradientView& view) {
         if (group_.rank() == group_.size() - 1) static_cast<float*>(view.data)[0] += 1.0F;
         inner.start(message, view, {});
       }}};
  CorrectnessCheck check(group_, *network_);
  const Schedule schedule = schedule_of(strategies().find("wfbp"));
  for (const auto& [name, crime] : crimes)
    for (std::size_t victim = 0; victim < schedule.size(); ++victim) {
      Saboteur saboteur(*communicator_, victim, crime);
      const std::string reason = check.check(saboteur, schedule);
      EXPECT_NE(reason, "") << name << ", message " << victim;
      std::string of_root = reason;
      group_.broadcast(of_root);
      EXPECT_EQ(reason, of_root) << "all ranks say the same";
    }
}

// What another order of summation may do: the second iteration must not be blamed for what the network makes of it.
TEST_F(Correctness, ForgivesRoundings) {
  const Saboteur::Crime rounding = [](Communicator& inner, const Message& message, const GradientView& view) {
    for (float& value : std::span(static_cast<float*>(view.data), view.count)) value *= 1 + 5e-6F;
    inner.start(message, view, {});
  };
  Saboteur saboteur(*communicator_, Saboteur::kEvery, rounding);
  network_ = network_with({.learning_rate = 1});
  CorrectnessCheck check(group_, *network_);
  EXPECT_EQ(check.check(saboteur, schedule_of(strategies().find("wfbp"))), "");
}

TEST_F(Correctness, ParametersThatDifferOnOneRankAreFound) {
  EXPECT_TRUE(parameters_agree(group_, *network_));
  if (group_.size() == 1) return;
  NetworkState state = network_->save();
  if (group_.rank() == group_.size() - 1) state.parameters.back() += 1e-6F;
  network_->restore(state);
  EXPECT_FALSE(parameters_agree(group_, *network_));
}

}  // namespace
}  // namespace mgbench
