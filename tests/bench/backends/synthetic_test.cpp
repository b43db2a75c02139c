#include "bench/backends/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace mgbench {
namespace {

struct Moments {
  double mean = 0, variance = 0, largest = 0;
};

template <typename Values>
Moments moments(const Values& values) {
  Moments result;
  for (const auto value : values) {
    result.mean += value;
    result.variance += double{value} * value;
    result.largest = std::max(result.largest, std::abs(double{value}));
  }
  const auto count = static_cast<double>(values.size());
  result.mean /= count;
  result.variance = result.variance / count - result.mean * result.mean;
  return result;
}

TEST(Synthetic, ImagesAreStandardNormal) {
  const auto values = synthetic_images({3, 100, 100}, 4, 1, 0);
  const Moments found = moments(values);
  EXPECT_NEAR(found.mean, 0, 0.01);
  EXPECT_NEAR(found.variance, 1, 0.02);
  const auto within = std::ranges::count_if(values, [](float x) { return std::abs(x) < 1; });
  EXPECT_NEAR(static_cast<double>(within) / static_cast<double>(values.size()), std::erf(1 / std::sqrt(2)), 0.005);
}

TEST(Synthetic, ImagesDependOnSeedAndRankButNotOnTheBatchAround) {
  const auto images = synthetic_images({3, 5, 5}, 2, 1, 0);
  EXPECT_NE(images, synthetic_images({3, 5, 5}, 2, 2, 0));
  EXPECT_NE(images, synthetic_images({3, 5, 5}, 2, 1, 1));
  const auto more = synthetic_images({3, 5, 5}, 3, 1, 0);
  EXPECT_TRUE(std::equal(images.begin(), images.end(), more.begin()));
}

TEST(Synthetic, LabelsAreUniform) {
  std::map<int, int> counts;
  for (const int label : synthetic_labels(10, 10000, 1, 0)) ++counts[label];
  ASSERT_EQ(counts.size(), 10U);
  EXPECT_EQ(counts.begin()->first, 0);
  for (const auto& [label, count] : counts) EXPECT_NEAR(count, 1000, 150) << label;
}

TEST(Synthetic, ParametersHaveTheVarianceOfTheirLayer) {
  ModelBuilder net("m", {64, 9, 9});
  const int conv = net.add("conv", Convolution{.outputs = 128, .kernel = 3, .groups = 2}, {0});
  const int norm = net.add("norm", BatchNorm{}, {conv});
  net.add("loss", SoftmaxLoss{}, {net.add("fc", InnerProduct{10}, {norm})});
  const ModelSpec model = std::move(net).build();
  const auto values = initial_parameters(model, 1);
  EXPECT_NE(values, initial_parameters(model, 2));
  for (const ArenaTensor& tensor : arena_layout(model, execution_order(model))) {
    const std::vector<float> each(values.begin() + tensor.offset, values.begin() + tensor.offset + tensor.elements);
    const Moments found = moments(each);
    const bool is_norm = tensor.layer == norm;
    if (tensor.parameter == 1 || is_norm) {
      EXPECT_EQ(found.mean, is_norm && tensor.parameter == 0 ? 1 : 0);
      EXPECT_EQ(found.variance, 0);
      continue;
    }
    const double inputs = tensor.layer == conv ? 32 * 9 : 128 * 49;
    const double variance = (tensor.layer == conv ? 1 : 0.01) / inputs;
    EXPECT_NEAR(found.mean, 0, 0.1 * std::sqrt(variance));
    EXPECT_NEAR(found.variance, variance, 0.05 * variance);
    EXPECT_LE(found.largest, std::sqrt(3 * variance) * (1 + 1e-6));
  }
}

TEST(DropoutMask, KeepsTheOtherShareAndKeepsTheMean) {
  for (const double ratio : {0.0, 0.25, 0.5, 0.7}) {
    DropoutMask mask(ratio, 1, 0, 3);
    int kept = 0;
    for (std::uint64_t i = 0; i < 100000; ++i) kept += mask.keeps(i) ? 1 : 0;
    EXPECT_NEAR(kept, 100000 * (1 - ratio), 600);
    EXPECT_NEAR(mask.scale() * (1 - ratio), 1, 1e-6);
  }
}

TEST(DropoutMask, DependsOnSeedRankLayerAndIteration) {
  const auto draw = [](std::uint64_t seed, int rank, int layer, std::uint64_t iteration) {
    DropoutMask mask(0.5, seed, rank, layer);
    mask.set_iteration(iteration);
    std::vector<bool> kept;
    for (std::uint64_t i = 0; i < 1000; ++i) kept.push_back(mask.keeps(i));
    return kept;
  };
  const auto share = [&](const std::vector<bool>& left, const std::vector<bool>& right) {
    int same = 0;
    for (std::size_t i = 0; i < left.size(); ++i) same += left[i] == right[i] ? 1 : 0;
    return same / 1000.0;
  };
  const auto mask = draw(1, 0, 3, 0);
  EXPECT_EQ(share(mask, draw(1, 0, 3, 0)), 1);
  for (const auto& other : {draw(2, 0, 3, 0), draw(1, 1, 3, 0), draw(1, 0, 4, 0), draw(1, 0, 3, 1)})
    EXPECT_NEAR(share(mask, other), 0.5, 0.08);
}

}  // namespace
}  // namespace mgbench
