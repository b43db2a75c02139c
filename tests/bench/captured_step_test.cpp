// Under mpiexec, one GPU a rank (or what stands in for it): a captured iteration is the one that it was captured from.
#include "bench/training/captured_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "bench/communicators/no_communication.h"
#include "bench/gpu/module.h"
#include "bench/mpi/process_group.h"
#include "bench/training/correctness.h"
#include "bench/training/trainer.h"
#include "planner/strategy.h"

namespace mgbench {
namespace {

constexpr int kIterations = 4;

/// What iterations lead to.
struct Outcome {
  std::vector<double> losses;
  std::vector<float> gradients;  ///< of the last one, summed
  NetworkState state;
};

class CapturedSteps : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& obstacle = gpu_module().obstacle; !obstacle.empty()) GTEST_SKIP() << obstacle;
    try {
      gpu_module().claim_device(group_);
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    network_ = backends().find("cudnn").make({.model = &model_,
                                              .batch = 2,
                                              .rank = group_.rank(),
                                              .ranks = group_.size(),
                                              .sgd = {.learning_rate = 0.05F},
                                              .clock = &steady_clock()});
    communicator_ =
        capturing_communicator().make({.group = &group_, .clock = &steady_clock(), .device = &gpu_module().device()});
    start_ = network_->save();
  }

  Schedule schedule(const char* strategy) const {
    return make_schedule(network_->outline(),
                         strategies().find(strategy).plan(network_->outline(), CostModel(Line{1e-3, 1e-9}), {}));
  }

  /// From the start.
  Outcome iterate(const std::function<void()>& run) {
    network_->restore(start_);
    Outcome outcome;
    for (int i = 0; i < kIterations; ++i) {
      run();
      outcome.losses.push_back(network_->loss());
    }
    outcome.gradients = network_->stored_gradients();
    outcome.state = network_->save();
    return outcome;
  }

  Outcome plainly(const Schedule& schedule) {
    IterationMarks marks(network_->steps());
    return iterate([&] {
      communicator_->prepare(schedule.size());
      train_step(*network_, *communicator_, schedule, marks);
    });
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  ModelSpec model_ = models().find("tiny").make();
  std::unique_ptr<Network> network_;
  std::unique_ptr<Communicator> communicator_;
  NetworkState start_;
};

TEST_F(CapturedSteps, TrainAsPlainOnes) {
  for (const char* strategy : {"wfbp", "synceasgd"}) {
    const Outcome plain = plainly(schedule(strategy));
    CapturedStep step(*network_, *communicator_, schedule(strategy));
    const Outcome captured = iterate([&] { step.run(); });
    EXPECT_EQ(captured.losses, plain.losses) << "dropout's masks, too";
    EXPECT_EQ(captured.gradients, plain.gradients);
    EXPECT_EQ(captured.state.parameters, plain.state.parameters);
    EXPECT_EQ(captured.state.momentum, plain.state.momentum);
    EXPECT_EQ(captured.state.iteration, plain.state.iteration);
    EXPECT_EQ(captured.state.iteration, start_.iteration + kIterations);
  }
}

TEST_F(CapturedSteps, DrawNewMasks) {
  CapturedStep step(*network_, *communicator_, schedule("wfbp"));
  std::set<double> losses;
  for (int i = 0; i < kIterations; ++i) {
    NetworkState state = start_;  // but for the number
    state.iteration = network_->save().iteration;
    network_->restore(state);
    step.run();
    losses.insert(network_->loss());
  }
  EXPECT_EQ(losses.size(), std::size_t{kIterations});
}

TEST_F(CapturedSteps, AreChecked) {
  CorrectnessCheck check(group_, *network_);
  EXPECT_EQ(check.check(*communicator_, schedule("wfbp"), true), "");
  EXPECT_EQ(network_->save().parameters, start_.parameters);
  NoCommunication lost;
  EXPECT_EQ(check.check(lost, schedule("wfbp"), true).empty(), group_.size() == 1);
}

TEST_F(CapturedSteps, HaveTheTimesOfTheirOwnLaunch) {
  Trainer trainer(group_, *network_, *communicator_, true);
  const Schedule messages = schedule("wfbp");
  const std::vector<IterationRecord> records = trainer.run_block(messages, kIterations);
  ASSERT_EQ(records.size(), std::size_t{kIterations});
  constexpr Seconds kRounding = 1e-6;  // of events
  std::set<Seconds> durations;
  for (const IterationRecord& record : records) {
    durations.insert(record.duration);
    EXPECT_GE(record.duration + kRounding, record.timeline.iteration) << "which begins after the iteration before";
    EXPECT_LT(record.duration, 10 * record.timeline.iteration + 1) << "reading times is not in it";
    EXPECT_TRUE(std::is_sorted(record.forward_ends.begin(), record.forward_ends.end()));
    EXPECT_TRUE(std::is_sorted(record.backward_ends.rbegin(), record.backward_ends.rend()));
    ASSERT_EQ(record.timeline.messages.size(), messages.size());
    for (const MessageTimes& times : record.timeline.messages) {
      EXPECT_LE(times.ready, times.start + kRounding);
      EXPECT_LE(times.start, times.end + kRounding);
      EXPECT_LE(times.end, record.timeline.communication_end + kRounding);
    }
  }
  EXPECT_EQ(durations.size(), records.size());
  EXPECT_EQ(trainer.run_alone(2).size(), group_.is_root() ? 2U : 0U);
}

TEST_F(CapturedSteps, AMessageThatIsNotJoinedIsFound) {
  const auto forgets_the_join = [&] {
    const Schedule messages = schedule("synceasgd");
    communicator_->prepare(messages.size());
    for (std::size_t step = 0; step < network_->steps(); ++step) network_->forward(step);
    for (std::size_t step = network_->steps(); step-- > 0;) network_->backward(step);
    communicator_->start(messages.front(), network_->gradients(messages.front().arena), network_->record());
    network_->update();
  };
  try {
    network_->capture(forgets_the_join);
    ADD_FAILURE() << "captured all the same";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cudaStreamEndCapture"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mgbench
