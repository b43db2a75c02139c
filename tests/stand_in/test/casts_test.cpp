// The program's casts between element types, for every half and for what lies between two of them.
#include <cuda.h>
#include <nvrtc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "test/device_array.h"

namespace {

using Half = unsigned short;

constexpr const char* kSource = R"(
extern "C" __global__ void cast_float32_to_float16(const float* from, unsigned short* to, unsigned long long count) {}
extern "C" __global__ void cast_float16_to_float32(const unsigned short* from, float* to, unsigned long long count) {}
extern "C" __global__ void cast_float32_to_bfloat16(const float* from, unsigned short* to, unsigned long long count) {}
extern "C" __global__ void cast_bfloat16_to_float32(const unsigned short* from, float* to, unsigned long long count) {}
)";

struct HalfType {
  const char* name;
  int mantissa;        ///< bits
  int least_exponent;  ///< of a subnormal's last bit
};
constexpr HalfType kFloat16{"float16", 10, -24};
constexpr HalfType kBfloat16{"bfloat16", 7, -133};

/// The values of the bits from zero on up to infinity, which stands where the next finite one would.
std::vector<double> values_of(const HalfType& type) {
  std::vector<double> values;
  for (int bits = 0;; ++bits) {
    const int exponent = bits >> type.mantissa;
    const int digits = bits & ((1 << type.mantissa) - 1);
    values.push_back(exponent == 0 ? std::ldexp(digits, type.least_exponent)
                                   : std::ldexp(digits + (1 << type.mantissa), type.least_exponent + exponent - 1));
    if (exponent == (1 << (15 - type.mantissa)) - 1) return values;
  }
}

/// To nearest, ties to even, by distance to its neighbours.
Half nearest(double value, const std::vector<double>& values) {
  const auto above = std::lower_bound(values.begin(), values.end(), value);
  if (above == values.end()) return static_cast<Half>(values.size() - 1);
  const auto high = static_cast<Half>(above - values.begin());
  if (high == 0) return 0;
  const double to_high = *above - value;
  const double to_low = value - *(above - 1);
  if (to_high == to_low) return static_cast<Half>(high % 2 == 0 ? high : high - 1);
  return static_cast<Half>(to_high < to_low ? high : high - 1);
}

class Casts : public testing::TestWithParam<HalfType> {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    nvrtcProgram program;
    const char* architecture = "--gpu-architecture=sm_90";
    ASSERT_EQ(nvrtcCreateProgram(&program, kSource, "kernels.cu", 0, nullptr, nullptr), NVRTC_SUCCESS);
    ASSERT_EQ(nvrtcCompileProgram(program, 1, &architecture), NVRTC_SUCCESS);
    std::size_t size = 0;
    ASSERT_EQ(nvrtcGetCUBINSize(program, &size), NVRTC_SUCCESS);
    std::string image(size, ' ');
    ASSERT_EQ(nvrtcGetCUBIN(program, image.data()), NVRTC_SUCCESS);
    ASSERT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    ASSERT_EQ(cuModuleLoadData(&module_, image.c_str()), CUDA_SUCCESS);
  }
  void TearDown() override { ASSERT_EQ(cuModuleUnload(module_), CUDA_SUCCESS); }

  template <class From, class To>
  std::vector<To> cast(const std::string& kernel, const std::vector<From>& values) const {
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&function, module_, kernel.c_str()), CUDA_SUCCESS);
    const DeviceArray<From> from(values);
    const DeviceArray<To> to(values.size());
    From* source = from.data();
    To* target = to.data();
    unsigned long long count = values.size();
    void* arguments[] = {&source, &target, &count};
    const auto blocks = static_cast<unsigned>((count + 255) / 256);
    EXPECT_EQ(cuLaunchKernel(function, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
    return to.read();
  }
  std::vector<Half> to_half(const std::vector<float>& values) const {
    return cast<float, Half>(std::string("cast_float32_to_") + GetParam().name, values);
  }
  std::vector<float> to_float(const std::vector<Half>& halves) const {
    return cast<Half, float>(std::string("cast_") + GetParam().name + "_to_float32", halves);
  }

 private:
  CUmodule module_{};
};

TEST_P(Casts, RoundToTheNearestHalf) {
  const std::vector<double> values = values_of(GetParam());
  std::vector<float> inputs;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const auto middle = static_cast<float>(std::midpoint(values[i], values[i + 1]));
    for (const float input : {static_cast<float>(values[i]), std::nextafter(middle, 0.0F), middle,
                              std::nextafter(middle, std::numeric_limits<float>::max())})
      inputs.insert(inputs.end(), {input, -input});
  }
  const std::vector<Half> found = to_half(inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Half wanted =
        static_cast<Half>(nearest(std::abs(inputs[i]), values) | (std::signbit(inputs[i]) ? 0x8000 : 0));
    ASSERT_EQ(found[i], wanted) << inputs[i];
  }
}

TEST_P(Casts, FromHalvesAreExact) {
  const std::vector<double> values = values_of(GetParam());
  std::vector<Half> halves;
  for (std::size_t bits = 0; bits + 1 < values.size(); ++bits)
    halves.insert(halves.end(), {static_cast<Half>(bits), static_cast<Half>(bits | 0x8000)});
  const std::vector<float> found = to_float(halves);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const double wanted = values[halves[i] & 0x7fff];
    ASSERT_EQ(found[i], static_cast<float>(i % 2 == 0 ? wanted : -wanted)) << halves[i];
  }
}

TEST_P(Casts, KeepWhatIsNoNumberAndWhatIsInfinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> special{kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};
  const std::vector<float> found = to_float(to_half(special));
  EXPECT_EQ(found[0], kInfinity);
  EXPECT_EQ(found[1], -kInfinity);
  EXPECT_TRUE(std::isnan(found[2]));
}

INSTANTIATE_TEST_SUITE_P(Halves, Casts, testing::Values(kFloat16, kBfloat16),
                         [](const auto& type) { return std::string(type.param.name); });

}  // namespace
