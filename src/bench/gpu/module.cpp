#include "bench/gpu/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "bench/build_info.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "mgbench_cuda.so";

/// Where the module may lie, in order.
std::vector<fs::path> candidates() {
  std::vector<fs::path> result;
  if (const char* folder = std::getenv("MGBENCH_MODULES"); folder != nullptr && *folder != '\0')
    result.push_back(fs::path(folder) / kFile);
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  result.push_back(program / kFile);
  result.push_back(program / kModuleFolder / kFile);
  return result;
}

/// dlopen() names the library that is missing first: "libcudnn.so.9: cannot open shared object file: ...".
std::string loading_obstacle(const std::string& error, const fs::path& file) {
  const std::string missing = error.substr(0, error.find(": cannot open shared object file"));
  if (missing != error && missing.find('/') == std::string::npos)
    return fmt::format(
        "the library {} is not found; put its folder into LD_LIBRARY_PATH, or load the module of the site "
        "that has CUDA, cuDNN and NCCL",
        missing);
  return fmt::format("{} cannot be loaded: {}", file.string(), error);
}

GpuModule load() {
  GpuModule module;
  const auto files = candidates();
  const auto file = std::find_if(files.begin(), files.end(), [](const fs::path& path) { return fs::exists(path); });
  if (file == files.end()) {
    module.obstacle = "this mgbench was built without CUDA (cmake -DMGBENCH_CUDA=ON)";
    return module;
  }
  void* library = dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    module.obstacle = loading_obstacle(dlerror(), *file);
    return module;
  }
  const auto* version = static_cast<const char* const*>(dlsym(library, kGpuModuleVersion));
  if (version == nullptr || std::string(*version) != kVersion) {
    module.obstacle = fmt::format("{} belongs to another version of mgbench ({}, this one is {})", file->string(),
                                  version ? *version : "unknown", kVersion);
    return module;
  }
  reinterpret_cast<DescribeGpuModule*>(dlsym(library, kDescribeGpuModule))(module);
  return module;
}

}  // namespace

const GpuModule& gpu_module() {
  static const GpuModule module = load();
  return module;
}

}  // namespace mgbench
