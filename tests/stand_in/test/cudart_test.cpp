#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "test/device_array.h"

namespace {

TEST(Cudart, DescribesItsDevice) {
  int count = 0, version = 0;
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "stand-in");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.totalGlobalMem, std::size_t{8} << 30);
  ASSERT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, CUDART_VERSION);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice");
}

TEST(Cudart, FillsFreshMemoryWithNaN) {
  for (const float value : DeviceArray<>(1000).read()) ASSERT_TRUE(std::isnan(value));
}

TEST(Cudart, LimitsMemory) {
  std::size_t before = 0, during = 0, after = 0, total = 0;
  void* pointer = nullptr;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, total + 1), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&pointer, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_EQ(before - during, std::size_t{1} << 20);
  ASSERT_EQ(cudaFree(pointer), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
}

TEST(CudartDeathTest, HostCannotTouchTheDevice) {
  const DeviceArray<> array(std::vector<float>{1, 2});
  volatile float* pointer = array.data();
  EXPECT_DEATH({ [[maybe_unused]] const float value = *pointer; }, "");
  float *fresh = nullptr, *freed = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&fresh), 4), cudaSuccess);
  EXPECT_DEATH(*const_cast<volatile float*>(fresh) = 1, "");
  ASSERT_EQ(cudaFree(fresh), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&freed), 4), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  EXPECT_DEATH(*const_cast<volatile float*>(freed) = 1, "");
}

TEST(Cudart, RefusesCopiesFromAndToTheWrongPlace) {
  const DeviceArray<> array(std::vector<float>{1, 2});
  float host[4] = {};
  EXPECT_EQ(cudaMemcpy(array.data(), host, 12, cudaMemcpyHostToDevice), cudaErrorInvalidValue);  // too many
  EXPECT_EQ(cudaMemcpy(host, array.data(), 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, array.data(), 8, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(host, array.data(), 8, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(host[1], 2);
}

TEST(Cudart, CopiesRowsAndFills) {
  const DeviceArray<> array(std::vector<float>{1, 2, 3, 4, 5, 6});
  const std::vector<float> host{7, 8};
  ASSERT_EQ(cudaMemcpy2DAsync(array.data() + 1, 12, host.data(), 4, 4, 2, cudaMemcpyHostToDevice, nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(array.data() + 5, 0, 4, nullptr), cudaSuccess);
  EXPECT_EQ(array.read(), (std::vector<float>{1, 7, 3, 4, 8, 0}));
  EXPECT_EQ(cudaMemcpy2DAsync(array.data(), 4, host.data(), 4, 8, 1, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidPitchValue);
}

TEST(Cudart, TimesEventsInOrder) {
  cudaEvent_t first, second, silent;
  float milliseconds = -1;
  ASSERT_EQ(cudaEventCreate(&first), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&second), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first, second), cudaErrorInvalidResourceHandle);  // not recorded
  EXPECT_EQ(cudaEventQuery(first), cudaSuccess);
  for (const cudaEvent_t event : {first, second, silent}) ASSERT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(second), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, first, second), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first, silent), cudaErrorInvalidResourceHandle);
  for (const cudaEvent_t event : {first, second, silent}) ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(first, nullptr), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Cudart, CallsTheHostWithoutACallOfIt) {
  struct Answer {
    std::atomic<bool> called = false;
    cudaError_t inside = cudaSuccess;
  } answer;
  ASSERT_EQ(cudaLaunchHostFunc(
                nullptr,
                [](void* data) {
                  static_cast<Answer*>(data)->inside = cudaDeviceSynchronize();
                  static_cast<Answer*>(data)->called = true;
                },
                &answer),
            cudaSuccess);
  while (!answer.called) {
  }
  EXPECT_EQ(answer.inside, cudaErrorNotPermitted);
}

}  // namespace
