#include "bench/cuda/cuda_device.h"

#include <algorithm>

#include "bench/clock.h"
#include "bench/cuda/check.h"

namespace mgbench::cuda {
namespace {

constexpr Stream kClockStream{0};
constexpr Seconds kAnchorEvery = 0.5;

Seconds elapsed(cudaEvent_t begin, cudaEvent_t end) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace

CudaDevice::CudaDevice(int index) : index_(index), events_(kEvents), anchor_of_(kEvents) {
  use();
  make_stream(false);  // kClockStream: never busy
  for (cudaEvent_t& event : events_) check(cudaEventCreate(&event), "cudaEventCreate");
  for (Anchor& anchor : anchors_) check(cudaEventCreate(&anchor.event), "cudaEventCreate");
  set_anchor();
}

void CudaDevice::use() const {
  thread_local int current = -1;
  if (current == index_) return;
  check(cudaSetDevice(index_), "cudaSetDevice");
  current = index_;
}

Stream CudaDevice::make_stream(bool urgent) {
  use();
  require(stream_count_ < streams_.size(), "more than {} streams", streams_.size());
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  check(cudaStreamCreateWithPriority(&streams_[stream_count_], cudaStreamNonBlocking, urgent ? greatest : least),
        "cudaStreamCreateWithPriority");
  return {stream_count_++};
}

Event CudaDevice::record(Stream stream) {
  use();
  const std::scoped_lock lock(mutex_);
  if (capturing_ != nullptr) return record_captured(handle(stream));
  const std::size_t slot = recorded_ % kEvents;
  check(cudaEventRecord(events_[slot], handle(stream)), "cudaEventRecord");
  anchor_of_[slot] = anchor_;
  return {++recorded_};
}

std::size_t CudaDevice::slot(const Event& event) const {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t index = event.id - 1;
  require(event.id > 0 && event.id <= recorded_ && index + kEvents >= recorded_, "event {} of {}: not kept any more",
          event.id, recorded_);
  return index % kEvents;
}

void CudaDevice::wait(Stream stream, const Event& event) {
  if (event.id == 0) return;
  use();
  cudaEvent_t awaited = is_captured(event) ? captured(event).order : events_[slot(event)];
  check(cudaStreamWaitEvent(handle(stream), awaited, 0), "cudaStreamWaitEvent");
}

void CudaDevice::synchronize(const Event& event) {
  constexpr int kPolls = 1000;
  if (event.id == 0) return;
  use();
  cudaEvent_t handle = events_[slot(event)];
  for (int polls = 1;; ++polls) {
    const cudaError_t status = cudaEventQuery(handle);
    if (status == cudaSuccess) break;
    if (status != cudaErrorNotReady) check(status, "cudaEventQuery");
    if (polls % kPolls == 0)
      for (const auto& health : health_)
        if (const auto alive = health.lock()) (*alive)();
  }
  const std::scoped_lock lock(mutex_);
  if (steady_clock().now() - anchors_[anchor_ % kAnchors].seconds > kAnchorEvery) set_anchor();
}

/// An anchor lies between two readings of the host's clock; tried again where they are far apart, since the host was
/// disturbed. After the first one time goes on by the device's clock, drawn towards the host's so slowly that no
/// duration is off by more than a ten thousandth, however disturbed the host.
void CudaDevice::set_anchor() {
  constexpr int kTries = 5;
  constexpr Seconds kClose = 30e-6;
  constexpr double kDrawn = 1e-4;
  const Anchor& last = anchors_[anchor_ % kAnchors];
  Anchor& next = anchors_[(anchor_ + 1) % kAnchors];
  for (int i = 0; i < kTries; ++i) {
    const Seconds begin = steady_clock().now();
    check(cudaEventRecord(next.event, handle(kClockStream)), "cudaEventRecord");
    check(cudaEventSynchronize(next.event), "cudaEventSynchronize");
    const Seconds end = steady_clock().now();
    next.seconds = (begin + end) / 2;
    if (end - begin < kClose) break;
  }
  if (anchor_ > 0) {
    const Seconds passed = elapsed(last.event, next.event);
    const Seconds apart = next.seconds - (last.seconds + passed);
    next.seconds = last.seconds + passed + std::clamp(apart, -kDrawn * passed, kDrawn * passed);
  }
  ++anchor_;
}

Seconds CudaDevice::seconds(const Event& event) const {
  use();
  const bool in_graph = is_captured(event);
  const std::size_t place = in_graph ? 0 : slot(event);
  Anchor anchor;
  {
    const std::scoped_lock lock(mutex_);
    anchor = anchors_[(in_graph ? captured(event).anchor : anchor_of_[place]) % kAnchors];
  }
  return anchor.seconds + elapsed(anchor.event, in_graph ? captured(event).time : events_[place]);
}

std::shared_ptr<void> CudaDevice::allocate(Bytes bytes) {
  use();
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
  if (status != cudaSuccess)
    fail(ExitCode::not_measured, "{} of device memory: {}", format_bytes(bytes), cudaGetErrorString(status));
  return {memory, [](void* pointer) { cudaFree(pointer); }};
}

std::shared_ptr<void> CudaDevice::allocate_host(Bytes bytes) {
  use();
  void* memory = nullptr;
  const cudaError_t status = cudaMallocHost(&memory, static_cast<std::size_t>(bytes));
  if (status != cudaSuccess)
    fail(ExitCode::not_measured, "{} of page-locked memory: {}", format_bytes(bytes), cudaGetErrorString(status));
  return {memory, [](void* pointer) { cudaFreeHost(pointer); }};
}

Bytes CudaDevice::free_memory() const {
  use();
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return static_cast<Bytes>(free);
}

void CudaDevice::copy(Stream stream, void* to, const void* from, Bytes bytes) {
  use();
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, handle(stream)),
        "cudaMemcpyAsync");
}

std::shared_ptr<void> CudaDevice::watch(std::function<void()> health) {
  std::erase_if(health_, [](const auto& one) { return one.expired(); });
  const auto kept = std::make_shared<std::function<void()>>(std::move(health));
  health_.push_back(kept);
  return kept;
}

}  // namespace mgbench::cuda
