#include "bench/communicators/half_precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/error.h"

namespace mgbench {
namespace {

struct Format {
  ElementType type;
  int fraction_bits;
  int bias;
};
constexpr Format kFormats[] = {{ElementType::float16, 10, 15}, {ElementType::bfloat16, 7, 127}};

/// IEEE 754: the value of these bits.
double decoded(const Format& format, std::uint16_t bits) {
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const int exponent = (bits & 0x7fff) >> format.fraction_bits;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 2 * format.bias + 1) return fraction != 0 ? NAN : sign * INFINITY;
  const double significand = exponent == 0 ? fraction : fraction + (1 << format.fraction_bits);
  return sign * std::ldexp(significand, std::max(exponent, 1) - format.bias - format.fraction_bits);
}

std::uint16_t narrowed(ElementType type, float value) {
  std::uint16_t bits = 0;
  narrow(type, &value, 1, &bits);
  return bits;
}

TEST(HalfPrecision, EveryHalfIsItsValueAndComesBack) {
  for (const Format& format : kFormats) {
    std::vector<std::uint16_t> all(1 << 16);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    std::vector<float> values(all.size());
    widen(format.type, all.data(), all.size(), values.data());
    std::vector<std::uint16_t> back(all.size());
    narrow(format.type, values.data(), values.size(), back.data());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double expected = decoded(format, all[i]);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(values[i])) << i;
        EXPECT_TRUE(std::isnan(decoded(format, back[i]))) << i;
      } else {
        ASSERT_EQ(values[i], expected) << name_of(format.type) << " " << i;
        ASSERT_EQ(back[i], all[i]) << name_of(format.type) << " " << i;
      }
    }
  }
}

TEST(HalfPrecision, RoundsToTheNearestAndTiesToEven) {
  std::mt19937 random(3);
  for (const Format& format : kFormats)
    for (int i = 0; i < 100000; ++i) {
      const auto below = static_cast<std::uint16_t>(random() % (((2 * format.bias + 1) << format.fraction_bits) - 1));
      const double low = decoded(format, below);
      const double high = decoded(format, static_cast<std::uint16_t>(below + 1));
      const double middle = (low + high) / 2;
      const auto even = static_cast<std::uint16_t>(below + below % 2);
      ASSERT_EQ(narrowed(format.type, static_cast<float>(middle)), even) << name_of(format.type) << " " << below;
      ASSERT_EQ(narrowed(format.type, std::nextafter(static_cast<float>(middle), 0.0F)), below);
      ASSERT_EQ(narrowed(format.type, std::nextafter(static_cast<float>(middle), INFINITY)), below + 1);
    }
}

TEST(HalfPrecision, TooLargeIsInfinite) {
  EXPECT_EQ(decoded(kFormats[0], narrowed(ElementType::float16, 65520)), INFINITY);
  EXPECT_EQ(decoded(kFormats[0], narrowed(ElementType::float16, 65519)), 65504);
  EXPECT_EQ(decoded(kFormats[1], narrowed(ElementType::bfloat16, -3.4e38F)), -INFINITY);
}

TEST(HalfPrecision, Float32IsNone) {
  float value = 0;
  EXPECT_THROW(widen(ElementType::float32, &value, 1, &value), Error);
}

}  // namespace
}  // namespace mgbench
