#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace stand_in {

/// IEEE 754 half precision, as it lies in memory. Conversions round to nearest, ties to even.
struct Half {
  std::uint16_t bits;

  static Half from(float value) {
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((word >> 16) & 0x8000U);
    const float size = std::fabs(value);
    if (size != size) return {0x7FFF};
    if (size >= 65520.0F) return {static_cast<std::uint16_t>(sign | 0x7C00U)};
    if (size < 0x1p-14F)
      return {static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::nearbyint(size * 0x1p24F)))};
    const std::uint32_t magnitude = word & 0x7FFFFFFFU;
    const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13) & 1U);
    return {static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112U << 10)))};
  }

  explicit operator float() const {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = (bits >> 10) & 31U;
    const std::uint32_t mantissa = bits & 1023U;
    if (exponent == 0)
      return std::copysign(static_cast<float>(mantissa) * 0x1p-24F, std::bit_cast<float>(sign | 0x3F800000U));
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
    return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
  }
};

/// The upper half of a float. Conversions round to nearest, ties to even.
struct BFloat16 {
  std::uint16_t bits;

  static BFloat16 from(float value) {
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
    if (value != value) return {0x7FFF};
    return {static_cast<std::uint16_t>((word + 0x7FFFU + ((word >> 16) & 1U)) >> 16)};
  }

  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

template <class T>
T from_float(float value) {
  if constexpr (std::is_class_v<T>) {
    return T::from(value);
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace stand_in
