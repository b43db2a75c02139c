#include "bench/gpu/module.h"

#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>

#include "bench/build_info.h"
#include "bench/cuda/claim_device.h"
#include "bench/cuda/cuda_device.h"
#include "bench/cuda/nccl_allreduce.h"
#include "bench/cuda/network.h"

namespace mgbench::cuda {
namespace {

/// "13.0" of 13000, as CUDA counts.
std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

/// The runtime says "insufficient driver" where there is none at all, too.
std::string driver_obstacle() {
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW); driver == nullptr)
    return "there is no NVIDIA driver (libcuda.so.1 is not found)";
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return "";
  cudaGetLastError();  // forgets it
  if (status == cudaErrorStubLibrary)
    return "libcuda.so.1 is the CUDA Toolkit's stub for linking, not a driver: take its folder out of LD_LIBRARY_PATH";
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    return fmt::format("the NVIDIA driver is for CUDA {}, too old for CUDA {}", cuda_version(driver),
                       cuda_version(runtime));
  }
  if (status == cudaErrorNoDevice || status == cudaSuccess)
    return "there is an NVIDIA driver, but no device that this process sees (CUDA_VISIBLE_DEVICES?)";
  return fmt::format("cudaGetDeviceCount: {}", cudaGetErrorString(status));
}

std::string library() {
  const auto cudnn = cudnnGetVersion();
  int runtime = 0;
  int nccl = 0;
  cudaRuntimeGetVersion(&runtime);
  ncclGetVersion(&nccl);
  return fmt::format("cuDNN {}.{}.{}, CUDA {}, NCCL {}.{}.{}", cudnn / 10000, cudnn / 100 % 100, cudnn % 100,
                     cuda_version(runtime), nccl / 10000, nccl / 100 % 100, nccl % 100);
}

/// Empty where it does not answer.
std::string device_name() {
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  return properties.name;
}

/// Lives until the process ends, since the runtime may end before.
CudaDevice& own_device() {
  static auto* device = new CudaDevice(claimed_device());
  return *device;
}

}  // namespace
}  // namespace mgbench::cuda

extern "C" {

extern const char* const mgbench_gpu_module_version;
const char* const mgbench_gpu_module_version = mgbench::kVersion;

void mgbench_describe_gpu_module(mgbench::GpuModule& module) {
  using namespace mgbench;
  module.obstacle = cuda::driver_obstacle();
  module.library = cuda::library();
  if (module.obstacle.empty()) module.name = cuda::device_name();
  module.devices = cuda::visible_devices;
  module.claim_device = cuda::claim_device;
  module.claimed_device = cuda::claimed_device;
  module.take_device = cuda::take_device;
  module.device = []() -> Device& { return cuda::own_device(); };
  module.network_memory = cuda::CudnnNetwork::memory;
  module.make_network = [](const NetworkRequest& request) -> std::unique_ptr<Network> {
    return std::make_unique<cuda::CudnnNetwork>(cuda::own_device(), request);
  };
  module.nccl_id = cuda::nccl_id;
  module.join_nccl = [](const NcclPlace& place) -> std::unique_ptr<StreamAllreduce> {
    return std::make_unique<cuda::NcclAllreduce>(cuda::own_device(), place);
  };
}

}  // extern "C"
