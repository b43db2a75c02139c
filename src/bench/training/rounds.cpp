#include "bench/training/rounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "bench/clock.h"
#include "bench/watch/interruption.h"
#include "report/round_times.h"

namespace mgbench {
namespace {

/// Blocks of a round, on average.
double blocks_of(const std::vector<Contestant>& contestants) {
  double blocks = 0;
  for (const Contestant& contestant : contestants) blocks += 1.0 / contestant.every;
  return blocks;
}

bool certain(const std::vector<Contestant>& contestants, double within) {
  return std::all_of(contestants.begin(), contestants.end(), [&](const Contestant& contestant) {
    return contestant.every > 1 || relative_uncertainty(contestant.iteration()) < within;
  });
}

bool takes_part(const Contestant& contestant, int round) {
  return !contestant.dropped && round % contestant.every == 0;
}

void run_contestant(Trainer& trainer, Contestant& contestant, int iterations, int round) {
  ProcessGroup& group = trainer.group();
  const std::optional<NetworkState> before = contestant.sums ? std::nullopt : std::optional(trainer.network().save());
  std::vector<IterationRecord> records =
      contestant.schedule ? trainer.run_block(*contestant.schedule, iterations) : trainer.run_alone(iterations);
  if (before) trainer.network().restore(*before);
  // Alone, only rank 0 has records: the others stand in with times that are never the slowest.
  std::vector<IterationRecord> agreed = records;
  if (agreed.empty()) agreed.resize(static_cast<std::size_t>(iterations));
  const std::vector<Sample> samples = agree_on_samples(group, agreed, round);
  contestant.samples.insert(contestant.samples.end(), samples.begin(), samples.end());
  std::move(records.begin(), records.end(), std::back_inserter(contestant.records));
}

}  // namespace

int block_length(Seconds available, Seconds iteration, double blocks) {
  constexpr double kLongest = 10;
  return static_cast<int>(std::clamp(std::floor(available / std::max(iteration * blocks, 1e-9)) - 1, 1.0, kLongest));
}

MedianEstimate Contestant::iteration() const {
  return median_of_rounds(round_times(samples));
}

std::string format_rounds(int rounds) {
  return fmt::format("{} round{}", rounds, rounds == 1 ? "" : "s");
}

RoundsEnd measure_rounds(Trainer& trainer, std::vector<Contestant>& contestants, const RoundsRequest& request,
                         Progress& progress) {
  ProcessGroup& group = trainer.group();
  std::mt19937_64 random(request.seed);
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});

  const Seconds begin = steady_clock().now();
  const Seconds available = group.maximum(request.deadline - begin);
  const Seconds patience = group.maximum(request.patience - begin);
  const double blocks_a_round = blocks_of(contestants);
  int length = block_length(available, request.iteration, request.least_rounds * blocks_a_round);
  const auto participants = [&](int round) {
    return std::count_if(contestants.begin(), contestants.end(),
                         [&](const Contestant& contestant) { return takes_part(contestant, round); });
  };
  int iterations = 0;  // run so far, discarded ones too
  for (int round = 0;; ++round) {
    std::shuffle(order.begin(), order.end(), random);  // the same on every rank
    for (const std::size_t index : order) {
      if (!takes_part(contestants[index], round)) continue;
      // The first round is always whole: everything else rests on it.
      if (round > 0)
        if (const auto signal = static_cast<int>(group.maximum(request.signal())); signal != 0)
          return {fmt::format("stopped by {} after {}", signal_name(signal), format_rounds(round)), round, true};
      const Seconds elapsed = steady_clock().now() - begin;
      progress.advance(elapsed / available, fmt::format("round {}: {}", round + 1, contestants[index].name));
      run_contestant(trainer, contestants[index], length, round);
      iterations += length + 1;
    }
    const int done = round + 1;
    const auto end = [&](const std::string& reason) {
      return RoundsEnd{fmt::format("{} after {}", reason, format_rounds(done)), done};
    };
    if (request.after_round) request.after_round(done);
    if (request.judge) {
      if (const std::string reason = request.judge(contestants); !reason.empty()) return end(reason);
    } else if (certain(contestants, request.within)) {
      return end(fmt::format("every 95 % interval is within {:g} % of its median", 100 * request.within));
    }
    if (done == request.most_rounds) return {format_rounds(done) + " are enough", done};
    const Seconds elapsed = group.maximum(steady_clock().now() - begin);
    const bool enough = done >= kEnoughRounds;
    const Seconds iteration = elapsed / iterations;
    // What was expected may have been too short.
    if (const int left = request.least_rounds - done; left > 0)
      length = std::min(length, block_length(available - elapsed, iteration, left * blocks_a_round));
    const Seconds next = iteration * (length + 1) * static_cast<double>(participants(done));
    if (elapsed + next > (enough ? available : std::max(available, patience))) return end("the time budget is spent");
  }
}

}  // namespace mgbench
