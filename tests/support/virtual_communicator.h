#pragma once

#include <algorithm>
#include <vector>

#include "bench/communicator.h"
#include "support/virtual_clock.h"

namespace mgbench {

/// A channel in virtual time that computation does not feel: one message at a time, each of the cost model's
/// time.
class VirtualCommunicator final : public Communicator {
 public:
  VirtualCommunicator(VirtualClock& clock, const CostModel& cost) : clock_(clock), cost_(cost) {}

  void prepare(std::size_t messages) override {
    spans_.clear();
    spans_.reserve(messages);
  }

  void start(const Message& message, const GradientView&, const Event&) override {
    const Seconds begin = std::max(free_, clock_.now());
    free_ = begin + cost_.time(message.collective, message.arena.size());
    spans_.push_back({.ready = clock_.now(), .start = begin, .end = free_});
  }

  Event join() override {
    clock_.sleep_until(free_);
    return {};
  }

  std::span<const MessageTimes> spans() const override { return spans_; }

 private:
  VirtualClock& clock_;
  const CostModel& cost_;
  Seconds free_ = 0;
  std::vector<MessageTimes> spans_;
};

}  // namespace mgbench
