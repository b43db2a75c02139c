#include "models/execution_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace mgbench {
namespace {

class ExecutionOrder : public testing::TestWithParam<std::string> {
 protected:
  const ModelSpec model = models().find(GetParam()).make();
  const std::vector<ExecutionStep> steps = execution_order(model);

  std::vector<BackwardOperation> backward() const {
    std::vector<BackwardOperation> all;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      all.insert(all.end(), step->backward.begin(), step->backward.end());
    return all;
  }
};

TEST_P(ExecutionOrder, ForwardRunsEveryLayerOnceInOrder) {
  std::vector<int> order;
  for (const ExecutionStep& step : steps) order.insert(order.end(), step.forward.begin(), step.forward.end());
  ASSERT_EQ(order.size(), model.layers.size());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(i));
}

TEST_P(ExecutionOrder, StepsEndWithTheirLayersParameterGradients) {
  for (const ExecutionStep& step : steps) {
    ASSERT_FALSE(step.backward.empty());
    EXPECT_EQ(step.backward.back().layer, step.layer);
    EXPECT_NE(step.backward.back().part, BackwardPart::data);
    EXPECT_EQ(std::count_if(step.backward.begin(), step.backward.end(),
                            [](const auto& operation) { return operation.part != BackwardPart::data; }),
              1);
  }
}

TEST_P(ExecutionOrder, NothingIsComputedBeforeAllGradientsOfItsOutputHaveArrived) {
  // Gradients that each layer's output still waits for: one for each consumer.
  std::map<int, int> missing;
  for (const LayerSpec& layer : model.layers)
    for (const int input : layer.inputs) ++missing[input];
  for (const BackwardOperation& operation : backward()) {
    EXPECT_EQ(missing[operation.layer], 0) << model.layers[static_cast<std::size_t>(operation.layer)].name;
    if (operation.part != BackwardPart::weights)
      for (const int input : model.layers[static_cast<std::size_t>(operation.layer)].inputs) --missing[input];
  }
}

TEST_P(ExecutionOrder, ArenaHoldsEveryTensorOnceWithoutGapsInReadyOrder) {
  const std::vector<ArenaTensor> tensors = arena_layout(model, steps);
  ASSERT_EQ(tensors.size(), model.tensors());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].offset, offset);
    offset += tensors[i].elements;
    EXPECT_LE(tensors[i].step, tensors[i > 0 ? i - 1 : 0].step);
  }
  EXPECT_EQ(offset, model.parameters());
}

INSTANTIATE_TEST_SUITE_P(Models, ExecutionOrder, testing::ValuesIn(models().names()));

TEST(ExecutionOrder, LeavesOutDataGradientsThatNobodyNeeds) {
  ModelBuilder net("test", {3, 8, 8});
  const int first = net.add("pool", Pooling{}, {net.input()});
  const int left = net.add("left", Convolution{.outputs = 3}, {first});
  const int right = net.add("right", Convolution{.outputs = 3}, {first});
  net.add("loss", SoftmaxLoss{}, {net.add("fc", InnerProduct{2}, {net.add("sum", Add{}, {left, right})})});
  const ModelSpec model = std::move(net).build();
  for (const ExecutionStep& step : execution_order(model))
    for (const BackwardOperation& operation : step.backward) {
      const std::string& name = model.layers[static_cast<std::size_t>(operation.layer)].name;
      EXPECT_NE(name, "pool");
      EXPECT_TRUE((name != "left" && name != "right") || operation.part == BackwardPart::weights) << name;
    }
}

}  // namespace
}  // namespace mgbench
