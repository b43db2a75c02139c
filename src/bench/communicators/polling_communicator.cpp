#include "bench/communicators/polling_communicator.h"

#include <algorithm>

#include "bench/communicators/iallreduce_algorithm.h"
#include "bench/communicators/mpi_chunks.h"
#include "bench/watch/activity.h"

namespace mgbench {

void PollingCommunicator::prepare(std::size_t messages) {
  require(completed_ == submitted_, "prepare() with messages in flight");
  submitted_ = completed_ = 0;
  gradients_.resize(messages);
  times_.assign(messages, {});
}

void PollingCommunicator::start(const Message&, const GradientView& gradients, const Event&) {
  require(gradients.space == MemorySpace::host, "this communicator sends from host memory only");
  require(gradients.type == ElementType::float32, "this communicator does not sum {}", name_of(gradients.type));
  require(submitted_ < times_.size(), "more messages than the {} prepared for", times_.size());
  gradients_[submitted_] = gradients;
  times_[submitted_].ready = clock_.now();
  if (++submitted_ == completed_ + 1) send_piece();
  poll();
}

void PollingCommunicator::poll() {
  while (completed_ < submitted_) {
    int flag = 0;
    check_mpi(MPI_Test(&request_, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    if (flag == 0) return;
    piece_completed();
  }
}

/// Waits awake: this thread has nothing else to do, its core is its own, and each nap would lengthen the iteration.
/// Where ranks share cores, MPI yields in MPI_Wait if told to (mpi_yield_when_idle).
Event PollingCommunicator::join() {
  while (completed_ < submitted_) {
    check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
    piece_completed();
  }
  return {};
}

void PollingCommunicator::send_piece() {
  const GradientView& gradients = gradients_[completed_];
  const std::size_t count = std::min(gradients.count - sent_, kLargestMpiCount);
  if (sent_ == 0) times_[completed_].start = clock_.now();
  select_iallreduce_algorithm(group_.size(), static_cast<Bytes>(gradients.count * sizeof(float)));
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, static_cast<float*>(gradients.data) + sent_, static_cast<int>(count),
                           MPI_FLOAT, MPI_SUM, group_.handle(), &request_),
            "MPI_Iallreduce");
  activity().pass();
  sent_ += count;
}

/// Ends the message, or goes on with it, or with the next one.
void PollingCommunicator::piece_completed() {
  if (sent_ == gradients_[completed_].count) {
    times_[completed_++].end = clock_.now();
    sent_ = 0;
  }
  if (completed_ < submitted_) send_piece();
}

}  // namespace mgbench
