#pragma once

#include <memory>
#include <vector>

#include "bench/communicator.h"
#include "bench/gpu/allreduce_stream.h"

namespace mgbench {

/// Gradients of a device's memory, summed on a stream of their own: a message starts when its gradients' event is
/// reached and the message before has ended, without the host. Times are those of the device.
class StreamCommunicator final : public Communicator {
 public:
  StreamCommunicator(Device& device, Clock& clock, std::unique_ptr<StreamAllreduce> allreduce)
      : device_(device), clock_(clock), stream_(device, std::move(allreduce)) {}

  void prepare(std::size_t messages) override;
  void start(const Message& message, const GradientView& gradients, const Event& ready) override;
  /// Does not wait.
  Event join() override;
  std::span<const MessageTimes> spans() const override;

 private:
  struct Points {
    Event ready;
    Seconds submitted = 0;  ///< which `ready` stands for where it is empty
    Event start;
    Event end;
  };

  Device& device_;
  Clock& clock_;
  AllreduceStream stream_;
  std::vector<Points> points_;
  std::size_t submitted_ = 0;
  mutable std::vector<MessageTimes> times_;  ///< as spans() last read them
};

}  // namespace mgbench
