#include <algorithm>
#include <array>
#include <utility>

#include "bench/communicators/awaiting_carrier.h"
#include "bench/communicators/background_communicator.h"
#include "bench/communicators/iallreduce_algorithm.h"
#include "bench/communicators/nonblocking_carrier.h"
#include "bench/communicators/staged_carrier.h"
#include "bench/communicators/wait_asleep.h"
#include "bench/mpi/mpi_session.h"
#include "bench/watch/activity.h"

namespace mgbench {
namespace {

/// Gives each message the time of another interconnect: it starts once all ranks have submitted it, and lasts
/// T(bytes).
///
/// Each rank times the start on its own clock, where it notices that the others are there: clocks of
/// different hosts are not compared. By default no data moves: summing 100 MB in the background would disturb
/// the computation by 10 % and more.
class EmulatedCarrier final : public Carrier {
 public:
  /// Collective. `sums` may be null: no data moves.
  EmulatedCarrier(const ProcessGroup& group, Clock& clock, CostModel cost, std::unique_ptr<Carrier> sums)
      : group_(group.handle()), clock_(clock), cost_(std::move(cost)), sums_(std::move(sums)) {}

  bool takes(ElementType type) const override { return !sums_ || sums_->takes(type); }

  void prepare(std::size_t messages) override {
    overruns_ = 0;
    if (sums_) sums_->prepare(messages);
  }

  void submit(const Message& message, const GradientView& gradients, const Event& ready) override {
    if (sums_) sums_->submit(message, gradients, ready);
  }

  void carry(const GradientView& gradients, MessageTimes& times) override {
    const auto bytes = static_cast<Bytes>(gradients.count) * size_of(gradients.type);
    agree_on_start(bytes);
    times.start = clock_.now();
    const Seconds duration = cost_.time(Collective::allreduce, bytes);
    if (sums_) sums_->carry(gradients, times);
    end_at(times.start + duration);
    if (clock_.now() > times.start + duration + tolerance(duration)) ++overruns_;
  }

  Event carried() const override { return sums_ ? sums_->carried() : Event{}; }
  bool moves_data() const override { return sums_ != nullptr; }
  std::size_t overruns() const override { return overruns_; }

 private:
  /// Awakenings are 10 to 70 us late, one in a hundred up to 200 us; when the scheduler misses one it takes a
  /// tick of some milliseconds. Later than 200 us and 2 % is no noise.
  static Seconds tolerance(Seconds duration) { return std::max(200e-6, 0.02 * duration); }

  /// Awakenings are late, mostly by the same some tens of microseconds: it goes to sleep until that much earlier, and
  /// spins for what is left. The lead follows the lateness that three in four awakenings keep within.
  void end_at(Seconds deadline) {
    constexpr Seconds kStep = 2e-6;
    constexpr Seconds kLongestLead = 150e-6;  // a core that idled for milliseconds takes 100 us to wake
    constexpr double kWithin = 0.75;
    const Seconds wanted = deadline - lead_;
    if (clock_.now() < wanted) {
      clock_.sleep_until(wanted);
      const bool later = clock_.now() - wanted > lead_;
      lead_ = std::clamp(lead_ + (later ? kWithin : kWithin - 1) * kStep, 0.0, kLongestLead);
    }
    while (clock_.now() < deadline) {
    }
  }

  /// A small non-blocking maximum: complete when every rank has come, and it tells whether all sent the same
  /// message.
  void agree_on_start(Bytes bytes) {
    std::array<Bytes, 2> extremes{bytes, -bytes};
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT64_T, MPI_MAX, group_.handle(), &request),
              "MPI_Iallreduce");
    activity().pass();
    wait_asleep(request, clock_);
    if (extremes[0] != -extremes[1])
      fail(ExitCode::not_measured, "ranks submitted different messages: {} to {} bytes", -extremes[1], extremes[0]);
  }

  ProcessGroup group_;
  Clock& clock_;
  CostModel cost_;
  std::unique_ptr<Carrier> sums_;
  Seconds lead_ = 0;
  std::size_t overruns_ = 0;
};

std::unique_ptr<Carrier> summing(const CommunicatorRequest& request) {
  auto carrier = std::make_unique<NonblockingCarrier>(*request.group, *request.clock);
  if (request.device == nullptr) return carrier;
  return std::make_unique<StagedCarrier>(*request.device, request.arena, request.type, std::move(carrier));
}

}  // namespace

namespace communicators_entries {

CommunicatorEntry emulated() {
  return {.name = "emulated",
          .summary = "gives each message the time of another interconnect (--interconnect FILE --as-ranks P)",
          .explanation =
              "A message starts once all ranks have submitted it, and lasts T(bytes) of the interconnect. Nothing is "
              "sent, unless --move-data is given. For seeing what a strategy does on an interconnect that one does not "
              "have.",
          .unavailable = [] { return std::string(); },
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require(request.emulated_cost != nullptr,
                    "the communicator 'emulated' needs an interconnect to emulate: --interconnect FILE --as-ranks P");
            require_helper_thread();
            auto carrier = std::make_unique<EmulatedCarrier>(*request.group, *request.clock, *request.emulated_cost,
                                                             request.emulated_moves_data ? summing(request) : nullptr);
            if (request.device == nullptr)
              return std::make_unique<BackgroundCommunicator>(*request.clock, std::move(carrier));
            return std::make_unique<BackgroundCommunicator>(
                *request.clock, std::make_unique<AwaitingCarrier>(*request.device, *request.clock, std::move(carrier)));
          },
          .emulates = true,
          .device = true,
          .halves = true};
}

}  // namespace communicators_entries
}  // namespace mgbench
