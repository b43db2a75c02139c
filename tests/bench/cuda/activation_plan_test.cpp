// Which layers share memory, against a record of what every piece of memory holds while all operations run.
#include "bench/cuda/activation_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "bench/backends/support.h"

namespace mgbench::cuda {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

template <typename Kind>
bool is(const LayerSpec& layer) {
  return std::holds_alternative<Kind>(layer.operation);
}

/// Runs an iteration without numbers. A piece of memory holds an output, or a gradient with the layers that have
/// contributed to it.
class Memory {
 public:
  Memory(const ModelSpec& model, const ActivationPlan& plan) : model_(model), plan_(plan) {}

  void iterate() {
    const auto steps = execution_order(model_);
    write_value(0);
    for (const ExecutionStep& step : steps)
      for (const int layer : step.forward) forward(layer);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      for (const BackwardOperation& operation : step->backward) backward(operation.layer, operation.part);
  }

  const std::vector<std::string>& mistakes() const { return mistakes_; }

 private:
  struct Gradient {
    int layer = -1;
    std::set<int> from;
  };

  void forward(int index) {
    for (const int input : model_.layers[at(index)].inputs) read_value(index, input);
    if (plan_.layers[at(index)].stored) write_value(index);
  }

  /// What each operation reads: cuDNN's ReLU, pooling and norm across channels want their outputs, the others do not.
  void backward(int index, BackwardPart part) {
    const LayerSpec& layer = model_.layers[at(index)];
    const bool wants_input = is<Convolution>(layer) || is<InnerProduct>(layer) || is<BatchNorm>(layer) ||
                             is<Pooling>(layer) || is<LocalResponseNorm>(layer);
    const bool wants_output = is<Relu>(layer) || is<Pooling>(layer) || is<LocalResponseNorm>(layer);
    if (wants_input && !(part == BackwardPart::data && !is<Pooling>(layer) && !is<LocalResponseNorm>(layer)))
      read_value(index, layer.inputs[0]);
    if (wants_output) read_value(index, index);
    if (!is<SoftmaxLoss>(layer)) read_gradient(index);
    if (part == BackwardPart::weights) return;
    for (std::size_t i = 0; i < layer.inputs.size(); ++i) contribute(index, i);
  }

  void contribute(int index, std::size_t i) {
    const int input = model_.layers[at(index)].inputs[i];
    if (!plan_.layers[at(input)].needs_gradient) return;
    Gradient& gradient = gradients_[plan_.layers[at(input)].gradient];
    if (plan_.layers[at(index)].adds[i]) {
      if (gradient.layer != input) complain(index, "adds to a gradient that is not there");
      gradient.from.insert(index);
    } else {
      gradient = {input, {index}};
    }
  }

  void read_value(int reader, int layer) {
    if (values_[plan_.layers[at(layer)].value] == layer) return;
    // What a ReLU has overwritten in place may be read by the ReLU alone, which has read it then.
    complain(reader, "reads an output that has been overwritten");
  }
  void write_value(int layer) { values_[plan_.layers[at(layer)].value] = layer; }

  /// Complete: of all that read the layer and have a gradient to pass on.
  void read_gradient(int layer) {
    std::set<int> readers;
    for (int i = 0; i < static_cast<int>(model_.layers.size()); ++i)
      if (std::ranges::count(model_.layers[at(i)].inputs, layer) > 0) readers.insert(i);
    const Gradient& gradient = gradients_[plan_.layers[at(layer)].gradient];
    if (gradient.layer != layer) return complain(layer, "reads a gradient that has been overwritten");
    if (gradient.from != readers) complain(layer, "reads a gradient that is not complete");
  }

  void complain(int layer, const std::string& what) {
    mistakes_.push_back(model_.name + ": " + model_.layers[at(layer)].name + " " + what);
  }

  const ModelSpec& model_;
  const ActivationPlan& plan_;
  std::map<int, int> values_;
  std::map<int, Gradient> gradients_;
  std::vector<std::string> mistakes_;
};

std::vector<ModelSpec> all_models() {
  std::vector<ModelSpec> result;
  for (const ModelEntry& entry : models()) result.push_back(entry.make());
  for (test::Case& each : test::operation_cases()) result.push_back(std::move(each.model));
  return result;
}

TEST(ActivationPlan, NothingIsOverwrittenBeforeItIsRead) {
  for (const ModelSpec& model : all_models()) {
    const ActivationPlan plan = plan_activations(model, execution_order(model));
    Memory memory(model, plan);
    memory.iterate();
    EXPECT_TRUE(memory.mistakes().empty()) << memory.mistakes().front();
  }
}

TEST(ActivationPlan, TheRecordFindsWhatIsPlanted) {
  const ModelSpec model = models().find("resnet50").make();
  const auto steps = execution_order(model);
  std::size_t in_place = 0;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const ActivationPlan plan = plan_activations(model, steps);
    if (!is<Relu>(model.layers[i]) || plan.layers[i].value == static_cast<int>(i)) continue;
    ++in_place;
  }
  EXPECT_EQ(in_place, 49U) << "every ReLU of ResNet-50 follows a batch norm or a sum that nobody else reads";

  const auto mistakes_with = [&](auto change) {
    ActivationPlan plan = plan_activations(model, steps);
    change(plan);
    Memory memory(model, plan);
    memory.iterate();
    return memory.mistakes().size();
  };
  for (std::size_t i = 1; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (is<BatchNorm>(layer)) {  // in place of its input
      EXPECT_GT(mistakes_with([&](ActivationPlan& plan) { plan.layers[i].value = layer.inputs[0]; }), 0U) << layer.name;
    }
    if (is<Add>(layer)) {  // the first contribution as if it were not
      EXPECT_GT(mistakes_with([&](ActivationPlan& plan) { plan.layers[i].adds.flip(); }), 0U) << layer.name;
    }
  }
}

}  // namespace
}  // namespace mgbench::cuda
