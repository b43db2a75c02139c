#include "bench/communicators/staged_carrier.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "bench/communicators/half_precision.h"

namespace mgbench {

StagedCarrier::StagedCarrier(Device& device, Bytes arena, ElementType type, std::unique_ptr<Carrier> sums)
    : device_(device),
      arena_(arena),
      type_(type),
      sums_(std::move(sums)),
      mirror_(device.allocate_host(arena)),
      wide_(type == ElementType::float32 ? 0 : static_cast<std::size_t>(arena / size_of(type))),
      down_(device, true),
      up_(device, true) {}

void StagedCarrier::prepare(std::size_t messages) {
  stages_.assign(messages, {});
  submitted_ = summed_ = 0;
  carried_ = {};
  sums_->prepare(messages);
}

void StagedCarrier::submit(const Message& message, const GradientView& gradients, const Event& ready) {
  const Bytes bytes = static_cast<Bytes>(gradients.count) * size_of(type_);
  require(message.arena.begin + bytes <= arena_, "a message of bytes {} to {} of an arena of {}", message.arena.begin,
          message.arena.begin + bytes, arena_);
  Stage& stage = stages_[submitted_++];
  stage.mirror = static_cast<std::byte*>(mirror_.get()) + message.arena.begin;
  stage.ready = ready;
  device_.wait(down_, ready);
  stage.start = device_.record(down_);
  device_.copy(down_, stage.mirror, gradients.data, bytes);
  stage.copied = device_.record(down_);
}

void StagedCarrier::carry(const GradientView& gradients, MessageTimes& times) {
  Stage& stage = stages_[summed_++];
  device_.synchronize(stage.copied);
  sum(stage.mirror, gradients.count, times);
  device_.copy(up_, gradients.data, stage.mirror, static_cast<Bytes>(gradients.count) * size_of(type_));
  carried_ = stage.end = device_.record(up_);
}

void StagedCarrier::sum(void* mirror, std::size_t count, MessageTimes& times) {
  if (type_ == ElementType::float32) {
    sums_->carry({.data = mirror, .count = count}, times);
    return;
  }
  widen(type_, mirror, count, wide_.data());
  sums_->carry({.data = wide_.data(), .count = count}, times);
  narrow(type_, wide_.data(), count, mirror);
}

void StagedCarrier::refine(std::size_t message, const MessageTimes& previous, MessageTimes& times) const {
  const Stage& stage = stages_[message];
  if (stage.ready.id != 0) times.ready = device_.seconds(stage.ready);
  times.start = std::max(device_.seconds(stage.start), previous.end);
  times.end = device_.seconds(stage.end);
}

}  // namespace mgbench
