#include "bench/training/train_step.h"

#include "bench/watch/activity.h"

namespace mgbench {

void enqueue_step(Network& network, Communicator& communicator, const Schedule& schedule, IterationMarks& marks) {
  const std::size_t steps = marks.forward.size();
  auto message = schedule.begin();
  Activity& doing = activity();

  doing.enter(Activity::Part::forward);
  marks.begin = network.mark();
  for (std::size_t step = 0; step < steps; ++step) {
    network.forward(step);
    marks.forward[step] = network.mark();
    doing.advance();
  }
  doing.enter(Activity::Part::backward);
  for (std::size_t step = steps; step-- > 0;) {
    network.backward(step);
    marks.backward[step] = network.mark();
    communicator.poll();
    for (; message != schedule.end() && message->released_by == step; ++message)
      communicator.start(*message, network.gradients(message->arena), network.record());
    doing.advance();
  }
  doing.enter(Activity::Part::messages);
  network.wait(communicator.join());
  marks.joined = network.mark();
  doing.enter(Activity::Part::update);
  network.update();
  marks.end = network.mark();
}

void train_step(Network& network, Communicator& communicator, const Schedule& schedule, IterationMarks& marks) {
  enqueue_step(network, communicator, schedule, marks);
  network.synchronize();
  activity().enter(Activity::Part::other);
}

}  // namespace mgbench
