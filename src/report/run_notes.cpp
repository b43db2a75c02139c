#include "report/run_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/drift.h"
#include "report/table.h"

namespace mgbench {
namespace {

std::string name_of(const RankTime& rank) {
  return fmt::format("rank {} on {}", rank.rank, rank.host);
}

double percent_longer(const RankTime& rank) {
  return 100 * (rank.ratio - 1);
}

std::string slow_sentence(const RankTimes& times) {
  const RankTime& slowest = times.slowest.front();
  if (times.slow == 1)
    return fmt::format("Slow: {} computes {:.0f} % longer than the typical rank and costs up to {} an iteration.",
                       name_of(slowest), percent_longer(slowest), format_seconds(times.lost));
  std::vector<std::string> names;
  for (const RankTime& rank : times.slowest)
    if (rank.slow) names.push_back(fmt::format("{} ({:.0f} %)", name_of(rank), percent_longer(rank)));
  if (times.slow > names.size()) names.push_back(fmt::format("{} more", times.slow - names.size()));
  return fmt::format("Slow: {} ranks compute longer than the typical rank and together cost up to {} an iteration: {}.",
                     times.slow, format_seconds(times.lost), fmt::join(names, ", "));
}

bool is_slow(const RankTimes& times, int rank) {
  return std::any_of(times.slowest.begin(), times.slowest.end(),
                     [&](const RankTime& each) { return each.rank == rank && each.slow; });
}

/// The strategy under which a rank is latest that computes as fast as others where nothing communicates.
std::string late_sentence(const RunResult& result) {
  const StrategyResult* worst = nullptr;
  for (const StrategyResult& strategy : result.strategies) {
    const auto& arrival = strategy.arrival;
    if (!arrival || arrival->slow == 0 || !result.computation) continue;
    if (is_slow(*result.computation, arrival->slowest.front().rank)) continue;
    if (worst == nullptr || arrival->lost > worst->arrival->lost) worst = &strategy;
  }
  if (worst == nullptr) return "";
  const RankTime& rank = worst->arrival->slowest.front();
  return fmt::format(
      "Late: under {} {} ends backward {:.0f} % ({}) later than the typical rank, though without "
      "communication it is not measurably slow.",
      worst->strategy, name_of(rank), percent_longer(rank), format_seconds(rank.seconds - rank.seconds / rank.ratio));
}

std::string load_clause(const HostLoad& load) {
  std::vector<std::string> causes;
  if (load.busy_with_others())
    causes.push_back(fmt::format("others took {:.0f} % of the processors' time", 100 * load.others));
  if (load.stolen()) causes.push_back(fmt::format("other virtual machines took {:.0f} % (steal)", 100 * load.steal));
  if (load.clock_changed())
    causes.push_back(
        fmt::format("the clock went from {:.2f} to {:.2f} GHz", *load.begin_hertz * 1e-9, *load.end_hertz * 1e-9));
  if (load.throttled.value_or(0) > 0)
    causes.push_back(fmt::format("processors were throttled {} times", *load.throttled));
  return fmt::format("on {} {}", load.host, fmt::join(causes, ", "));
}

std::string load_sentence(const MachineLoad& load) {
  std::vector<std::string> clauses;
  for (const HostLoad& host : load.worst)
    if (host.disturbed()) clauses.push_back(load_clause(host));
  if (load.disturbed > clauses.size())
    clauses.push_back(fmt::format("{} more of {} hosts", load.disturbed - clauses.size(), load.hosts));
  return fmt::format("Note: the machine was disturbed during the rounds: {}.", fmt::join(clauses, "; "));
}

std::string change(double ratio) {
  return fmt::format("{:.0f} % {}", 100 * std::abs(ratio - 1), ratio > 1 ? "slower" : "faster");
}

std::vector<std::string> drift_sentences(const Drift& drift) {
  std::vector<std::string> sentences;
  if (drift.machine)
    sentences.push_back(
        fmt::format("Note: the machine became {} during the rounds (last third against first third, all strategies "
                    "together); ratios are paired within rounds and hold.",
                    change(*drift.machine)));
  for (const auto& [strategy, ratio] : drift.strategies)
    sentences.push_back(fmt::format(
        "Note: beside the others {} became {} during the rounds: its ratios mix two states.", strategy, change(ratio)));
  return sentences;
}

}  // namespace

std::string stage_sentence(const RunResult& result) {
  if (result.stages.empty()) return "";
  std::vector<std::string> parts;
  for (const Stage& stage : result.stages)
    parts.push_back(fmt::format("{} {}", stage.name, format_seconds(stage.seconds)));
  return fmt::format("Time: {}.", fmt::join(parts, ", "));
}

std::vector<std::string> run_notes(const RunResult& result) {
  std::vector<std::string> notes;
  if (result.computation && result.computation->slow > 0) notes.push_back(slow_sentence(*result.computation));
  if (std::string late = late_sentence(result); !late.empty()) notes.push_back(std::move(late));
  if (result.load && result.load->disturbed > 0) notes.push_back(load_sentence(*result.load));
  for (std::string& sentence : drift_sentences(find_drift(result))) notes.push_back(std::move(sentence));
  for (const std::string& remark : result.remarks) notes.push_back("Note: " + remark);
  return notes;
}

}  // namespace mgbench
