// Shape inference against cuDNN's own output dimensions. Descriptors need no device.
#include <gtest/gtest.h>

#include "bench/backends/support.h"
#include "bench/cuda/descriptors.h"

namespace mgbench::cuda {
namespace {

constexpr int kBatch = 3;

/// [batch, channels, height, width]
using Dimensions = std::array<int, 4>;

Dimensions of(const Shape& shape) {
  return {kBatch, shape.channels, shape.height, shape.width};
}

Dimensions convolved(const Convolution& convolution, const Shape& input, Layout layout) {
  const TensorDescriptor tensor(ElementType::float32, layout, kBatch, input);
  const FilterDescriptor filter(ElementType::float32, layout, convolution.outputs, input.channels / convolution.groups,
                                convolution.kernel);
  const ConvolutionDescriptor descriptor(convolution, Precision::fp32);
  Dimensions d{};
  check(cudnnGetConvolution2dForwardOutputDim(descriptor, tensor, filter, &d[0], &d[1], &d[2], &d[3]),
        "cudnnGetConvolution2dForwardOutputDim");
  return d;
}

Dimensions pooled(const Pooling& pooling, const Shape& input, Layout layout) {
  const TensorDescriptor tensor(ElementType::float32, layout, kBatch, input);
  Dimensions d{};
  check(cudnnGetPooling2dForwardOutputDim(make_pooling_descriptor(pooling), tensor, &d[0], &d[1], &d[2], &d[3]),
        "cudnnGetPooling2dForwardOutputDim");
  return d;
}

struct Counts {
  int convolutions = 0, poolings = 0, larger = 0;
};

void expect_agreement(const ModelSpec& model, Counts& counts) {
  for (const LayerSpec& layer : model.layers) {
    if (layer.inputs.empty()) continue;
    const Shape& input = model.layers[static_cast<std::size_t>(layer.inputs[0])].output;
    for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
      if (const auto* convolution = std::get_if<Convolution>(&layer.operation)) {
        EXPECT_EQ(convolved(*convolution, input, layout), of(layer.output)) << model.name << ", " << layer.name;
        ++counts.convolutions;
      }
      const auto* pooling = std::get_if<Pooling>(&layer.operation);
      if (pooling == nullptr) continue;
      const Dimensions floor = pooled(*pooling, input, layout);
      if (pooling->ceil_mode) {  // cuDNN takes the larger one from the output's descriptor
        EXPECT_LE(layer.output.height - floor[2], 1) << model.name << ", " << layer.name;
        EXPECT_GE(layer.output.height, floor[2]) << model.name << ", " << layer.name;
        counts.larger += layer.output.height > floor[2] ? 1 : 0;
      } else {
        EXPECT_EQ(floor, of(layer.output)) << model.name << ", " << layer.name;
        ++counts.poolings;
      }
    }
  }
}

TEST(OutputDimensions, AreThoseOfCudnn) {
  Counts counts;
  for (const ModelEntry& entry : models()) expect_agreement(entry.make(), counts);
  for (const test::Case& each : test::operation_cases()) expect_agreement(each.model, counts);
  EXPECT_GT(counts.convolutions, 200);
  EXPECT_GT(counts.poolings, 10);
  EXPECT_GT(counts.larger, 5);
}

}  // namespace
}  // namespace mgbench::cuda
