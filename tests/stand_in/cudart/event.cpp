// Events.
#include <set>

#include "cudart/call.h"

/// The runtime's opaque type of an event.
struct CUevent_st {
  bool timing = true;
  std::shared_ptr<stand_in::Record> last{};  // none before the first recording
};

namespace stand_in {

namespace {

std::set<cudaEvent_t>& events() {
  static auto* all = new std::set<cudaEvent_t>;
  return *all;
}

void create(cudaEvent_t* event, unsigned int flags) {
  require(event != nullptr, cudaErrorInvalidValue, "event is null");
  require((flags & ~(cudaEventBlockingSync | cudaEventDisableTiming)) == 0, cudaErrorInvalidValue,
          "flags " + std::to_string(flags) + " (interprocess events are not supported)");
  *event = new CUevent_st{(flags & cudaEventDisableTiming) == 0};
  events().insert(*event);
}

CUevent_st& event_of(cudaEvent_t event) {
  require(events().count(event) == 1, cudaErrorInvalidResourceHandle, "no such event");
  return *event;
}

void require_timed(const CUevent_st& event, const char* which) {
  require(event.timing, cudaErrorInvalidResourceHandle,
          std::string(which) + " was created with cudaEventDisableTiming");
  require(event.last != nullptr, cudaErrorInvalidResourceHandle, std::string(which) + " was never recorded");
  require(!event.last->captured, cudaErrorCapturedEvent, std::string(which) + " is in a captured stream");
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call(__func__, [&] { create(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call(__func__, [&] { create(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call(__func__, [&] {
    events().erase(&event_of(event));
    delete event;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call(__func__, [&] { event_of(event).last = scheduler().record(stream_of(stream)); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return call(__func__, [&] {
    require(flags == cudaEventWaitDefault, cudaErrorInvalidValue, "flags " + std::to_string(flags));
    Stream& waiting = stream_of(stream);
    const auto record = event_of(event).last;
    if (record == nullptr) return;
    if (!record->captured) {
      require(waiting.capture == nullptr, cudaErrorStreamCaptureIsolation, "for what is outside of the capture");
      scheduler().wait(waiting, record);
    } else {
      // Within the one stream the order is there already.
      require(record->stream == &waiting, cudaErrorNotSupported, "a capture of several streams");
    }
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call(__func__, [&] {
    const auto record = event_of(event).last;
    if (record == nullptr) return;
    require(!record->captured, cudaErrorCapturedEvent, "the event is in a captured stream");
    if (!record->executed) scheduler().advance(*record->stream);
    require(record->executed, cudaErrorNotReady, "");
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(__func__, [&] {
    const auto record = event_of(event).last;
    if (record == nullptr) return;
    require(!record->captured, cudaErrorCapturedEvent, "the event is in a captured stream");
    scheduler().synchronize(*record);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call(__func__, [&] {
    require(milliseconds != nullptr, cudaErrorInvalidValue, "ms is null");
    const CUevent_st& first = event_of(start);
    const CUevent_st& second = event_of(end);
    require_timed(first, "start");
    require_timed(second, "end");
    require(first.last->executed && second.last->executed, cudaErrorNotReady, "");
    *milliseconds = std::chrono::duration<float, std::milli>(second.last->time - first.last->time).count();
  });
}

}  // extern "C"
