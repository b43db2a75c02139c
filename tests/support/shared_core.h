#pragma once

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "bench/communicator.h"
#include "support/fake_network.h"
#include "support/virtual_clock.h"

namespace mgbench {

/// One core that computes while one message is in flight, in virtual time: from event to event, both advance
/// at the rates that an Overlap gives them. Written from the words about predict(), without its formulas.
class SharedCore {
 public:
  SharedCore(VirtualClock& clock, const Overlap& overlap) : clock_(clock), overlap_(overlap) {}

  /// An iteration begins that has this much to compute before it is joined.
  void expect(Seconds computation) { computation_left_ = computation; }

  void compute(Seconds work) {
    task_ += work;
    while (task_ > 0) advance();
  }

  void send(std::size_t message, Seconds duration) {
    messages_.push_back({.index = message, .left = duration});
    if (messages_.size() == 1) begin_message();
  }

  void drain() {
    while (!messages_.empty()) advance();
  }

  VirtualClock& clock() { return clock_; }
  std::vector<MessageTimes>& spans() { return spans_; }

 private:
  struct InFlight {
    std::size_t index = 0;
    Seconds left = 0;       ///< of its undisturbed time
    Seconds cpu = 0;        ///< left of what it takes from computation first
    Seconds unnoticed = 0;  ///< left of the time for which its end is not seen, while computation runs
  };

  /// To the end of the task or of the message, whichever is first.
  void advance() {
    const bool transfers = !messages_.empty() && messages_.front().left > 0;
    const double compute_rate = transfers ? 1 - overlap_.core_share : 1;
    const double message_rate = computation_left_ > 0 ? 1 / overlap_.stretch : 1;
    Seconds step = std::numeric_limits<Seconds>::infinity();
    if (task_ > 0 && compute_rate > 0) step = task_ / compute_rate;
    if (transfers) step = std::min(step, messages_.front().left / message_rate);
    if (!messages_.empty() && messages_.front().cpu > 0 && compute_rate > 0)
      step = std::min(step, messages_.front().cpu / compute_rate);

    const bool unseen = !messages_.empty() && messages_.front().left <= 0 && messages_.front().cpu <= 0;
    if (unseen) step = std::min(step, messages_.front().unnoticed);

    clock_.sleep_until(clock_.now() + step);
    if (task_ > 0) {
      task_ -= compute_rate * step;
      computation_left_ -= compute_rate * step;
    }
    if (messages_.empty()) return;
    InFlight& message = messages_.front();
    if (transfers) message.left -= message_rate * step;
    if (message.cpu > 0) message.cpu -= compute_rate * step;
    if (unseen) message.unnoticed -= step;
    if (message.left > 0 || message.cpu > 0 || (message.unnoticed > 0 && computation_left_ > 0)) return;
    spans_[message.index].end = clock_.now();
    messages_.pop_front();
    if (!messages_.empty()) begin_message();
  }

  void begin_message() {
    spans_[messages_.front().index].start = clock_.now();
    if (computation_left_ <= 0) return;
    messages_.front().cpu = overlap_.message_cpu;
    messages_.front().unnoticed = overlap_.notice;
    task_ += overlap_.message_cpu;
    computation_left_ += overlap_.message_cpu;
  }

  VirtualClock& clock_;
  const Overlap overlap_;
  Seconds task_ = 0;              ///< work left of the step that runs, and what messages took
  Seconds computation_left_ = 0;  ///< of the whole iteration
  std::deque<InFlight> messages_;
  std::vector<MessageTimes> spans_;
};

class SharedCoreNetwork final : public FakeNetwork {
 public:
  SharedCoreNetwork(Profile profile, SharedCore& core) : FakeNetwork(std::move(profile)), core_(core) {}

  void forward(std::size_t index) override {
    if (index == 0) core_.expect(outline().forward() + outline().backward());
    core_.compute(step(index).forward);
  }
  void backward(std::size_t index) override { core_.compute(step(index).backward); }
  void update() override { core_.clock().sleep_until(core_.clock().now() + update_time()); }
  Mark mark() override { return {std::bit_cast<std::int64_t>(core_.clock().now())}; }
  Seconds seconds(Mark mark) const override { return std::bit_cast<Seconds>(mark.value); }

 private:
  SharedCore& core_;
};

class SharedCoreCommunicator final : public Communicator {
 public:
  SharedCoreCommunicator(SharedCore& core, const CostModel& cost) : core_(core), cost_(cost) {}

  void prepare(std::size_t messages) override {
    core_.spans().clear();
    core_.spans().reserve(messages);
  }
  void start(const Message& message, const GradientView&, const Event&) override {
    core_.spans().push_back({.ready = core_.clock().now()});
    core_.send(core_.spans().size() - 1, cost_.time(message.collective, message.arena.size()));
  }
  Event join() override {
    core_.drain();
    return {};
  }
  std::span<const MessageTimes> spans() const override { return core_.spans(); }

 private:
  SharedCore& core_;
  const CostModel& cost_;
};

}  // namespace mgbench
