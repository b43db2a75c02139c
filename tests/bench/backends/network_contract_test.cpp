// What network.h promises of every backend that computes, on `tiny`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bench/backends/eigen/reference_model.h"
#include "bench/backends/onednn/network.h"
#include "bench/backends/support.h"

namespace mgbench::test {
namespace {

const ModelSpec& tiny() {
  static const ModelSpec model = models().find("tiny").make();
  return model;
}

class NetworkContract : public testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Network> make(const Replica& replica = {}) {
    return make_network(GetParam(), tiny(), replica);
  }
};

TEST_P(NetworkContract, OneSeedGivesOneResultBitForBit) {
  const auto one = make();
  const auto other = make();
  for (int i = 0; i < 3; ++i) {
    iterate(*one);
    iterate(*other);
    EXPECT_EQ(one->loss(), other->loss());
  }
  EXPECT_EQ(one->plain_parameters(), other->plain_parameters());
}

TEST_P(NetworkContract, SeedDrawsParametersAndRankDrawsImages) {
  const auto network = make({.seed = 1, .rank = 0, .ranks = 2});
  const auto other_seed = make({.seed = 2, .rank = 0, .ranks = 2});
  const auto other_rank = make({.seed = 1, .rank = 1, .ranks = 2});
  EXPECT_NE(network->plain_parameters(), other_seed->plain_parameters());
  EXPECT_EQ(network->plain_parameters(), other_rank->plain_parameters());
  for (Network* each : {network.get(), other_seed.get(), other_rank.get()}) forward(*each);
  EXPECT_NE(network->loss(), other_seed->loss());
  EXPECT_NE(network->loss(), other_rank->loss());
}

TEST_P(NetworkContract, RestoredStateRepeatsIterationsBitForBit) {
  const auto network = make();
  iterate(*network);
  const NetworkState state = network->save();
  EXPECT_EQ(state.iteration, 1U);
  std::vector<double> losses;
  for (int i = 0; i < 3; ++i) {
    iterate(*network);
    losses.push_back(network->loss());
  }
  const NetworkState last = network->save();

  network->restore(state);
  for (const double loss : losses) {
    iterate(*network);
    EXPECT_EQ(network->loss(), loss);  // dropout draws the same masks
  }
  EXPECT_EQ(network->save().parameters, last.parameters);
  EXPECT_EQ(network->save().momentum, last.momentum);
  EXPECT_EQ(network->save().iteration, last.iteration);
}

TEST_P(NetworkContract, DropoutDrawsAnewEachIteration) {
  const auto network = make({.sgd = {.learning_rate = 0}});
  iterate(*network);
  const double first = network->loss();
  iterate(*network);
  EXPECT_NE(network->loss(), first);
}

TEST_P(NetworkContract, PlainParametersSurviveTheLayout) {
  const auto network = make();
  std::vector<float> values = network->plain_parameters();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  network->set_plain_parameters(values);
  EXPECT_EQ(network->plain_parameters(), values);
}

/// v = momentum v + (g / ranks + decay w); w = w - rate v, for two iterations, in double.
TEST_P(NetworkContract, UpdateFollowsItsFormula) {
  const SgdOptions sgd{.learning_rate = 0.05F, .momentum = 0.7F, .weight_decay = 0.01F};
  const auto network = make({.rank = 1, .ranks = 3, .sgd = sgd});
  std::vector<double> velocity(network->plain_parameters().size(), 0.0);
  for (int i = 0; i < 2; ++i) {
    forward(*network);
    backward(*network);
    const std::vector<float> before = network->plain_parameters();
    const std::vector<float> gradients = network->plain_gradients();
    network->update();
    const std::vector<float> after = network->plain_parameters();
    for (std::size_t k = 0; k < after.size(); ++k) {
      const double gradient = gradients[k] / 3.0 + double{sgd.weight_decay} * before[k];
      velocity[k] = double{sgd.momentum} * velocity[k] + gradient;
      ASSERT_NEAR(after[k], before[k] - double{sgd.learning_rate} * velocity[k], 1e-6) << "element " << k;
    }
  }
}

TEST_P(NetworkContract, OutlineListsStepsAndTensorsInArenaOrder) {
  const auto network = make({.batch = 5, .ranks = 4});
  const Profile& profile = network->outline();
  EXPECT_EQ(profile.model, "tiny");
  EXPECT_EQ(profile.backend, GetParam());
  EXPECT_EQ(profile.batch, 5);
  EXPECT_EQ(profile.ranks, 4);
  const auto steps = execution_order(tiny());
  ASSERT_EQ(profile.steps.size(), steps.size());
  Bytes bytes = 0;
  for (const ArenaTensor& tensor : arena_layout(tiny(), steps)) {
    const Tensor& listed = profile.steps[tensor.step].tensors.at(tensor.parameter);
    const LayerSpec& layer = tiny().layers[static_cast<std::size_t>(tensor.layer)];
    EXPECT_EQ(profile.steps[tensor.step].name, layer.name);
    EXPECT_EQ(listed.name, layer.parameters[tensor.parameter].name);
    EXPECT_EQ(listed.bytes, tensor.elements * 4);
    EXPECT_EQ(bytes, tensor.offset * 4);
    bytes += listed.bytes;
  }
  EXPECT_EQ(bytes, tiny().parameters() * 4);
}

/// A tensor's slice of the arena holds that tensor's gradient, in whatever order of elements; neighbours adjoin.
TEST_P(NetworkContract, ArenaHoldsEachTensorAtItsOffset) {
  const auto network = make();
  forward(*network);
  backward(*network);
  const std::vector<float> plain = network->plain_gradients();
  const std::vector<float> arena = network->stored_gradients();
  const auto* begin = static_cast<const std::byte*>(network->gradients({0, 4}).data);
  for (const ArenaTensor& tensor : arena_layout(tiny(), execution_order(tiny()))) {
    const GradientView view = network->gradients({tensor.offset * 4, (tensor.offset + tensor.elements) * 4});
    EXPECT_EQ(static_cast<const std::byte*>(view.data), begin + tensor.offset * 4);
    ASSERT_EQ(view.count, static_cast<std::size_t>(tensor.elements));
    std::vector<float> stored = tensor_values(arena, tensor);
    std::vector<float> expected = tensor_values(plain, tensor);
    std::ranges::sort(stored);
    std::ranges::sort(expected);
    EXPECT_EQ(stored, expected) << tensor.layer << ", parameter " << tensor.parameter;
  }
}

/// A step's gradients are complete when its backward returns, and later steps leave them alone.
TEST_P(NetworkContract, GradientsAreCompleteAtTheEndOfTheirStep) {
  const auto network = make();
  forward(*network);
  backward(*network);
  const std::vector<float> expected = network->stored_gradients();
  network->store_gradients(std::vector<float>(expected.size(), 1e30F));
  forward(*network);
  std::size_t complete = 0;
  for (std::size_t step = network->steps(); step-- > 0;) {
    network->backward(step);
    for (const Tensor& tensor : network->outline().steps[step].tensors)
      complete += static_cast<std::size_t>(tensor.bytes / 4);
    const std::vector<float> all = network->stored_gradients();
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(complete), expected.begin())) << step;
    EXPECT_TRUE(std::all_of(all.begin() + static_cast<std::ptrdiff_t>(complete), all.end(), [](float value) {
      return value == 1e30F;
    })) << step;
  }
}

