#include "bench/training/captured_step.h"

#include "bench/watch/activity.h"

namespace mgbench {

CapturedStep::CapturedStep(Network& network, Communicator& communicator, const Schedule& schedule)
    : network_(network), marks_(network.steps()), messages_(schedule.size()) {
  communicator.prepare(messages_);
  train_step(network, communicator, schedule, marks_);
  communicator.prepare(messages_);
  graph_ = network.capture([&] { enqueue_step(network, communicator, schedule, marks_); });
  activity().enter(Activity::Part::other);
}

void CapturedStep::run() {
  activity().enter(messages_ > 0 ? Activity::Part::messages : Activity::Part::forward);
  for (std::size_t message = 0; message < messages_; ++message) activity().pass();
  graph_->launch();
  network_.synchronize();
  activity().enter(Activity::Part::other);
}

}  // namespace mgbench
