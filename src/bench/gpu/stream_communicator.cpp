#include "bench/gpu/stream_communicator.h"

namespace mgbench {

void StreamCommunicator::prepare(std::size_t messages) {
  submitted_ = 0;
  points_.assign(messages, {});
  times_.assign(messages, {});
}

void StreamCommunicator::start(const Message&, const GradientView& gradients, const Event& ready) {
  require(gradients.space == MemorySpace::device, "this communicator sends from device memory only");
  require(submitted_ < points_.size(), "more messages than the {} prepared for", points_.size());
  Points& points = points_[submitted_++];
  points.ready = ready;
  points.submitted = clock_.now();
  stream_.wait(ready);
  points.start = stream_.record();
  stream_.enqueue(gradients);
  points.end = stream_.record();
}

Event StreamCommunicator::join() {
  return submitted_ == 0 ? Event{} : points_[submitted_ - 1].end;
}

std::span<const MessageTimes> StreamCommunicator::spans() const {
  for (std::size_t i = 0; i < submitted_; ++i) {
    const Points& points = points_[i];
    times_[i] = {.ready = points.ready.id == 0 ? points.submitted : device_.seconds(points.ready),
                 .start = device_.seconds(points.start),
                 .end = device_.seconds(points.end)};
  }
  return std::span(times_).first(submitted_);
}

}  // namespace mgbench
