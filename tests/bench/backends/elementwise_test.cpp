#include "bench/backends/onednn/elementwise.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace mgbench::onednn {
namespace {

std::vector<float> some_floats(std::size_t size, double phase) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<float>(std::sin(phase + 1.7 * static_cast<double>(i)));
  return values;
}

RC_GTEST_PROP(Elementwise, SumsOfRunsAreSumsWhereTheMaskIsPositive, ()) {
  const std::size_t images = *rc::gen::inRange<std::size_t>(1, 4);
  const std::size_t size = *rc::gen::element<std::size_t>(1, 5, 2047, 2048, 2049, 5000);
  const std::size_t addends = *rc::gen::inRange<std::size_t>(1, 5);
  const bool in_place = *rc::gen::arbitrary<bool>();
  const bool masked = *rc::gen::arbitrary<bool>();

  std::vector<std::vector<float>> storage;
  std::vector<Runs> runs;
  for (std::size_t i = 0; i < addends; ++i) {
    const bool first_in_place = in_place && i == 0;
    const std::size_t stride = size + (first_in_place ? 0 : 3 * i);
    storage.push_back(some_floats(images * stride, static_cast<double>(i)));
    runs.push_back({storage.back().data(), stride});
  }
  const std::vector<float> mask = some_floats(images * size, 0.5);
  std::vector<float> expected(images * size);
  for (std::size_t image = 0; image < images; ++image)
    for (std::size_t i = 0; i < size; ++i) {
      float sum = 0;
      for (const Runs& addend : runs) sum += addend.data[image * addend.stride + i];
      expected[image * size + i] = masked && mask[image * size + i] <= 0 ? 0 : sum;
    }

  std::vector<float> apart(images * size, 9.0F);
  std::vector<float>& out = in_place ? storage[0] : apart;
  sum_runs(out.data(), runs, masked ? mask.data() : nullptr, images, size);
  RC_ASSERT(out == expected);
}

TEST(Elementwise, TheOthersFollowTheirFormulas) {
  constexpr std::size_t kSize = 4099;
  const std::vector<float> left = some_floats(kSize, 0);
  const std::vector<float> right = some_floats(kSize, 1);
  std::vector<float> out(kSize);
  const auto expect = [&](auto&& formula) {
    for (std::size_t i = 0; i < kSize; ++i) ASSERT_EQ(out[i], formula(left[i], right[i])) << i;
  };
  rectify(out.data(), left.data(), kSize);
  expect([](float a, float) { return a > 0 ? a : 0.0F; });
  add(out.data(), left.data(), right.data(), kSize);
  expect([](float a, float b) { return a + b; });
  add_and_rectify(out.data(), left.data(), right.data(), kSize);
  expect([](float a, float b) { return a + b > 0 ? a + b : 0.0F; });
  multiply(out.data(), left.data(), right.data(), kSize);
  expect([](float a, float b) { return a * b; });
}

}  // namespace
}  // namespace mgbench::onednn
