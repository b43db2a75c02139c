#include <functional>
#include <utility>

#include "bench/backends/support.h"

namespace mgbench::test {
namespace {

/// input -> convolution -> what the case adds -> inner product -> loss. The first one's weight gradient shows the
/// gradient that the operation passes on, the second one's shows its output. (Below a batch norm without bias: there
/// its gradient is zero but for rounding.)
Case around(std::string name, Shape input, int channels, const std::function<int(ModelBuilder&, int)>& operation,
            bool bias = true) {
  ModelBuilder net(name, input);
  const Convolution first{.outputs = channels, .kernel = 3, .padding = 1, .bias = bias};
  const int below = net.add("below", first, {net.input()});
  const int above = operation(net, below);
  net.add("loss", SoftmaxLoss{}, {net.add("above", InnerProduct{7}, {above})});
  return {std::move(name), std::move(net).build()};
}

Case around(std::string name, Shape input, int channels, const Operation& operation) {
  return around(
      std::move(name), input, channels,
      [&](ModelBuilder& net, int below) { return net.add("operation", operation, {below}); },
      !std::holds_alternative<BatchNorm>(operation));
}

void add_convolutions(std::vector<Case>& cases) {
  const Shape odd{3, 13, 9};
  cases.push_back(around("conv 1x1, 5 to 17", odd, 5, Convolution{.outputs = 17}));
  cases.push_back(around("conv 1x1, 32 to 48", odd, 32, Convolution{.outputs = 48}));
  cases.push_back(around("conv 1x1 stride 2, 16 to 32", odd, 16, Convolution{.outputs = 32, .stride = 2}));
  cases.push_back(around("conv 3x3 without bias, 17 to 5", odd, 17,
                         Convolution{.outputs = 5, .kernel = 3, .padding = 1, .bias = false}));
  cases.push_back(around("conv 3x3 without padding, 24 to 40", odd, 24, Convolution{.outputs = 40, .kernel = 3}));
  cases.push_back(around("conv 3x3 stride 2, 16 to 16", odd, 16,
                         Convolution{.outputs = 16, .kernel = 3, .stride = 2, .padding = 1}));
  cases.push_back(
      around("conv 5x5 stride 3, 3 to 6", odd, 3, Convolution{.outputs = 6, .kernel = 5, .stride = 3, .padding = 2}));
  cases.push_back(
      around("conv 7x7 stride 2, 4 to 8", odd, 4, Convolution{.outputs = 8, .kernel = 7, .stride = 2, .padding = 3}));
  cases.push_back(around("conv 3x3 in 2 groups, 6 to 10", odd, 6,
                         Convolution{.outputs = 10, .kernel = 3, .padding = 1, .groups = 2}));
  cases.push_back(around("conv 5x5 in 2 groups, 32 to 64", odd, 32,
                         Convolution{.outputs = 64, .kernel = 5, .padding = 2, .groups = 2, .bias = false}));
  cases.push_back(around("conv 3x3 in 3 groups, 9 to 3", odd, 9, Convolution{.outputs = 3, .kernel = 3, .groups = 3}));
  // Enough tiles for Winograd, and an arena in which tensors begin within a cache line (7 biases come first).
  cases.push_back(
      around("conv 3x3 on 37x29, 16 to 32", {3, 37, 29}, 16, Convolution{.outputs = 32, .kernel = 3, .padding = 1}));
  cases.push_back(around("conv 3x3 on 37x29 without padding and bias, 32 to 16", {3, 37, 29}, 32,
                         Convolution{.outputs = 16, .kernel = 3, .bias = false}));
  cases.push_back(around("conv 3x3 on 40x40 with relu, 16 to 16", {3, 40, 40}, 16, [](ModelBuilder& net, int below) {
    const Convolution convolution{.outputs = 16, .kernel = 3, .padding = 1};
    return net.add("relu", Relu{}, {net.add("operation", convolution, {below})});
  }));
}

void add_pooling(std::vector<Case>& cases) {
  for (const PoolingKind kind : {PoolingKind::maximum, PoolingKind::average}) {
    const std::string name = kind == PoolingKind::maximum ? "max" : "average";
    for (const int channels : {5, 16, 24}) {
      const auto add = [&](const std::string& what, Shape input, Pooling pooling) {
        pooling.kind = kind;
        cases.push_back(around(name + " pooling " + what + ", " + std::to_string(channels) + " channels", input,
                               channels, pooling));
      };
      add("2x2", {3, 12, 10}, {});
      add("3x3 stride 2 with a remainder", {3, 12, 10}, {.kernel = 3});
      add("3x3 stride 2 in ceil mode", {3, 12, 10}, {.kernel = 3, .ceil_mode = true});
      add("3x3 stride 2 padded", {3, 11, 8}, {.kernel = 3, .padding = 1});
      add("3x3 stride 2 padded in ceil mode", {3, 12, 9}, {.kernel = 3, .padding = 1, .ceil_mode = true});
      add("3x3 stride 1 padded", {3, 7, 5}, {.kernel = 3, .stride = 1, .padding = 1});
      add("2x2 stride 3 in ceil mode", {3, 9, 7}, {.kernel = 2, .stride = 3, .ceil_mode = true});
      add("of the whole image", {3, 7, 7}, {.kernel = 7, .stride = 1});
    }
  }
}

void add_normalization(std::vector<Case>& cases) {
  const Shape odd{3, 9, 7};
  for (const int channels : {3, 16, 17, 32}) {
    const std::string on = ", " + std::to_string(channels) + " channels";
    cases.push_back(around("batch norm" + on, odd, channels, BatchNorm{}));
    cases.push_back(around(
        "batch norm with relu" + on, odd, channels,
        [](ModelBuilder& net, int below) {
          return net.add("relu", Relu{}, {net.add("operation", BatchNorm{.epsilon = 1e-2}, {below})});
        },
        false));
    cases.push_back(around(
        "batch norm read twice" + on, odd, channels,
        [](ModelBuilder& net, int below) {
          const int norm = net.add("operation", BatchNorm{}, {below});
          return net.add("sum", Add{}, {net.add("relu", Relu{}, {norm}), norm});
        },
        false));
    cases.push_back(around("local response norm" + on, odd, channels, LocalResponseNorm{}));
    cases.push_back(around("local response norm over 3 with other constants" + on, odd, channels,
                           LocalResponseNorm{.size = 3, .alpha = 0.5, .beta = 0.6, .k = 2}));
  }
}

void add_the_rest(std::vector<Case>& cases) {
  const Shape odd{3, 7, 5};
  for (const int channels : {5, 16, 24}) {
    const std::string on = ", " + std::to_string(channels) + " channels";
    cases.push_back(around("relu" + on, odd, channels, Relu{}));
    cases.push_back(around("relu of pooling" + on, odd, channels, [](ModelBuilder& net, int below) {
      return net.add("relu", Relu{}, {net.add("pool", Pooling{.kind = PoolingKind::average}, {below})});
    }));
    cases.push_back(around("dropout" + on, odd, channels, Dropout{0.4}));
    cases.push_back(around("dropout after relu" + on, odd, channels, [](ModelBuilder& net, int below) {
      return net.add("drop", Dropout{0.7}, {net.add("relu", Relu{}, {below})});
    }));
    cases.push_back(around("inner product" + on, odd, channels, InnerProduct{.outputs = 17, .bias = false}));
    cases.push_back(around("inner products in a row" + on, odd, channels, [](ModelBuilder& net, int below) {
      const int first = net.add("relu", Relu{}, {net.add("first", InnerProduct{33}, {below})});
      return net.add("drop", Dropout{}, {net.add("second", InnerProduct{16}, {first})});
    }));
    cases.push_back(around("concat of equals" + on, odd, channels, [&](ModelBuilder& net, int below) {
      const int left = net.add("left", Convolution{.outputs = channels}, {below});
      const int right = net.add("right", Convolution{.outputs = channels, .kernel = 3, .padding = 1}, {below});
      return net.add("relu", Relu{},
                     {net.add("concat", Concat{}, {net.add("left_relu", Relu{}, {left}), right, below})});
    }));
    cases.push_back(around("concat read twice" + on, odd, channels, [&](ModelBuilder& net, int below) {
      const int relu = net.add("relu", Relu{}, {below});
      const int concat = net.add("concat", Concat{}, {relu, net.add("other", Convolution{.outputs = 16}, {relu})});
      const int left = net.add("left", Convolution{.outputs = 8}, {concat});
      const int right = net.add("right", Convolution{.outputs = 8, .kernel = 3, .padding = 1}, {concat});
      return net.add("sum", Add{}, {left, right});
    }));
    cases.push_back(around("residual" + on, odd, channels, [&](ModelBuilder& net, int below) {
      const int x = net.add("x", Relu{}, {below});
      const int norm =
          net.add("bn", BatchNorm{}, {net.add("conv", Convolution{.outputs = channels, .bias = false}, {x})});
      const int y = net.add("y", Relu{}, {net.add("sum", Add{}, {norm, x})});
      const int again = net.add("again", Convolution{.outputs = channels, .kernel = 3, .padding = 1}, {y});
      return net.add("sum2", Add{}, {net.add("pass", Relu{}, {again}), y});
    }));
    cases.push_back(around("sum of a layer with itself" + on, odd, channels, [](ModelBuilder& net, int below) {
      return net.add("relu", Relu{}, {net.add("sum", Add{}, {below, below})});
    }));
    cases.push_back(
        around("sum whose first layer a later one reads, too" + on, odd, channels, [&](ModelBuilder& net, int below) {
          const int x = net.add("x", Relu{}, {below});
          const int sum = net.add("sum", Add{}, {x, net.add("other", Convolution{.outputs = channels}, {x})});
          const int later = net.add("later", Convolution{.outputs = channels, .kernel = 3, .padding = 1}, {x});
          return net.add("sum2", Add{}, {later, sum});
        }));
    cases.push_back(around("two losses" + on, odd, channels, [](ModelBuilder& net, int below) {
      net.add("aux_loss", SoftmaxLoss{0.3}, {net.add("aux", InnerProduct{7}, {below})});
      return net.add("relu", Relu{}, {below});
    }));
  }
  cases.push_back(around("concat of 5, 16 and 3 channels", odd, 5, [](ModelBuilder& net, int below) {
    const int left = net.add("left", Convolution{.outputs = 16}, {below});
    const int right = net.add("right", Convolution{.outputs = 3, .kernel = 3, .padding = 1}, {below});
    return net.add("concat", Concat{}, {below, left, right});
  }));
  cases.push_back(around("sum of different layouts", {3, 1, 1}, 32, [](ModelBuilder& net, int below) {
    return net.add("sum", Add{}, {net.add("fc", InnerProduct{32}, {below}), below});
  }));
}

}  // namespace

std::vector<Case> operation_cases() {
  std::vector<Case> cases;
  add_convolutions(cases);
  add_pooling(cases);
  add_normalization(cases);
  add_the_rest(cases);
  cases.push_back({"tiny", models().find("tiny").make()});
  return cases;
}

}  // namespace mgbench::test
