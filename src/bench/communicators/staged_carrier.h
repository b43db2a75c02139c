#pragma once

#include <memory>
#include <vector>

#include "bench/communicators/carrier.h"
#include "bench/gpu/own_stream.h"

namespace mgbench {

/// Gradients of a device's memory through a mirror of their arena in memory of the host, by a carrier of the host's.
/// A message is copied down once it is complete, and up once it is summed, each on a stream of its own: beside
/// computation, and beside the messages before and after it. Halves are summed as float32, to which the helper thread
/// converts them, and back.
class StagedCarrier final : public Carrier {
 public:
  /// `arena`: where the last message's gradients end. Of messages with elements of `type` only.
  StagedCarrier(Device& device, Bytes arena, ElementType type, std::unique_ptr<Carrier> sums);

  MemorySpace space() const override { return MemorySpace::device; }
  bool takes(ElementType type) const override { return type == type_; }
  void prepare(std::size_t messages) override;
  void submit(const Message& message, const GradientView& gradients, const Event& ready) override;
  /// Does not wait for the copy up.
  void carry(const GradientView& gradients, MessageTimes& times) override;
  Event carried() const override { return carried_; }
  /// A message starts with its copy down, or when the one before has ended: that copies overlap is not the channel's
  /// time. It ends with its copy up.
  void refine(std::size_t message, const MessageTimes& previous, MessageTimes& times) const override;

 private:
  /// One message on its way.
  struct Stage {
    std::byte* mirror = nullptr;
    Event ready;
    Event start;   ///< of the copy down
    Event copied;  ///< down
    Event end;     ///< of the copy up
  };

  void sum(void* mirror, std::size_t count, MessageTimes& times);

  Device& device_;
  const Bytes arena_;
  const ElementType type_;
  std::unique_ptr<Carrier> sums_;
  std::shared_ptr<void> mirror_;
  std::vector<float> wide_;  ///< a message of halves, as float32
  OwnStream down_;
  OwnStream up_;
  std::vector<Stage> stages_;
  std::size_t submitted_ = 0;  ///< of the main thread
  std::size_t summed_ = 0;     ///< of the helper
  Event carried_;
};

}  // namespace mgbench
