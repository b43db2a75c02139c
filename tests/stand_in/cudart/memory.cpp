// Allocations, copies and fills.
#include "core/memory.h"

#include <cstring>

#include "cudart/call.h"

namespace stand_in {

namespace {

enum class Place { kHost, kDevice };

/// Refuses a range that the named side of a copy cannot have.
void require_place(const void* pointer, std::size_t bytes, Place place, const char* name) {
  const std::string range = std::string(name) + " and the " + std::to_string(bytes) + " bytes from it";
  if (place == Place::kHost) {
    require(memory().is_host(pointer), cudaErrorInvalidValue, range + " are not in host memory");
  } else {
    require(memory().on_device(pointer, bytes), cudaErrorInvalidValue,
            range + " are not in one allocation of the device");
  }
}

void require_places(const void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes,
                    cudaMemcpyKind kind) {
  const auto place = [](const void* pointer) { return memory().is_host(pointer) ? Place::kHost : Place::kDevice; };
  Place source = place(from);
  Place target = place(to);
  switch (kind) {
    case cudaMemcpyHostToHost:
      source = target = Place::kHost;
      break;
    case cudaMemcpyHostToDevice:
      source = Place::kHost, target = Place::kDevice;
      break;
    case cudaMemcpyDeviceToHost:
      source = Place::kDevice, target = Place::kHost;
      break;
    case cudaMemcpyDeviceToDevice:
      source = target = Place::kDevice;
      break;
    case cudaMemcpyDefault:
      break;
    default:
      throw Refusal<cudaError_t>{cudaErrorInvalidMemcpyDirection, "kind " + std::to_string(kind)};
  }
  require_place(to, to_bytes, target, "dst");
  require_place(from, from_bytes, source, "src");
}

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Stream& stream) {
  if (bytes == 0) return;
  require_places(to, bytes, from, bytes, kind);
  scheduler().enqueue(stream, [=] { std::memmove(to, from, bytes); });
}

void fill(void* pointer, int value, std::size_t bytes, Stream& stream) {
  if (bytes == 0) return;
  require(memory().reachable_by_device(pointer, bytes), cudaErrorInvalidValue, "not memory of the device");
  scheduler().enqueue(stream, [=] { std::memset(pointer, value, bytes); });
}

void allocate_pinned(void** pointer, std::size_t bytes) {
  require_no_capture();
  require(pointer != nullptr, cudaErrorInvalidValue, "ptr is null");
  *pointer = nullptr;
  if (bytes == 0) return;
  *pointer = memory().allocate_pinned(bytes);
  require(*pointer != nullptr, cudaErrorMemoryAllocation, std::to_string(bytes) + " bytes");
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return call(__func__, [&] {
    require_no_capture();
    require(pointer != nullptr, cudaErrorInvalidValue, "devPtr is null");
    *pointer = nullptr;
    if (bytes == 0) return;
    *pointer = memory().allocate(thread_context().device, bytes);
    require(*pointer != nullptr, cudaErrorMemoryAllocation,
            std::to_string(bytes) + " bytes of " + std::to_string(memory().free_bytes(thread_context().device)));
  });
}

cudaError_t cudaFree(void* pointer) {
  return call(__func__, [&] {
    require_no_capture();
    scheduler().synchronize_all();
    require(pointer == nullptr || memory().release(pointer), cudaErrorInvalidValue, "nothing was allocated there");
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return call(__func__, [&] { allocate_pinned(pointer, bytes); });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  return call(__func__, [&] {
    require((flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)) == 0,
            cudaErrorInvalidValue, "flags " + std::to_string(flags));
    allocate_pinned(pointer, bytes);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call(__func__, [&] {
    require_no_capture();
    scheduler().synchronize_all();
    require(pointer == nullptr || memory().release_pinned(pointer), cudaErrorInvalidValue,
            "nothing was allocated there");
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call(__func__, [&] {
    require_no_capture();
    Stream& stream = stream_of(nullptr);
    copy(to, from, bytes, kind, stream);
    scheduler().synchronize(stream);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] { copy(to, from, bytes, kind, stream_of(stream)); });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t handle) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    require(width <= to_pitch && width <= from_pitch, cudaErrorInvalidPitchValue, "a row is longer than a pitch");
    if (width == 0 || height == 0) return;
    require_places(to, (height - 1) * to_pitch + width, from, (height - 1) * from_pitch + width, kind);
    scheduler().enqueue(stream, [=] {
      for (std::size_t row = 0; row < height; ++row) {
        std::memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
      }
    });
  });
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return call(__func__, [&] { fill(pointer, value, bytes, stream_of(nullptr)); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return call(__func__, [&] { fill(pointer, value, bytes, stream_of(stream)); });
}

}  // extern "C"