TEST_P(NetworkContract, MarksReadTheClockOfTheCommunicators) {
  const auto network = make();
  const Seconds before = steady_clock().now();
  const Mark mark = network->mark();
  network->synchronize();
  // A device's clock is held against the host's to some tens of microseconds where the host is not disturbed.
  const Seconds apart = backends().find(GetParam()).device ? 10e-3 : 1e-6;
  EXPECT_GE(network->seconds(mark), before - apart);
  EXPECT_LE(network->seconds(mark), steady_clock().now() + apart);
}

TEST_P(NetworkContract, RefusesWhatItCannotServe) {
  const BackendEntry& entry = backends().find(GetParam());
  const auto refuses = [&](const NetworkRequest& request) {
    for (const auto& call :
         {std::function<void()>([&] { entry.make(request); }), std::function<void()>([&] { entry.memory(request); })})
      try {
        call();
        ADD_FAILURE() << "accepted";
      } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
      }
  };
  refuses(request_for(tiny(), {.batch = 0}));
  refuses(request_for(tiny(), {.threads = 0}));
  refuses(request_for(tiny(), {.rank = 2, .ranks = 2}));
  NetworkRequest without_model = request_for(tiny(), {});
  without_model.model = nullptr;
  refuses(without_model);
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NetworkContract);
INSTANTIATE_TEST_SUITE_P(Backends, NetworkContract, testing::ValuesIn(computing_backends()), name_of);

