// Kernels: from a source by NVRTC to the driver.
#include <cuda.h>
#include <nvrtc.h>

#include <numeric>
#include <string>

#include "test/device_array.h"

namespace {

constexpr const char* kSource = R"(
extern "C" __global__ void stand_in_scale(float* values, float factor, unsigned long long count) {}
extern "C" __global__ void stand_in_places(unsigned int* places) {}
extern "C" __global__ void missing() {}
__global__ void mangled() {}
)";

std::string compile(const char* architecture, bool binary) {
  nvrtcProgram program;
  EXPECT_EQ(nvrtcCreateProgram(&program, kSource, "kernels.cu", 0, nullptr, nullptr), NVRTC_SUCCESS);
  EXPECT_EQ(nvrtcCompileProgram(program, 1, &architecture), NVRTC_SUCCESS);
  std::size_t size = 0;
  EXPECT_EQ((binary ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &size), NVRTC_SUCCESS);
  std::string image(size, ' ');
  if (size > 0) {
    EXPECT_EQ((binary ? nvrtcGetCUBIN : nvrtcGetPTX)(program, image.data()), NVRTC_SUCCESS);
  }
  EXPECT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  return image;
}

class Kernels : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cuModuleLoadData(&module_, compile("--gpu-architecture=sm_90", true).c_str()), CUDA_SUCCESS);
  }
  void TearDown() override { ASSERT_EQ(cuModuleUnload(module_), CUDA_SUCCESS); }

  CUfunction function(const char* name) const {
    CUfunction found = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&found, module_, name), CUDA_SUCCESS);
    return found;
  }

  CUmodule module_{};
};

TEST_F(Kernels, RunInTheirStreamWithCopiesOfTheirArguments) {
  const DeviceArray<> values(std::vector<float>{1, 2, 3, 4, 5});
  float* pointer = values.data();
  float factor = 10;
  unsigned long long count = 4;
  void* arguments[] = {&pointer, &factor, &count};
  ASSERT_EQ(cuLaunchKernel(function("stand_in_scale"), 3, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  factor = 0;
  EXPECT_EQ(values.read(), (std::vector<float>{10, 20, 30, 40, 5}));
}

TEST_F(Kernels, RunAllThreadsOfAllBlocks) {
  const DeviceArray<unsigned> places(2 * 3 * 4 * 5 * 6 * 7);
  unsigned* pointer = places.data();
  void* arguments[] = {&pointer};
  ASSERT_EQ(cuLaunchKernel(function("stand_in_places"), 2, 3, 4, 5, 6, 7, 0, nullptr, arguments, nullptr),
            CUDA_SUCCESS);
  std::vector<unsigned> wanted(2 * 3 * 4 * 5 * 6 * 7);
  std::iota(wanted.begin(), wanted.end(), 0U);
  EXPECT_EQ(places.read(), wanted);
}

TEST_F(Kernels, AreRefusedWhereTheDriverWould) {
  CUfunction found = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&found, module_, "mangled"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleGetFunction(&found, module_, "missing"), CUDA_ERROR_NOT_FOUND);
  CUmodule module;
  EXPECT_EQ(cuModuleLoadData(&module, "no image"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(cuModuleLoadData(&module, compile("-arch=sm_80", true).c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuModuleLoadData(&module, compile("-arch=compute_100", false).c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(compile("--gpu-architecture=compute_80", true), "");
  float host = 0, *pointer = &host, factor = 1;
  unsigned long long count = 1;
  void* arguments[] = {&pointer, &factor, &count};
  const CUfunction scale = function("stand_in_scale");
  EXPECT_EQ(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuLaunchKernel(scale, 0, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(scale, 1, 1, 1, 1025, 1, 1, 0, nullptr, arguments, nullptr), CUDA_ERROR_INVALID_VALUE);
  const char* words = nullptr;
  ASSERT_EQ(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &words), CUDA_SUCCESS);
  EXPECT_STREQ(words, "CUDA_ERROR_NOT_FOUND");
}

TEST(Nvrtc, RefusesUnknownOptionsAndSaysWhatIsWrong) {
  nvrtcProgram program;
  ASSERT_EQ(nvrtcCreateProgram(&program, "void f() {", nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  const char* option = "--no-such-option";
  EXPECT_EQ(nvrtcCompileProgram(program, 1, &option), NVRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
  std::size_t size = 0;
  ASSERT_EQ(nvrtcGetProgramLogSize(program, &size), NVRTC_SUCCESS);
  std::string log(size, ' ');
  ASSERT_EQ(nvrtcGetProgramLog(program, log.data()), NVRTC_SUCCESS);
  EXPECT_NE(log.find("braces"), std::string::npos);
  ASSERT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

}  // namespace
