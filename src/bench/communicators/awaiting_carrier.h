#pragma once

#include <memory>
#include <vector>

#include "bench/clock.h"
#include "bench/communicators/carrier.h"
#include "bench/gpu/device.h"

namespace mgbench {

/// Gradients of a device's memory through a carrier that knows no streams: the helper thread waits until they are
/// complete, and then lets it carry them.
class AwaitingCarrier final : public Carrier {
 public:
  AwaitingCarrier(Device& device, Clock& clock, std::unique_ptr<Carrier> then)
      : device_(device), clock_(clock), then_(std::move(then)) {}

  MemorySpace space() const override { return MemorySpace::device; }
  bool takes(ElementType type) const override { return then_->takes(type); }
  void prepare(std::size_t messages) override;
  void submit(const Message& message, const GradientView& gradients, const Event& ready) override;
  void carry(const GradientView& gradients, MessageTimes& times) override;
  Event carried() const override { return then_->carried(); }
  void refine(std::size_t message, const MessageTimes& previous, MessageTimes& times) const override;
  bool moves_data() const override { return then_->moves_data(); }
  std::size_t overruns() const override { return then_->overruns(); }

 private:
  Device& device_;
  Clock& clock_;
  std::unique_ptr<Carrier> then_;
  std::vector<Event> ready_;
  std::size_t submitted_ = 0;  ///< of the main thread
  std::size_t carried_ = 0;    ///< of the helper
};

}  // namespace mgbench
