// Devices, versions, and what all calls share.
#include <cstring>

#include "core/memory.h"
#include "core/settings.h"
#include "cudart/call.h"

namespace stand_in {

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

void require_device() {
  require(settings().driver_version >= CUDART_VERSION, cudaErrorInsufficientDriver,
          "the driver is older than the runtime");
  require(settings().devices > 0, cudaErrorNoDevice, "a driver, but no device");
}

namespace {

void spoil_capture(const std::function<bool(const Stream&)>& matters, cudaError_t error) {
  Stream* captured = scheduler().captured(matters);
  if (captured == nullptr) return;
  captured->capture->invalid = true;
  throw Refusal<cudaError_t>{error, "while a stream is captured"};
}

}  // namespace

Stream& stream_of(cudaStream_t handle) {
  Stream* stream = scheduler().find(handle);
  require(stream != nullptr, cudaErrorInvalidResourceHandle, "no such stream");
  if (stream->is_default) {
    spoil_capture([](const Stream& other) { return other.blocking; }, cudaErrorStreamCaptureImplicit);
  }
  return *stream;
}

void require_no_capture() {
  const auto forbids = [](const Stream& stream) {
    const Capture& capture = *stream.capture;
    return capture.mode == CaptureMode::kGlobal ||
           (capture.mode == CaptureMode::kThreadLocal && capture.thread == std::this_thread::get_id());
  };
  spoil_capture(forbids, cudaErrorStreamCaptureUnsupported);
}

namespace {

void require_ordinal(int device) {
  require(device >= 0 && device < settings().devices, cudaErrorInvalidDevice, "no device " + std::to_string(device));
}

constexpr int kBus = 0x10;  // of device 0; the others follow

int attribute(cudaDeviceAttr attribute, int device) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      return 9;
    case cudaDevAttrComputeCapabilityMinor:
      return 0;
    case cudaDevAttrMultiProcessorCount:
      return 132;
    case cudaDevAttrMaxThreadsPerBlock:
      return 1024;
    case cudaDevAttrMaxBlockDimX:
      return 1024;
    case cudaDevAttrMaxGridDimX:
      return 2147483647;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return 49152;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return 2048;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrPciBusId:
      return kBus + device;
    case cudaDevAttrPciDeviceId:
      return 0;
    case cudaDevAttrPciDomainId:
      return 0;
    case cudaDevAttrConcurrentKernels:
      return 1;
    case cudaDevAttrAsyncEngineCount:
      return 3;
    case cudaDevAttrUnifiedAddressing:
      return 1;
    case cudaDevAttrCanMapHostMemory:
      return 1;
    case cudaDevAttrStreamPrioritiesSupported:
      return 1;
    case cudaDevAttrMemoryPoolsSupported:
      return 0;
    case cudaDevAttrPageableMemoryAccess:
      return 0;
    case cudaDevAttrManagedMemory:
      return 0;
    case cudaDevAttrIntegrated:
      return 0;
    case cudaDevAttrEccEnabled:
      return 1;
    case cudaDevAttrComputeMode:
      return cudaComputeModeDefault;
    case cudaDevAttrHostNumaId:
      return -1;
    default:
      throw Refusal<cudaError_t>{cudaErrorNotSupported, "attribute " + std::to_string(attribute)};
  }
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count != nullptr) *count = 0;
  return query(__func__, [&] {
    require(count != nullptr, cudaErrorInvalidValue, "count is null");
    *count = settings().devices;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call(__func__, [&] {
    require_ordinal(device);
    thread_context().device = device;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return query(__func__, [&] {
    require(device != nullptr, cudaErrorInvalidValue, "device is null");
    *device = thread_context().device;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return query(__func__, [&] {
    require(properties != nullptr, cudaErrorInvalidValue, "properties are null");
    require_ordinal(device);
    cudaDeviceProp found{};
    std::strcpy(found.name, "stand-in");
    found.uuid.bytes[15] = static_cast<char>(device + 1);
    found.totalGlobalMem = settings().memory;
    found.sharedMemPerBlock = 49152;
    found.regsPerBlock = 65536;
    found.warpSize = 32;
    found.maxThreadsPerBlock = 1024;
    found.maxThreadsDim[0] = found.maxThreadsDim[1] = 1024;
    found.maxThreadsDim[2] = 64;
    found.maxGridSize[0] = 2147483647;
    found.maxGridSize[1] = found.maxGridSize[2] = 65535;
    found.major = attribute(cudaDevAttrComputeCapabilityMajor, device);
    found.minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
    found.multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount, device);
    found.maxThreadsPerMultiProcessor = 2048;
    found.canMapHostMemory = 1;
    found.concurrentKernels = 1;
    found.ECCEnabled = 1;
    found.pciBusID = kBus + device;
    found.asyncEngineCount = 3;
    found.unifiedAddressing = 1;
    found.memoryBusWidth = 5120;
    found.l2CacheSize = 50 << 20;
    found.streamPrioritiesSupported = 1;
    found.hostNumaId = -1;
    *properties = found;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  return query(__func__, [&] {
    require(value != nullptr, cudaErrorInvalidValue, "value is null");
    require_ordinal(device);
    *value = attribute(which, device);
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return query(__func__, [&] {
    require(text != nullptr, cudaErrorInvalidValue, "text is null");
    require_ordinal(device);
    char bus[16];
    const int written = std::snprintf(bus, sizeof bus, "0000:%02x:00.0", static_cast<unsigned>(kBus + device));
    require(length > written, cudaErrorInvalidValue, "room for " + std::to_string(length) + " characters");
    std::memcpy(text, bus, static_cast<std::size_t>(written) + 1);
  });
}

// The versions are there without a device.
cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return last_error() = cudaErrorInvalidValue;
  *version = settings().driver_version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return last_error() = cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  return call(__func__, [] {
    require_no_capture();
    scheduler().synchronize_all();
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call(__func__, [&] {
    require(free != nullptr && total != nullptr, cudaErrorInvalidValue, "a pointer is null");
    *free = memory().free_bytes(thread_context().device);
    *total = settings().memory;
  });
}

}  // extern "C"
