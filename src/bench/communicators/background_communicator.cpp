#include "bench/communicators/background_communicator.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "bench/host/short_slice.h"

namespace mgbench {

/// Messages [0, submitted) are known, [0, completed) have ended. `mutex` guards the counts and flags; a
/// message's slot belongs to the main thread until it is submitted, then to the helper until it is completed.
struct BackgroundCommunicator::Queue {
  Queue(Clock& the_clock, std::unique_ptr<Carrier> the_carrier) : clock(the_clock), carrier(std::move(the_carrier)) {}

  void serve();
  void serve_until_stopped();

  Clock& clock;
  const std::unique_ptr<Carrier> carrier;
  std::vector<GradientView> gradients;
  std::vector<MessageTimes> times;

  std::mutex mutex;
  std::condition_variable changed_for_helper;
  std::condition_variable changed_for_main;
  std::size_t submitted = 0;
  std::size_t completed = 0;
  bool stopped = false;
  std::exception_ptr failure;
};

void BackgroundCommunicator::Queue::serve() {
  take_short_slices();  // it shares its core with computation
  try {
    serve_until_stopped();
  } catch (...) {
    const std::scoped_lock lock(mutex);
    failure = std::current_exception();
    changed_for_main.notify_one();
  }
}

void BackgroundCommunicator::Queue::serve_until_stopped() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed_for_helper.wait(lock, [&] { return stopped || completed < submitted; });
    if (stopped) return;
    const std::size_t message = completed;
    lock.unlock();
    times[message].start = clock.now();
    carrier->carry(gradients[message], times[message]);
    lock.lock();
    if (stopped) return;  // left behind: at the end of the process even the clock may be gone
    times[message].end = clock.now();
    if (++completed == submitted) changed_for_main.notify_one();
  }
}

BackgroundCommunicator::BackgroundCommunicator(Clock& clock, std::unique_ptr<Carrier> carrier)
    : queue_(std::make_shared<Queue>(clock, std::move(carrier))), helper_([queue = queue_] { queue->serve(); }) {}

BackgroundCommunicator::~BackgroundCommunicator() {
  bool in_flight = false;
  {
    const std::scoped_lock lock(queue_->mutex);
    in_flight = queue_->completed < queue_->submitted && !queue_->failure;
    queue_->stopped = true;
    queue_->changed_for_helper.notify_one();
  }
  if (in_flight)
    helper_.detach();
  else
    helper_.join();
}

void BackgroundCommunicator::prepare(std::size_t messages) {
  const std::scoped_lock lock(queue_->mutex);
  require(queue_->completed == queue_->submitted || queue_->failure, "prepare() with messages in flight");
  queue_->completed = queue_->submitted = 0;
  queue_->gradients.resize(messages);
  queue_->times.assign(messages, {});
  queue_->carrier->prepare(messages);
}

void BackgroundCommunicator::start(const Message& description, const GradientView& gradients, const Event& ready) {
  Carrier& carrier = *queue_->carrier;
  require(gradients.space == carrier.space(), "this communicator sends from {} memory only",
          carrier.space() == MemorySpace::host ? "host" : "device");
  require(carrier.takes(gradients.type), "this communicator does not sum {}", name_of(gradients.type));
  const std::size_t message = queue_->submitted;  // only this thread writes it
  require(message < queue_->times.size(), "more messages than the {} prepared for", queue_->times.size());
  queue_->gradients[message] = gradients;
  queue_->times[message].ready = queue_->clock.now();
  carrier.submit(description, gradients, ready);
  {
    const std::scoped_lock lock(queue_->mutex);
    ++queue_->submitted;
  }
  queue_->changed_for_helper.notify_one();  // unlocked, or the helper would wake only to wait for the mutex
}

Event BackgroundCommunicator::join() {
  std::unique_lock lock(queue_->mutex);
  queue_->changed_for_main.wait(lock, [&] { return queue_->completed == queue_->submitted || queue_->failure; });
  if (queue_->failure) std::rethrow_exception(queue_->failure);
  return queue_->carrier->carried();
}

std::span<const MessageTimes> BackgroundCommunicator::spans() const {
  const std::scoped_lock lock(queue_->mutex);
  const std::span times = std::span(queue_->times).first(queue_->completed);
  for (std::size_t i = 0; i < times.size(); ++i)
    queue_->carrier->refine(i, i == 0 ? MessageTimes{} : times[i - 1], times[i]);
  return times;
}

bool BackgroundCommunicator::moves_data() const {
  return queue_->carrier->moves_data();
}
std::size_t BackgroundCommunicator::overruns() const {
  return queue_->carrier->overruns();
}

}  // namespace mgbench
