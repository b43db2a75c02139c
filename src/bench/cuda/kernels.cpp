#include "bench/cuda/kernels.h"

#include <dlfcn.h>
#include <nvrtc.h>

#include <array>
#include <string>
#include <vector>

#include "bench/cuda/check.h"
#include "bench/cuda/kernels_source.h"

namespace mgbench::cuda {
namespace {

constexpr unsigned kThreads = 256;

void check(nvrtcResult result, const char* call) {
  if (result != NVRTC_SUCCESS) fail(ExitCode::not_measured, "{}: {}", call, nvrtcGetErrorString(result));
}

/// Functions of the driver, which the runtime has loaded: linking against it would keep the module from loading where
/// there is none, and the reason would not be told.
template <typename Function>
Function driver_function(const char* name) {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  void* symbol = driver ? dlsym(driver, name) : nullptr;
  if (symbol == nullptr) fail(ExitCode::not_measured, "libcuda.so.1 has no '{}'", name);
  return reinterpret_cast<Function>(symbol);
}

void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS)
    fail(ExitCode::not_measured, "{}: error {} of the driver", call, static_cast<int>(result));
}

/// Machine code for the current device.
std::vector<char> compile() {
  int device = 0;
  int major = 0;
  int minor = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice");
  cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cudaDeviceGetAttribute");
  cuda::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "cudaDeviceGetAttribute");

  nvrtcProgram program = nullptr;
  const std::string source(kKernelsSource);
  check(nvrtcCreateProgram(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
  const std::string architecture = fmt::format("--gpu-architecture=sm_{}{}", major, minor);
  const std::array options{architecture.c_str()};
  const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    nvrtcGetProgramLog(program, log.data());
    fail(ExitCode::not_measured, "kernels.cu does not compile for {}: {}", architecture, log);
  }
  std::size_t size = 0;
  check(nvrtcGetCUBINSize(program, &size), "nvrtcGetCUBINSize");
  std::vector<char> code(size);
  check(nvrtcGetCUBIN(program, code.data()), "nvrtcGetCUBIN");
  check(nvrtcDestroyProgram(&program), "nvrtcDestroyProgram");
  return code;
}

}  // namespace

Kernels::Kernels() : launch_kernel_(driver_function<decltype(&cuLaunchKernel)>("cuLaunchKernel")) {
  cuda::check(cudaFree(nullptr), "cudaFree");  // the driver's calls need the context that the runtime makes
  const std::vector<char> code = compile();
  check(driver_function<decltype(&cuModuleLoadData)>("cuModuleLoadData")(&module_, code.data()), "cuModuleLoadData");
  to_float16_ = function("cast_float32_to_float16");
  from_float16_ = function("cast_float16_to_float32");
  to_bfloat16_ = function("cast_float32_to_bfloat16");
  from_bfloat16_ = function("cast_bfloat16_to_float32");
  dropout_float32_ = function("dropout_float32");
  dropout_float16_ = function("dropout_float16");
  dropout_bfloat16_ = function("dropout_bfloat16");
  advance_ = function("advance");
}

CUfunction Kernels::function(const char* name) const {
  CUfunction result = nullptr;
  check(driver_function<decltype(&cuModuleGetFunction)>("cuModuleGetFunction")(&result, module_, name), name);
  return result;
}

void Kernels::launch(cudaStream_t stream, CUfunction kernel, std::size_t count, void** arguments) const {
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  check(launch_kernel_(kernel, blocks, 1, 1, kThreads, 1, 1, 0, stream, arguments, nullptr), "cuLaunchKernel");
}

void Kernels::cast(cudaStream_t stream, ElementType from_type, const void* from, ElementType to_type, void* to,
                   std::size_t count) const {
  const bool widens = to_type == ElementType::float32;
  require(widens != (from_type == ElementType::float32), "a cast from a type to itself");
  const bool half = (widens ? from_type : to_type) == ElementType::float16;
  CUfunction kernel = widens ? (half ? from_float16_ : from_bfloat16_) : (half ? to_float16_ : to_bfloat16_);
  unsigned long long elements = count;
  std::array<void*, 3> arguments{&from, &to, &elements};
  launch(stream, kernel, count, arguments.data());
}

void Kernels::dropout(cudaStream_t stream, ElementType type, const void* from, void* to, bool accumulate,
                      std::size_t count, const Dropout& dropout) const {
  CUfunction kernel = type == ElementType::float32   ? dropout_float32_
                      : type == ElementType::float16 ? dropout_float16_
                                                     : dropout_bfloat16_;
  int adds = accumulate ? 1 : 0;
  int channels_last = dropout.layout == Layout::channels_last ? 1 : 0;
  unsigned long long elements = count, channels = dropout.channels, pixels = dropout.pixels, base = dropout.base,
                     threshold = dropout.threshold;
  const std::uint64_t* iteration = dropout.iteration;
  float scale = dropout.scale;
  std::array<void*, 11> arguments{&from,          &to,   &adds,      &elements,  &channels, &pixels,
                                  &channels_last, &base, &iteration, &threshold, &scale};
  launch(stream, kernel, count, arguments.data());
}

void Kernels::advance(cudaStream_t stream, std::uint64_t* number) const {
  std::array<void*, 1> arguments{&number};
  launch(stream, advance_, 1, arguments.data());
}

}  // namespace mgbench::cuda
