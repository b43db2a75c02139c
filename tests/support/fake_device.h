#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/communicator.h"
#include "support/fake_network.h"
#include "support/virtual_clock.h"

namespace mgbench {

/// A device in virtual time: calls enqueue on its compute stream and return at once; the host's clock moves
/// only in synchronize(). It knows who reads and writes each step's gradients when, and keeps a list of
/// races.
class FakeDevice final : public FakeNetwork {
 public:
  FakeDevice(Profile profile, VirtualClock& clock) : FakeNetwork(std::move(profile)), clock_(clock) {
    Bytes offset = 0;
    gradients_.resize(outline().steps.size());
    for (std::size_t index = gradients_.size(); index-- > 0;) {
      gradients_[index].range.begin = offset;
      for (const Tensor& tensor : step(index).tensors) offset += tensor.bytes;
      gradients_[index].range.end = offset;
    }
  }

  void forward(std::size_t index) override { enqueue(step(index).forward); }

  void backward(std::size_t index) override {
    StepGradients& gradients = gradients_[index];
    check(stream_ >= gradients.sent, "backward overwrites gradients that are being sent");
    gradients.written = enqueue(step(index).backward);
  }

  void update() override {
    for (const StepGradients& gradients : gradients_)
      check(stream_ >= gradients.sent, "the update reads gradients before their message has ended");
    enqueue(update_time());
  }

  Event record() override { return record_at(stream_); }
  void wait(const Event& event) override { stream_ = std::max(stream_, time_of(event)); }
  Mark mark() override { return {static_cast<std::int64_t>(record().id)}; }
  void synchronize() override { clock_.sleep_until(stream_); }

  Seconds seconds(Mark mark) const override {
    const Seconds time = events_.at(static_cast<std::size_t>(mark.value) - 1);
    require(time <= clock_.now(), "a mark was read before synchronize()");
    return time;
  }

  /// An empty event has always fired.
  Seconds time_of(const Event& event) const { return event.id == 0 ? 0 : events_.at(event.id - 1); }
  Event record_at(Seconds time) {
    events_.push_back(time);
    return {events_.size()};
  }

  /// Another stream sums `range` in place from `start` to `end`.
  void reduce(ByteRange range, Seconds start, Seconds end) {
    for (StepGradients& gradients : gradients_) {
      if (gradients.range.begin >= range.end || range.begin >= gradients.range.end) continue;
      check(start >= gradients.written, "a message starts before its gradients are complete");
      gradients.sent = end;
    }
  }

  const std::vector<std::string>& races() const { return races_; }

 private:
  struct StepGradients {
    ByteRange range;
    Seconds written = 0;
    Seconds sent = 0;
  };

  Seconds enqueue(Seconds duration) { return stream_ = std::max(stream_, clock_.now()) + duration; }
  void check(bool ordered, const char* race) {
    if (!ordered) races_.emplace_back(race);
  }

  VirtualClock& clock_;
  Seconds stream_ = 0;  ///< when all that was enqueued has ended
  std::vector<Seconds> events_;
  std::vector<StepGradients> gradients_;
  std::vector<std::string> races_;
};

/// Messages on a stream of their own, each after its event.
class FakeDeviceCommunicator final : public Communicator {
 public:
  FakeDeviceCommunicator(FakeDevice& device, const VirtualClock& clock, const CostModel& cost)
      : device_(device), clock_(clock), cost_(cost) {}

  void prepare(std::size_t messages) override {
    spans_.clear();
    spans_.reserve(messages);
  }

  void start(const Message& message, const GradientView&, const Event& event) override {
    const Seconds ready = std::max(clock_.now(), device_.time_of(event));
    const Seconds begin = std::max(stream_, ready);
    stream_ = begin + cost_.time(message.collective, message.arena.size());
    device_.reduce(message.arena, begin, stream_);
    spans_.push_back({.ready = ready, .start = begin, .end = stream_});
  }

  Event join() override { return device_.record_at(stream_); }
  std::span<const MessageTimes> spans() const override { return spans_; }

 private:
  FakeDevice& device_;
  const VirtualClock& clock_;
  const CostModel& cost_;
  Seconds stream_ = 0;
  std::vector<MessageTimes> spans_;
};

}  // namespace mgbench
