#include "report/mebibytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"

namespace mgbench {
namespace {

/// As Python reads it: int(x * 1024 * 1024).
Bytes python_bytes(double mebibytes) {
  return static_cast<Bytes>(std::floor(mebibytes * 1024 * 1024));
}

TEST(ShortestMebibytes, HasTheFewestDecimalsThatStayInTheRange) {
  constexpr Bytes kMebibyte = Bytes{1} << 20;
  EXPECT_EQ(shortest_mebibytes(25 * kMebibyte, 25 * kMebibyte), "25");
  EXPECT_EQ(shortest_mebibytes(24 * kMebibyte + 1, 26 * kMebibyte), "25");
  EXPECT_EQ(shortest_mebibytes(24 * kMebibyte + 1, 25 * kMebibyte - 1), "24.1");
  EXPECT_EQ(shortest_mebibytes(1, kMebibyte), "1");
  EXPECT_EQ(shortest_mebibytes(1, kMebibyte - 1), "0.1");
  EXPECT_EQ(shortest_mebibytes(5 * kMebibyte, INT64_MAX), "5");
  EXPECT_EQ(shortest_mebibytes(1, 1), "0.000001");
  EXPECT_EQ(python_bytes(std::stod(shortest_mebibytes(300'000, 300'000))), 300'000);
}

RC_GTEST_PROP(ShortestMebibytes, IsReadIntoTheRange, ()) {
  const auto least = *rc::gen::inRange<Bytes>(1, Bytes{1} << 34);
  const Bytes most = least + *rc::gen::inRange<Bytes>(0, *rc::gen::element<Bytes>(1, 1000, Bytes{1} << 24));
  const std::string text = shortest_mebibytes(least, most);
  const Bytes bytes = python_bytes(std::stod(text));
  RC_ASSERT(bytes >= least);
  RC_ASSERT(bytes <= most);
  // One decimal fewer: no multiple lies in the range.
  if (const auto point = text.find('.'); point != std::string::npos) {
    const double digits = std::pow(10, static_cast<double>(text.size() - point - 2));
    const double below = std::floor(std::stod(text) * digits);
    for (const double units : {below, below + 1}) {
      const Bytes shorter = python_bytes(units / digits);
      RC_ASSERT(shorter < least || shorter > most);
    }
  }
}

TEST(ShortestMebibytes, RefusesAnEmptyRange) {
  EXPECT_THROW(shortest_mebibytes(0, 5), Error);
  EXPECT_THROW(shortest_mebibytes(6, 5), Error);
}

}  // namespace
}  // namespace mgbench
