#pragma once

#include <mpi.h>

#include <vector>

#include "bench/communicator.h"

namespace mgbench {

/// Host gradients by MPI_Iallreduce, driven by the computing thread itself: in start(), in poll() between steps, and to
/// the end in join(). No helper thread competes for the core; a message moves on only as often as it is polled.
class PollingCommunicator final : public Communicator {
 public:
  /// Collective: duplicates the group's communicator, so that control and data never mix.
  PollingCommunicator(const ProcessGroup& group, Clock& clock) : group_(group.handle()), clock_(clock) {}

  void prepare(std::size_t messages) override;
  void start(const Message& message, const GradientView& gradients, const Event& ready) override;
  void poll() override;
  Event join() override;
  std::span<const MessageTimes> spans() const override { return std::span(times_).first(completed_); }

 private:
  void send_piece();
  void piece_completed();

  ProcessGroup group_;
  Clock& clock_;
  std::vector<GradientView> gradients_;
  std::vector<MessageTimes> times_;
  // Messages [0, submitted) are known, [0, completed) have ended; `request_` is a piece of message `completed`.
  std::size_t submitted_ = 0;
  std::size_t completed_ = 0;
  std::size_t sent_ = 0;  ///< elements of that message in pieces that were sent
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace mgbench
