#include "bench/communicators/awaiting_carrier.h"

namespace mgbench {

void AwaitingCarrier::prepare(std::size_t messages) {
  ready_.assign(messages, {});
  submitted_ = carried_ = 0;
  then_->prepare(messages);
}

void AwaitingCarrier::submit(const Message& message, const GradientView& gradients, const Event& ready) {
  then_->submit(message, gradients, ready);
  ready_[submitted_++] = ready;
}

void AwaitingCarrier::carry(const GradientView& gradients, MessageTimes& times) {
  device_.synchronize(ready_[carried_++]);
  times.start = clock_.now();
  then_->carry(gradients, times);
}

void AwaitingCarrier::refine(std::size_t message, const MessageTimes& previous, MessageTimes& times) const {
  if (ready_[message].id != 0) times.ready = device_.seconds(ready_[message]);
  then_->refine(message, previous, times);
}

}  // namespace mgbench
