#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/gpu/choose_device.h"
#include "bench/gpu/device.h"
#include "bench/gpu/stream_allreduce.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// What runs on NVIDIA's GPUs: a library of its own, loaded when it is asked for, so that one program starts on
/// machines without CUDA's libraries, too.
struct GpuModule {
  /// Why no GPU can be used here, each case told apart: built without CUDA, a missing library, no driver, one that is
  /// too old, no device. Empty when one can; only then may the other members be used.
  std::string obstacle;
  std::string library;  ///< "cuDNN 9.19.0, CUDA 13.0"; empty where the module is not loaded
  std::string name;     ///< of the first device, "NVIDIA H200"

  std::function<int()> devices;  ///< that this process sees
  /// Gives each rank of a host a device of its own, near its processors; a later call returns the same. Collective.
  /// Throws Error(bad_input) where two ranks would share one.
  std::function<RankDevice(ProcessGroup&)> claim_device;
  /// The index of this process's; of the first one where none has been claimed.
  std::function<int()> claimed_device;
  /// For a process that is told which; before it uses one.
  std::function<void(int)> take_device;
  /// This process's; the first one where none has been claimed.
  std::function<Device&()> device;
  std::function<Bytes(const NetworkRequest&)> network_memory;
  std::function<std::unique_ptr<Network>(const NetworkRequest&)> make_network;
  /// Of a communicator to be; see NcclPlace.
  std::function<std::string()> nccl_id;
  /// Collective over the communicator's ranks.
  std::function<std::unique_ptr<StreamAllreduce>(const NcclPlace&)> join_nccl;
};

/// Looked for beside the program, where the installation puts it, and in the folder MGBENCH_MODULES; loaded once.
const GpuModule& gpu_module();

/// What the module's library exports: a function that fills in all members, and the version (a const char*) of the
/// program that it was built with.
using DescribeGpuModule = void(GpuModule&);
inline constexpr const char* kDescribeGpuModule = "mgbench_describe_gpu_module";
inline constexpr const char* kGpuModuleVersion = "mgbench_gpu_module_version";

}  // namespace mgbench
