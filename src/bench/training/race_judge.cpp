#include "bench/training/race_judge.h"

#include <algorithm>

#include "planner/strategy.h"
#include "report/race.h"

namespace mgbench {
namespace {

constexpr double kCertain = 0.02;

/// The one left is as sure to be the fastest as the test can tell; the best fixed one is kept beside it.
bool decided(const std::vector<Racer>& racers) {
  const auto end = conclude(racers);
  return end && std::all_of(racers.begin(), racers.end(), [&](const Racer& racer) {
           const auto i = static_cast<std::size_t>(&racer - racers.data());
           if (!racer.left) return true;
           return (i == end->leader || i == end->best_fixed) &&
                  relative_uncertainty(median_of_rounds(racer.times)) <= kCertain;
         });
}

}  // namespace

RoundsJudge race_judge(std::size_t helpers) {
  return [helpers](std::vector<Contestant>& contestants) -> std::string {
    const std::vector<std::string> fixed = strategies().names();
    std::vector<Racer> racers;
    for (std::size_t i = helpers; i < contestants.size(); ++i)
      racers.push_back({.times = round_times(contestants[i].samples),
                        .fixed = std::find(fixed.begin(), fixed.end(), contestants[i].name) != fixed.end(),
                        .left = !contestants[i].dropped});
    for (const Loss& loss : losses(racers)) {
      contestants[helpers + loss.loser].dropped = Dropped{loss.rounds, contestants[helpers + loss.winner].name};
      racers[loss.loser].left = false;
    }
    return decided(racers) ? "all others are dropped" : "";
  };
}

}  // namespace mgbench
