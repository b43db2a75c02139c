#include "report/prediction_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/table.h"

namespace mgbench {
namespace {

Seconds end_of_both(const Timeline& timeline) {
  return std::max(timeline.communication_end, timeline.backward_end);
}

Seconds update(const Timeline& timeline) {
  return timeline.iteration - end_of_both(timeline);
}

/// The first message of the run that ends with the last one and in which each waited for the one before.
std::size_t chain_begin(const std::vector<MessageTimes>& messages) {
  std::size_t first = messages.size() - 1;
  while (first > 0 && messages[first - 1].end > messages[first].ready) --first;
  return first;
}

/// Time in the chain that is neither waiting for gradients nor a message, up to `last_end`.
Seconds starting(const Timeline& timeline, std::size_t first) {
  Seconds in_messages = 0;
  for (std::size_t i = first; i < timeline.messages.size(); ++i)
    in_messages += timeline.messages[i].end - timeline.messages[i].start;
  return timeline.communication_end - timeline.messages[first].ready - in_messages;
}

void add_messages(const StrategyResult& strategy, std::size_t first, PredictionError& error) {
  const bool told_apart = strategy.transfers.size() == strategy.measured.messages.size();
  for (std::size_t i = first; i < strategy.measured.messages.size(); ++i) {
    const MessageTimes& measured = strategy.measured.messages[i];
    const MessageTimes& predicted = strategy.predicted.messages[i];
    const Seconds duration = measured.end - measured.start;
    const Seconds transfer = told_apart ? std::min(strategy.transfers[i], duration) : duration;
    const Seconds excess = duration - (predicted.end - predicted.start);
    error.transfer += transfer - (predicted.end - predicted.start);
    error.waiting += duration - transfer;
    if (!error.message || std::abs(excess) > std::abs(error.message_excess)) {
      error.message = i;
      error.message_excess = excess;
    }
  }
}

std::string signed_seconds(Seconds seconds) {
  return (seconds < 0 ? "-" : "+") + format_seconds(std::abs(seconds));
}

}  // namespace

std::vector<std::pair<std::string, Seconds>> PredictionError::parts() const {
  return {{"computation", computation},
          {"late starts", starting},
          {"messages", transfer},
          {"waiting for later ranks", waiting},
          {"hidden otherwise than predicted", hidden},
          {"differences between ranks and of medians", rest}};
}

std::optional<PredictionError> prediction_error(const StrategyResult& strategy) {
  const Timeline& measured = strategy.measured;
  const Timeline& predicted = strategy.predicted;
  const MedianEstimate iteration = strategy.iteration();
  if (iteration.samples == 0 || measured.messages.size() != predicted.messages.size()) return std::nullopt;

  PredictionError error;
  error.total = iteration.median - predicted.iteration;
  error.computation = update(measured) - update(predicted);
  if (measured.messages.empty() || measured.communication_end <= measured.backward_end) {
    error.computation += measured.backward_end - predicted.backward_end;
    error.hidden = predicted.backward_end - end_of_both(predicted);
  } else {
    const std::size_t first = chain_begin(measured.messages);
    error.computation += measured.messages[first].ready - predicted.messages[first].ready;
    error.starting = starting(measured, first) - starting(predicted, first);
    add_messages(strategy, first, error);
    error.hidden = predicted.communication_end - end_of_both(predicted);
  }
  error.rest = iteration.median - measured.iteration;
  return error;
}

std::string format_prediction_error(const std::string& strategy, const PredictionError& error, Seconds predicted) {
  constexpr double kMatters = 0.2;  // of the error
  auto parts = error.parts();
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& left, const auto& right) { return std::abs(left.second) > std::abs(right.second); });
  std::vector<std::string> named;
  for (const auto& [name, seconds] : parts)
    if (std::abs(seconds) >= kMatters * std::abs(error.total))
      named.push_back(fmt::format("{} {}", name, signed_seconds(seconds)));
  if (error.message && std::abs(error.message_excess) >= std::abs(error.total) / 2)
    named.push_back(
        fmt::format("of which message {} alone {}", *error.message + 1, signed_seconds(error.message_excess)));
  return fmt::format("{} {} ({} %): {}", strategy, signed_seconds(error.total), signed_percent(error.total / predicted),
                     fmt::join(named, ", "));
}

}  // namespace mgbench
