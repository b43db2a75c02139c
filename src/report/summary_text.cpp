#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/printable.h"
#include "report/message_rate.h"
#include "report/run_notes.h"
#include "report/summary.h"
#include "report/summary_table.h"
#include "report/table.h"

namespace mgbench {
namespace {

const StrategyResult& find(const RunResult& result, const std::string& strategy) {
  return *std::find_if(result.strategies.begin(), result.strategies.end(),
                       [&](const StrategyResult& candidate) { return candidate.strategy == strategy; });
}

/// How much faster `own` is than `other`.
std::string comparison(const StrategyResult& other, const StrategyResult& own) {
  const auto ratio = paired_ratio(other, own);
  if (!ratio) return fmt::format("not comparable with {} (no common rounds)", other.strategy);
  if (!ratio->interval)
    return fmt::format("{:.3f} times as fast as {} ({} {}, no interval)", ratio->median, other.strategy, ratio->samples,
                       ratio->samples == 1 ? "round" : "rounds");
  const std::string interval = fmt::format("{:.3f} to {:.3f}", ratio->interval->low, ratio->interval->high);
  if (not_distinguishable(*ratio)) return fmt::format("not distinguishable from {} ({})", other.strategy, interval);
  return fmt::format("{:.3f} times as fast as {} ({})", ratio->median, other.strategy, interval);
}

/// Against WFBP, SyncEASGD and MG-WFBP in any case, against others where the order is not certain.
std::string verdict(const RunResult& result, const std::vector<SummaryRow>& rows) {
  const SummaryRow* fastest = nullptr;
  for (const SummaryRow& row : rows)
    if (row.failure.empty() && (fastest == nullptr || row.iteration.median < fastest->iteration.median)) fastest = &row;
  if (fastest == nullptr) return "No strategy has times.";

  const StrategyResult& own = find(result, fastest->strategy);
  std::vector<std::string> clauses;
  for (const SummaryRow& row : rows) {
    if (!row.failure.empty() || &row == fastest) continue;
    const StrategyResult& other = find(result, row.strategy);
    const bool reference = row.strategy == "wfbp" || row.strategy == "synceasgd" || row.strategy == "mg-wfbp";
    const auto ratio = paired_ratio(other, own);
    if (reference || (ratio && ratio->interval && not_distinguishable(*ratio)))
      clauses.push_back(comparison(other, own));
  }
  return fmt::format("{} fastest by median is {}{}{}{}.",
                     result.emulated.empty() ? "The" : fmt::format("On the emulated {} the", result.emulated),
                     fastest->strategy, clauses.empty() ? "" : ": ", fmt::join(clauses, ", "),
                     fastest->iteration.interval && !clauses.empty() ? "; in brackets 95 % intervals" : "");
}

/// How many samples stand behind the medians, and what is wrong with them.
std::vector<std::string> sampling(const RunResult& result, const std::vector<SummaryRow>& rows) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  std::size_t rounds = std::numeric_limits<std::size_t>::max();
  for (const SummaryRow& row : rows) {
    if (!row.failure.empty()) continue;
    least = std::min(least, row.samples);
    most = std::max(most, row.samples);
    rounds = std::min(rounds, row.iteration.samples);
  }
  std::vector<std::string> lines;
  if (most > 0)
    lines.push_back(
        fmt::format("Samples a strategy: {}{}, in {} {}.{}", least, least == most ? "" : fmt::format(" to {}", most),
                    rounds, rounds == 1 ? "round" : "rounds",
                    result.ended.empty() || !result.finished() ? "" : fmt::format(" Ended: {}.", result.ended)));
  if (!result.finished())
    lines.push_back(fmt::format("UNFINISHED, {}. No verdict: mgbench compare and check refuse it.", result.ended));
  if (most > 0 && rounds < kLeastSamples)
    lines.push_back("Fewer than six rounds: there is no 95 % interval, and no difference is certain. Run longer.");
  for (const StrategyResult& strategy : result.strategies) {
    if (strategy.rejected() > 0)
      lines.push_back(fmt::format("{} of {} samples of {} were rejected: an emulated message overran its deadline.{}",
                                  strategy.rejected(), strategy.samples.size(), strategy.strategy,
                                  strategy.rejected() == strategy.samples.size()
                                      ? " Stop what else computes here, or play a profile again (--backend replay)."
                                      : ""));
  }
  return lines;
}

std::string overlap_sentence(const Overlap& overlap) {
  return fmt::format(
      "Beside computation a message takes {:.3g} times as long, is seen to have ended {} late, and takes {:.0f} % of "
      "its time from the compute core, and {} more; predictions reckon with that.",
      overlap.stretch, format_seconds(overlap.notice), 100 * overlap.core_share, format_seconds(overlap.message_cpu));
}

std::string rate_sentence(const MessageRate& rate) {
  return fmt::format(
      "Messages beside which nothing computes take {:.3g} times as long as calibrated, with all ranks in ({} of "
      "them): they run at another rate, and predictions are off by that.",
      rate.ratio, rate.messages);
}

/// Where predictions are off by more than they should be, which part is.
std::vector<std::string> prediction_sentences(const std::vector<SummaryRow>& rows) {
  constexpr double kGood = 0.03;
  std::vector<std::string> lines;
  for (const SummaryRow& row : rows) {
    if (!row.failure.empty() || !row.prediction_parts || std::abs(row.prediction_error) <= kGood) continue;
    lines.push_back("Measured beside predicted: " +
                    format_prediction_error(row.strategy, *row.prediction_parts, row.predicted) + ".");
  }
  return lines;
}

}  // namespace

