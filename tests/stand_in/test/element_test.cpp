// Conversions of half types against those of CUDA's headers, which also work on the host.
#include "core/element.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

TEST(Element, AllHalvesBecomeTheFloatsThatCudaMakesOfThem) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto pattern = static_cast<unsigned short>(bits);
    const float half = static_cast<float>(stand_in::Half{pattern}),
                bfloat = static_cast<float>(stand_in::BFloat16{pattern});
    const float wanted_half = __half2float(__ushort_as_half(pattern));
    const float wanted_bfloat = __bfloat162float(__ushort_as_bfloat16(pattern));
    ASSERT_TRUE(half == wanted_half || (std::isnan(half) && std::isnan(wanted_half))) << bits;
    ASSERT_TRUE(bfloat == wanted_bfloat || (std::isnan(bfloat) && std::isnan(wanted_bfloat))) << bits;
  }
}

TEST(Element, FloatsRoundAsInCuda) {
  std::mt19937 random(1);
  const auto check = [](float value) {
    if (std::isnan(value)) return;
    ASSERT_EQ(stand_in::Half::from(value).bits, __half_as_ushort(__float2half_rn(value))) << value;
    ASSERT_EQ(stand_in::BFloat16::from(value).bits, __bfloat16_as_ushort(__float2bfloat16_rn(value))) << value;
  };
  for (int i = 0; i < 100000; ++i) {
    const auto any = static_cast<std::uint32_t>(random());
    check(std::bit_cast<float>(any));
    check(std::bit_cast<float>((any & 0x87FFF000U) | 0x38000000U));  // of halves' sizes; every second a tie
    check(std::bit_cast<float>(any & 0xFFFF8000U));                  // ties of bfloat16
  }
}

}  // namespace
