// What the libraries answer where no device can be used. The environment says which trouble it is.
#include <cublas_v2.h>
#include <cuda.h>
#include <cudnn.h>
#include <nccl.h>

#include <cstdlib>
#include <string>

#include "test/device_array.h"

namespace {

bool without_device() {
  return std::getenv("MGBENCH_STAND_IN_DEVICES") != nullptr;
}

TEST(Trouble, EveryLibrarySaysThatThereIsNoDevice) {
  const cudaError_t wanted = without_device() ? cudaErrorNoDevice : cudaErrorInsufficientDriver;
  int count = -1, version = 0;
  void* pointer = nullptr;
  cudnnHandle_t cudnn;
  cublasHandle_t cublas;
  ncclComm_t communicator;
  ncclUniqueId id;
  EXPECT_EQ(cudaGetDeviceCount(&count), wanted);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(cudaGetLastError(), wanted);
  EXPECT_EQ(cudaMalloc(&pointer, 4), wanted);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, without_device() ? 13000 : 12040);
  EXPECT_EQ(cudnnCreate(&cudnn), CUDNN_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasCreate(&cublas), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  EXPECT_EQ(ncclCommInitRank(&communicator, 1, id, 0), ncclUnhandledCudaError);
  if (without_device()) {
    EXPECT_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE);
  }
}

TEST(Trouble, DescriptorsNeedNone) {
  cudnnTensorDescriptor_t descriptor;
  ASSERT_EQ(cudnnCreateTensorDescriptor(&descriptor), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnSetTensor4dDescriptor(descriptor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnDestroyTensorDescriptor(descriptor), CUDNN_STATUS_SUCCESS);
}

TEST(Trouble, WhatIsNotInTheStandInSaysSo) {
  EXPECT_EQ(cudaDeviceReset(), cudaErrorNotSupported);
  EXPECT_EQ(cudnnGetFilterNdDescriptor(nullptr, 0, nullptr, nullptr, nullptr, nullptr), CUDNN_STATUS_NOT_SUPPORTED);
}

}  // namespace
