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
  require(event.last->capture == nullptr, cudaErrorCapturedEvent, std::string(which) + " is in a captured stream");
}

/// Of calls that wait for an event or ask whether it has been reached.
void require_readable(const Record& record) {
  if (record.capture != nullptr) {
    record.capture->invalid = true;
    throw Refusal<cudaError_t>{cudaErrorCapturedEvent, "the event is in a captured stream"};
  }
  require_no_capture();
}

/// Nothing in a capture depends on what is outside; a captured event draws a stream into its capture.
void require_may_wait(Stream& waiting, const Record& record) {
  const auto refuse = [&](cudaError_t error, const char* reason) {
    for (const auto& capture : {waiting.capture, record.capture}) {
      if (capture != nullptr) capture->invalid = true;
    }
    throw Refusal<cudaError_t>{error, reason};
  };
  if (record.capture == nullptr) {
    if (waiting.capture != nullptr) refuse(cudaErrorStreamCaptureIsolation, "for what is outside of the capture");
    return;
  }
  if (record.capture->ended) refuse(cudaErrorCapturedEvent, "the event is in a capture that has ended");
  if (waiting.is_default) refuse(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
  if (waiting.capture != nullptr && waiting.capture != record.capture)
    refuse(cudaErrorStreamCaptureMerge, "for another capture");
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

// In a captured stream an external record is a node of the graph: each launch records the event.
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned int flags) {
  if (flags == cudaEventRecordDefault) return cudaEventRecord(event, handle);
  return call(__func__, [&] {
    require(flags == cudaEventRecordExternal, cudaErrorInvalidValue, "flags " + std::to_string(flags));
    event_of(event);
    Stream& stream = stream_of(handle);
    require(stream.capture != nullptr, cudaErrorInvalidValue, "an external event outside of a capture");
    scheduler().enqueue(stream, [event, &stream] {
      if (events().count(event) == 0) return;
      event->last = std::make_shared<Record>(Record{&stream});
      event->last->time = std::chrono::steady_clock::now();
      event->last->executed = true;
    });
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return call(__func__, [&] {
    require(flags == cudaEventWaitDefault, cudaErrorInvalidValue, "flags " + std::to_string(flags));
    Stream& waiting = stream_of(stream);
    const auto record = event_of(event).last;
    if (record != nullptr) {
      require_may_wait(waiting, *record);
      scheduler().wait(waiting, record);
    }
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call(__func__, [&] {
    const auto record = event_of(event).last;
    if (record == nullptr) return;
    require_readable(*record);
    if (!record->executed) scheduler().advance(*record->stream);
    require(record->executed, cudaErrorNotReady, "");
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(__func__, [&] {
    const auto record = event_of(event).last;
    if (record == nullptr) return;
    require_readable(*record);
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
