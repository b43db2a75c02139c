#include "models/model.h"

namespace mgbench::models_entries {
namespace {

// Not a network of the literature: seconds under a sanitizer, and every operation (with each of its variants)
// that the others use.
ModelSpec make() {
  ModelBuilder net("tiny", {3, 19, 19});

  int x = net.add("conv1", Convolution{.outputs = 16, .kernel = 3, .stride = 2, .padding = 1, .bias = false},
                  {net.input()});
  x = net.add("relu1", Relu{}, {net.add("bn1", BatchNorm{}, {x})});
  x = net.add("norm1", LocalResponseNorm{}, {x});
  const int pooled = net.add("pool1", Pooling{.kernel = 3, .stride = 2, .ceil_mode = true}, {x});

  int left = net.add("left", Convolution{.outputs = 8, .kernel = 3, .padding = 1, .groups = 2}, {pooled});
  left = net.add("left_relu", Relu{}, {left});
  int right = net.add("right_pool", Pooling{.kernel = 3, .stride = 1, .padding = 1}, {pooled});
  right = net.add("right", Convolution{.outputs = 8}, {right});
  const int joined = net.add("joined", Concat{}, {left, right});

  int auxiliary =
      net.add("aux_pool", Pooling{.kind = PoolingKind::average, .kernel = 3, .stride = 2, .ceil_mode = true}, {joined});
  auxiliary = net.add("aux_drop", Dropout{0.25}, {auxiliary});
  net.add("aux_loss", SoftmaxLoss{0.3}, {net.add("aux_fc", InnerProduct{10}, {auxiliary})});

  int residual = net.add("residual", Convolution{.outputs = 16, .kernel = 3, .padding = 1, .bias = false}, {joined});
  residual = net.add("residual_bn", BatchNorm{}, {residual});
  x = net.add("sum_relu", Relu{}, {net.add("sum", Add{}, {residual, joined})});
  x = net.add("pool2", Pooling{.kind = PoolingKind::average, .kernel = 5, .stride = 1}, {x});
  x = net.add("fc1_relu", Relu{}, {net.add("fc1", InnerProduct{33}, {x})});
  x = net.add("drop", Dropout{0.5}, {x});
  net.add("loss", SoftmaxLoss{}, {net.add("fc2", InnerProduct{10}, {x})});
  return std::move(net).build();
}

}  // namespace

ModelEntry tiny() {
  return {"tiny", "every operation of the others in milliseconds, for tests", make};
}

}  // namespace mgbench::models_entries
