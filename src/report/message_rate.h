#pragma once

#include <cstddef>
#include <optional>

#include "report/run_result.h"

namespace mgbench {

/// Messages beside which nothing computed: those that started after backward had ended, in all strategies.
struct MessageRate {
  double ratio = 1;  ///< sum of their measured times, from the last rank's start on / of the calibrated ones
  std::size_t messages = 0;
};

/// None without such messages, or without a calibration.
std::optional<MessageRate> message_rate(const RunResult& result);

/// The rate is not the calibrated one: off by more than a quarter either way.
bool is_another_rate(const MessageRate& rate);

}  // namespace mgbench
