#pragma once

#include <memory>
#include <thread>

#include "bench/communicator.h"
#include "bench/communicators/carrier.h"

namespace mgbench {

/// Gradients, carried by a helper thread in the order of submission. It sleeps on a condition variable
/// when there is nothing to do (waking takes 2 us: no reason to spin), and calls the carrier only between the
/// first start() and the end of join().
///
/// A failure ends the thread: every later join() rethrows it.
class BackgroundCommunicator final : public Communicator {
 public:
  BackgroundCommunicator(Clock& clock, std::unique_ptr<Carrier> carrier);
  /// With a message in flight (an exception between start() and join()) the job is lost: the thread is left
  /// behind, since its message may never end, so that the exception reaches main and ends all ranks.
  ~BackgroundCommunicator() override;

  void prepare(std::size_t messages) override;
  void start(const Message& message, const GradientView& gradients, const Event& ready) override;
  Event join() override;
  std::span<const MessageTimes> spans() const override;
  bool moves_data() const override;
  std::size_t overruns() const override;

 private:
  struct Queue;
  std::shared_ptr<Queue> queue_;  ///< shared with the helper
  std::thread helper_;
};

}  // namespace mgbench
