#include <gtest/gtest.h>

#include "base/error.h"
#include "models/model.h"

namespace mgbench {
namespace {

Shape pooled(Shape input, Pooling pooling) {
  ModelBuilder net("test", input);
  return net.shape(net.add("pool", pooling, {net.input()}));
}

TEST(ModelBuilder, CeilModePoolingCoversTheLastColumns) {
  EXPECT_EQ(pooled({1, 112, 112}, {.kernel = 3, .stride = 2}), (Shape{1, 55, 55}));
  EXPECT_EQ(pooled({1, 112, 112}, {.kernel = 3, .stride = 2, .ceil_mode = true}), (Shape{1, 56, 56}));
  EXPECT_EQ(pooled({1, 13, 13}, {.kernel = 3, .stride = 2, .ceil_mode = true}), (Shape{1, 6, 6}));
}

TEST(ModelBuilder, CeilModePoolingHasNoWindowInTheRightPaddingAlone) {
  // 4 + 2 - 2 = 4, stride 3: the ceiling gives 3 windows, the third would start at 6 - 1 = 5, beyond the
  // image.
  EXPECT_EQ(pooled({1, 4, 4}, {.kernel = 2, .stride = 3, .padding = 1, .ceil_mode = true}), (Shape{1, 2, 2}));
}

/// By laying one window after the other. Without ceil mode all lie inside the padded image; with it they go on until
/// its end is covered, and each begins before the image's end.
int laid_windows(int input, const Pooling& pooling) {
  const auto begin = [&](int window) { return window * pooling.stride - pooling.padding; };
  const auto end = [&](int window) { return begin(window) + pooling.kernel; };
  int windows = 1;
  if (pooling.ceil_mode)
    while (end(windows - 1) < input + pooling.padding && begin(windows) < input) ++windows;
  else
    while (end(windows) <= input + pooling.padding) ++windows;
  return windows;
}

TEST(ModelBuilder, HasAsManyWindowsAsCanBeLaid) {
  for (int input = 1; input <= 16; ++input)
    for (int kernel = 1; kernel <= 5; ++kernel)
      for (int stride = 1; stride <= 5; ++stride)
        for (int padding = 0; padding < kernel; ++padding)
          for (const bool ceil_mode : {false, true}) {
            if (input + 2 * padding < kernel) continue;
            const Pooling pooling{.kernel = kernel, .stride = stride, .padding = padding, .ceil_mode = ceil_mode};
            EXPECT_EQ(pooled({1, input, input}, pooling).height, laid_windows(input, pooling))
                << input << " kernel " << kernel << " stride " << stride << " padding " << padding << " ceil "
                << ceil_mode;
          }
}

TEST(ModelBuilder, GroupedConvolutionSharesItsInputChannels) {
  ModelBuilder net("test", {6, 9, 7});
  const int x =
      net.add("conv", Convolution{.outputs = 4, .kernel = 3, .stride = 2, .padding = 1, .groups = 2}, {net.input()});
  EXPECT_EQ(net.shape(x), (Shape{4, 5, 4}));
  net.add("loss", SoftmaxLoss{}, {net.add("fc", InnerProduct{5}, {x})});
  const ModelSpec model = std::move(net).build();
  EXPECT_EQ(model.layers[1].parameters[0].dimensions, (std::vector<std::int64_t>{4, 3, 3, 3}));
  EXPECT_EQ(model.layers[1].multiply_adds, 4 * 3 * 3 * 3 * 5 * 4);
  EXPECT_EQ(model.parameters(), 4 * 27 + 4 + 5 * 80 + 5);
  EXPECT_EQ(model.classes, 5);
}

/// What the error of a broken model must name.
struct Broken {
  const char* message;
  void (*build)(ModelBuilder&);
};

void PrintTo(const Broken& broken, std::ostream* stream) {
  *stream << broken.message;
}

class BrokenModel : public testing::TestWithParam<Broken> {};

TEST_P(BrokenModel, IsRefusedWithTheLayersName) {
  ModelBuilder net("test", {3, 8, 8});
  try {
    GetParam().build(net);
    std::move(net).build();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    ModelBuilder, BrokenModel,
    testing::Values(
        Broken{"layer 'c': 3 input channels to 4 outputs in 2 groups",
               [](ModelBuilder& net) { net.add("c", Convolution{.outputs = 4, .groups = 2}, {0}); }},
        Broken{"layer 'c': a window of 9 does not fit an input of 8",
               [](ModelBuilder& net) { net.add("c", Convolution{.outputs = 4, .kernel = 9}, {0}); }},
        Broken{"layer 'a': 1 inputs; a layer of kind 'add' takes 2",
               [](ModelBuilder& net) { net.add("a", Add{}, {0}); }},
        Broken{"layer 'a': inputs of 3x8x8 and 4x8x8",
               [](ModelBuilder& net) {
                 net.add("a", Add{}, {0, net.add("c", Convolution{.outputs = 4}, {0})});
               }},
        Broken{"layer 'j': inputs of 8x8 and 4x4",
               [](ModelBuilder& net) {
                 net.add("j", Concat{}, {0, net.add("p", Pooling{}, {0})});
               }},
        Broken{"two layers are named 'r'",
               [](ModelBuilder& net) { net.add("r", Relu{}, {net.add("r", Relu{}, {0})}); }},
        Broken{"layer 'r': input 5 is not an earlier layer", [](ModelBuilder& net) { net.add("r", Relu{}, {5}); }},
        Broken{"layer 'd': ratio 1", [](ModelBuilder& net) { net.add("d", Dropout{1.0}, {0}); }},
        Broken{"layer 'n': size 4", [](ModelBuilder& net) { net.add("n", LocalResponseNorm{.size = 4}, {0}); }},
        Broken{"layer 'l': an image of 8x8", [](ModelBuilder& net) { net.add("l", SoftmaxLoss{}, {0}); }},
        Broken{"has no loss", [](ModelBuilder& net) { net.add("f", InnerProduct{2}, {0}); }},
        Broken{"has nothing to learn",
               [](ModelBuilder& net) { net.add("l", SoftmaxLoss{}, {net.add("p", Pooling{.kernel = 8}, {0})}); }},
        Broken{"nothing uses the output of layer 'r'", [](ModelBuilder& net) {
                 net.add("l", SoftmaxLoss{}, {net.add("f", InnerProduct{2}, {0})});
                 net.add("r", Relu{}, {0});
               }}));

}  // namespace
}  // namespace mgbench
