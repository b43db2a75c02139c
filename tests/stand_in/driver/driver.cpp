// The driver's interface, as far as running kernels takes it.
#include <cuda.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/context.h"
#include "core/refusal.h"
#include "core/scheduler.h"
#include "core/settings.h"
#include "driver/image.h"
#include "driver/kernels.h"

struct CUfunc_st {
  const stand_in::Kernel* kernel;
};

struct CUmod_st {
  stand_in::Image image;
  std::vector<std::unique_ptr<CUfunc_st>> functions{};
};

namespace stand_in {

namespace {

constexpr int kArchitecture = 90;
constexpr unsigned kMostThreads = 1024;

bool initialized = false;

std::set<CUmodule>& modules() {
  static auto* all = new std::set<CUmodule>;
  return *all;
}

template <class Body>
CUresult call(const char* function, Body body) {
  return answer<CUresult>(function, [&] {
    require(initialized || thread_context().current, CUDA_ERROR_NOT_INITIALIZED, "before cuInit");
    require(thread_context().current, CUDA_ERROR_INVALID_CONTEXT, "the thread has no context");
    body();
  });
}

CUmod_st& module_of(CUmodule module) {
  require(modules().count(module) == 1, CUDA_ERROR_INVALID_HANDLE, "no such module");
  return *module;
}

bool known(CUfunction function) {
  return std::any_of(modules().begin(), modules().end(), [&](CUmodule module) {
    return std::any_of(module->functions.begin(), module->functions.end(),
                       [&](const auto& own) { return own.get() == function; });
  });
}

struct Words {
  CUresult result;
  const char* name;
  const char* text;
};

constexpr Words kWords[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "the driver was not initialized"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no device"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "invalid image of a kernel"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no image of a kernel for this device"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "nothing of that name"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "illegal address"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "not supported"},
};

CUresult words(CUresult result, const char** place, const char* Words::*which) {
  if (place == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto* found =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const Words& entry) { return entry.result == result; });
  *place = found == std::end(kWords) ? nullptr : found->*which;
  return *place == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

CUresult cuInit(unsigned int flags) {
  return answer<CUresult>(__func__, [&] {
    require(flags == 0, CUDA_ERROR_INVALID_VALUE, "flags " + std::to_string(flags));
    require(settings().devices > 0, CUDA_ERROR_NO_DEVICE, "a driver, but no device");
    initialized = true;
  });
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = settings().driver_version;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return answer<CUresult>(__func__, [&] {
    require(initialized || thread_context().current, CUDA_ERROR_NOT_INITIALIZED, "before cuInit");
    require(count != nullptr, CUDA_ERROR_INVALID_VALUE, "count is null");
    *count = settings().devices;
  });
}

CUresult cuGetErrorName(CUresult result, const char** name) {
  return words(result, name, &Words::name);
}

CUresult cuGetErrorString(CUresult result, const char** text) {
  return words(result, text, &Words::text);
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return call(__func__, [&] {
    require(module != nullptr && image != nullptr, CUDA_ERROR_INVALID_VALUE, "a pointer is null");
    const auto found = read(static_cast<const char*>(image));
    require(found.has_value(), CUDA_ERROR_INVALID_IMAGE, "not an image that the stand-in of NVRTC made");
    const int wanted = found->architecture;
    require(found->binary ? wanted / 10 == kArchitecture / 10 && wanted <= kArchitecture : wanted <= kArchitecture,
            CUDA_ERROR_NO_BINARY_FOR_GPU,
            "an image for " + std::to_string(wanted) + " on a device of " + std::to_string(kArchitecture));
    *module = new CUmod_st{*found};
    modules().insert(*module);
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  return call(__func__, [&] {
    require(function != nullptr && name != nullptr, CUDA_ERROR_INVALID_VALUE, "a pointer is null");
    CUmod_st& module = module_of(handle);
    const auto& kernels = module.image.kernels;
    require(std::find(kernels.begin(), kernels.end(), name) != kernels.end(), CUDA_ERROR_NOT_FOUND,
            std::string("no kernel ") + name + " in the module");
    const Kernel* kernel = find_kernel(name);
    require(kernel != nullptr, CUDA_ERROR_NOT_FOUND, std::string("no kernel ") + name + " in the stand-in");
    module.functions.push_back(std::make_unique<CUfunc_st>(CUfunc_st{kernel}));
    *function = module.functions.back().get();
  });
}

CUresult cuModuleUnload(CUmodule module) {
  return call(__func__, [&] {
    modules().erase(&module_of(module));
    delete module;
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream handle, void** arguments, void** extra) {
  return call(__func__, [&] {
    require(known(function), CUDA_ERROR_INVALID_HANDLE, "no such function");
    Stream* stream = scheduler().find(handle);
    require(stream != nullptr, CUDA_ERROR_INVALID_HANDLE, "no such stream");
    require(grid_x > 0 && grid_y > 0 && grid_z > 0 && block_x > 0 && block_y > 0 && block_z > 0,
            CUDA_ERROR_INVALID_VALUE, "a grid or block of nothing");
    require(grid_x <= 2147483647U && grid_y <= 65535 && grid_z <= 65535, CUDA_ERROR_INVALID_VALUE, "too many blocks");
    require(block_x <= kMostThreads && block_y <= kMostThreads && block_z <= 64 &&
                std::uint64_t{block_x} * block_y * block_z <= kMostThreads,
            CUDA_ERROR_INVALID_VALUE, "too many threads in a block");
    require(shared == 0 && extra == nullptr, CUDA_ERROR_NOT_SUPPORTED, "shared memory or extra arguments");
    require(arguments != nullptr, CUDA_ERROR_INVALID_VALUE, "kernelParams is null");
    const BoundKernel bound = function->kernel->bind(arguments);
    require(static_cast<bool>(bound), CUDA_ERROR_ILLEGAL_ADDRESS,
            std::string("an argument of ") + function->kernel->name + " does not point to memory of the device");
    scheduler().enqueue(*stream, [=] { bound({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}); });
  });
}

}  // extern "C"
