#include "report/message_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/statistics.h"

namespace mgbench {

std::optional<MessageRate> message_rate(const RunResult& result) {
  if (result.calibration.curves.empty()) return std::nullopt;
  const CostModel cost = result.calibration.planning_cost();
  std::vector<double> ratios;
  for (const StrategyResult& strategy : result.strategies) {
    if (!strategy.failure.empty()) continue;
    const std::size_t messages = std::min(strategy.measured.messages.size(), strategy.group_bytes.size());
    for (std::size_t g = 0; g < messages; ++g) {
      const MessageTimes& times = strategy.measured.messages[g];
      if (times.start < strategy.measured.backward_end) continue;
      const Seconds transfer = g < strategy.transfers.size() ? strategy.transfers[g] : times.end - times.start;
      ratios.push_back(transfer / cost.time(Collective::allreduce, strategy.group_bytes[g]));
    }
  }
  if (ratios.empty()) return std::nullopt;
  return MessageRate{.ratio = median(ratios), .messages = ratios.size()};
}

bool is_another_rate(const MessageRate& rate) {
  constexpr double kQuarter = 0.25;
  return std::abs(rate.ratio - 1) > kQuarter;
}

}  // namespace mgbench
