#include "bench/activity.h"
#include "bench/communicators/background_communicator.h"
#include "bench/mpi_chunks.h"
#include "bench/mpi_session.h"

namespace mgbench {
namespace {

/// MPI_Allreduce. Most MPIs spin in it, on the computation's core if the ranks fill the cores.
class BlockingCarrier final : public Carrier {
 public:
  /// Collective: duplicates the group's communicator, so that control and data never mix.
  explicit BlockingCarrier(const ProcessGroup& group) : group_(group.handle()) {}

  void carry(const GradientView& gradients, MessageTimes&) override {
    for_each_chunk(gradients.count, [&](std::size_t offset, int count) {
      activity().pass();
      check_mpi(MPI_Allreduce(MPI_IN_PLACE, static_cast<float*>(gradients.data) + offset, count, MPI_FLOAT, MPI_SUM,
                              group_.handle()),
                "MPI_Allreduce");
    });
  }

 private:
  ProcessGroup group_;
};

}  // namespace

namespace communicators_entries {

CommunicatorEntry mpi_thread() {
  return {.name = "mpi-thread",
          .summary = "blocking MPI_Allreduce in a helper thread",
          .explanation =
              "An end is noticed at once. Costs a core as long as a message lasts, since most libraries spin. Best "
              "where a rank has a core to spare.",
          .unavailable = helper_thread_obstacle,
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_helper_thread();
            return std::make_unique<BackgroundCommunicator>(*request.clock,
                                                            std::make_unique<BlockingCarrier>(*request.group));
          }};
}

}  // namespace communicators_entries
}  // namespace mgbench