/// running = 0.9 running + 0.1 statistic, from mean 0 and variance 1; the same images and parameters each time.
template <typename Model>
void expect_running_statistics(const Model& model, const ReferenceModel<double>& reference, int layer, int iterations) {
  const auto& input = reference.activation(tiny().layers[static_cast<std::size_t>(layer)].inputs[0]);
  const RunningStatistics* running = model.running_statistics(layer);
  ASSERT_NE(running, nullptr);
  const std::int64_t pixels = input.shape.height * input.shape.width;
  const auto count = static_cast<double>(pixels * input.batch);
  const double kept = std::pow(0.9, iterations);
  for (int channel = 0; channel < input.shape.channels; ++channel) {
    double sum = 0;
    double squares = 0;
    for (int image = 0; image < input.batch; ++image)
      for (std::int64_t i = 0; i < pixels; ++i) {
        const double value = input.value[input.index(image, channel, 0, 0) + static_cast<std::size_t>(i)];
        sum += value;
        squares += value * value;
      }
    const double mean = sum / count;
    const double unbiased = (squares - count * mean * mean) / (count - 1);
    const auto c = static_cast<std::size_t>(channel);
    EXPECT_NEAR(running->mean()[c], (1 - kept) * mean, 1e-5);
    EXPECT_NEAR(running->variance()[c], kept + (1 - kept) * unbiased, 1e-5);
  }
}

TEST(RunningStatistics, FollowTheirFormula) {
  const NetworkRequest request = request_for(tiny(), {.batch = 3});
  ReferenceModel<double> reference(request);
  ReferenceModel<float> plain(request);
  onednn::OnednnNetwork network(request);
  constexpr int kIterations = 3;
  for (int i = 0; i < kIterations; ++i) {
    forward(network);
    for (std::size_t step = 0; step < plain.steps(); ++step) plain.forward(step);
  }
  for (std::size_t step = 0; step < reference.steps(); ++step) reference.forward(step);
  for (int layer = 0; layer < static_cast<int>(tiny().layers.size()); ++layer)
    if (std::holds_alternative<BatchNorm>(tiny().layers[static_cast<std::size_t>(layer)].operation)) {
      expect_running_statistics(plain, reference, layer, kIterations);
      expect_running_statistics(network, reference, layer, kIterations);
    } else {
      EXPECT_EQ(network.running_statistics(layer), nullptr);
    }
}

TEST(OnednnMemory, IsEstimatedFromTheModel) {
  for (const ModelEntry& entry : models())
    for (const int batch : {1, 8}) {
      const ModelSpec model = entry.make();
      const NetworkRequest request = request_for(model, {.batch = batch});
      const auto actual = static_cast<double>(onednn::OnednnNetwork(request).bytes());
      const auto estimate = static_cast<double>(backends().find("onednn").memory(request));
      constexpr double kSlack = 16 << 20;
      EXPECT_GT(estimate, 0.85 * actual - kSlack) << entry.name << ", batch " << batch;
      EXPECT_LT(estimate, 1.25 * actual + kSlack) << entry.name << ", batch " << batch;
    }
}

}  // namespace
}  // namespace mgbench::test
