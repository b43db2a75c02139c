#include "bench/training/communicator_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "bench/communicators/no_communication.h"
#include "bench/training/train_step.h"

namespace mgbench {
namespace {

constexpr int kMostRounds = 30;
/// A clock's resolution: nothing takes no time.
constexpr Seconds kShortest = 1e-9;

/// Of one iteration, of the slowest rank each.
struct Times {
  Seconds iteration = 0;
  Seconds backward = 0;
  Seconds exposed = 0;
};

class Trial {
 public:
  Trial(ProcessGroup& group, Network& network, const Schedule& schedule, Device* device)
      : group_(group), network_(network), schedule_(schedule), marks_(network.steps()), before_(network.save()) {
    const GradientArena arena = gradient_arena(network, device);
    for (const CommunicatorEntry* entry : fitting_communicators(arena.space(), arena.type)) {
      if (!group.all(entry->unavailable().empty())) continue;
      communicators_.push_back(entry->make({.group = &group,
                                            .clock = &steady_clock(),
                                            .device = arena.device,
                                            .type = arena.type,
                                            .arena = arena.bytes}));
      rounds_.push_back({.communicator = entry->name});
    }
    require(!rounds_.empty(), "no communicator can be used here");
  }

  /// What first iterations and first messages cost beside their time is not seen.
  void warm_up() {
    iterate(quiet_, {});
    for (const auto& communicator : communicators_) messages_alone(*communicator);
    network_.restore(before_);
  }

  void round(std::mt19937_64& random) {
    std::vector<std::size_t> order(communicators_.size() + 1);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);  // the same on every rank
    Seconds without_messages = 0;
    for (const std::size_t index : order) {
      if (index == communicators_.size())
        without_messages = iterate(quiet_, {}).backward;
      else
        run(*communicators_[index], rounds_[index]);
    }
    for (CommunicatorRounds& rounds : rounds_) rounds.computation_without.push_back(without_messages);
    network_.restore(before_);
  }

  const std::vector<CommunicatorRounds>& rounds() const { return rounds_; }

 private:
  void run(Communicator& communicator, CommunicatorRounds& rounds) {
    rounds.alone.push_back(messages_alone(communicator));
    const Times times = iterate(communicator, schedule_);
    rounds.iteration.push_back(times.iteration);
    rounds.computation.push_back(times.backward);
    rounds.exposed.push_back(times.exposed);
  }

  Times iterate(Communicator& communicator, const Schedule& schedule) {
    communicator.prepare(schedule.size());
    group_.barrier();
    train_step(network_, communicator, schedule, marks_);
    const auto between = [&](Mark begin, Mark end) {
      return std::max(kShortest, network_.seconds(end) - network_.seconds(begin));
    };
    const std::vector<double> slowest = group_.maximum(
        std::array{between(marks_.begin, marks_.end), between(marks_.forward.back(), marks_.backward.front()),
                   between(marks_.backward.front(), marks_.joined)});
    return {.iteration = slowest[0], .backward = slowest[1], .exposed = slowest[2]};
  }

  /// Gradients hold sums of sums afterwards: an iteration writes them anew.
  Seconds messages_alone(Communicator& communicator) {
    communicator.prepare(schedule_.size());
    group_.barrier();
    const Seconds begin = steady_clock().now();
    for (const Message& message : schedule_)
      communicator.start(message, network_.gradients(message.arena), network_.record());
    network_.wait(communicator.join());
    network_.synchronize();
    return group_.maximum(steady_clock().now() - begin);
  }

  ProcessGroup& group_;
  Network& network_;
  const Schedule& schedule_;
  IterationMarks marks_;
  NetworkState before_;
  NoCommunication quiet_;
  std::vector<std::unique_ptr<Communicator>> communicators_;
  std::vector<CommunicatorRounds> rounds_;
};

}  // namespace

CommunicatorChoice try_communicators(ProcessGroup& group, Network& network, const Schedule& schedule,
                                     const std::string& probe, const CommunicatorTrial& trial, Progress& progress) {
  std::mt19937_64 random(trial.seed);
  const Seconds begin = steady_clock().now();
  Trial candidates(group, network, schedule, trial.device);
  candidates.warm_up();
  const Seconds warm = steady_clock().now();
  for (int round = 0;; ++round) {
    candidates.round(random);
    const Seconds now = steady_clock().now();
    const Seconds next = now - begin + (now - warm) / (round + 1);
    progress.advance((now - begin) / trial.budget, fmt::format("round {}", round + 1));
    if (round + 1 == kMostRounds || group.maximum(next) > group.minimum(trial.budget)) break;
  }
  CommunicatorChoice choice = choose_communicator(candidates.rounds(), probe);
  group.broadcast(choice.chosen);
  return choice;
}

}  // namespace mgbench
