#include "report/message_rate.h"

#include <algorithm>
#include <cmath>

namespace mgbench {

std::optional<MessageRate> message_rate(const RunResult& result) {
  if (result.calibration.curves.empty()) return std::nullopt;
  const CostModel cost = result.calibration.planning_cost();
  // Sums: what long messages take is the rate; short ones tell more of wake-ups.
  MessageRate rate;
  Seconds measured = 0;
  Seconds calibrated = 0;
  for (const StrategyResult& strategy : result.strategies) {
    if (!strategy.failure.empty()) continue;
    const std::size_t messages = std::min(strategy.measured.messages.size(), strategy.group_bytes.size());
    for (std::size_t g = 0; g < messages; ++g) {
      const MessageTimes& times = strategy.measured.messages[g];
      if (times.start < strategy.measured.backward_end) continue;
      const Seconds transfer = g < strategy.transfers.size() ? strategy.transfers[g] : times.end - times.start;
      measured += transfer;
      calibrated += cost.time(Collective::allreduce, strategy.group_bytes[g]);
      ++rate.messages;
    }
  }
  if (rate.messages == 0) return std::nullopt;
  rate.ratio = measured / calibrated;
  return rate;
}

bool is_another_rate(const MessageRate& rate) {
  constexpr double kQuarter = 0.25;
  return std::abs(rate.ratio - 1) > kQuarter;
}

}  // namespace mgbench