std::string run_title(const RunResult& result) {
  return fmt::format("{}{}{} on {} | {} {} x {} {} | {} {} a rank | {}", result.finished() ? "" : "UNFINISHED | ",
                     result.emulated.empty() ? "" : fmt::format("EMULATED {} | ", result.emulated), result.model,
                     result.backend, result.ranks, result.ranks == 1 ? "rank" : "ranks", result.threads,
                     result.threads == 1 ? "thread" : "threads", result.batch, result.batch == 1 ? "image" : "images",
                     result.communicator);
}

std::vector<std::string> summary_sentences(const RunResult& result) {
  const std::vector<SummaryRow> rows = summarize(result);
  std::vector<std::string> sentences{verdict(result, rows)};
  if (result.alone)
    sentences.push_back(fmt::format("Scaling efficiency is against one rank alone: {} an iteration.",
                                    format_seconds(result.alone->median)));
  if (result.communicator_choice) sentences.push_back(result.communicator_choice->reason);
  if (!result.overlap.none()) sentences.push_back(overlap_sentence(result.overlap));
  if (const auto rate = message_rate(result); rate && is_another_rate(*rate)) sentences.push_back(rate_sentence(*rate));
  for (const std::string& line : prediction_sentences(rows)) sentences.push_back(line);
  for (const std::string& line : sampling(result, rows)) sentences.push_back(line);
  if (!result.planning_cost.empty()) sentences.push_back("Planned with: " + result.planning_cost);
  if (const std::string times = stage_sentence(result); !times.empty()) sentences.push_back(times);
  for (const std::string& note : run_notes(result)) sentences.push_back(note);
  return sentences;
}

std::string format_summary(const RunResult& result, std::size_t width) {
  std::string text = wrap(run_title(result), width, 2) + '\n';
  text += format_summary_table(summarize(result), !result.emulated.empty(), width) + '\n';
  for (const std::string& sentence : summary_sentences(result)) text += wrap(sentence, width, 2);
  // Never wrapped: it is there to be copied.
  if (!result.command.empty()) text += "Reproduce: " + printable(result.command) + '\n';
  return text;
}

}  // namespace mgbench
