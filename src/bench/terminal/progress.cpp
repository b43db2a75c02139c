#include "bench/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/clock.h"
#include "bench/watch/activity.h"

namespace mgbench {

bool standard_error_is_terminal() {
  return std::getenv("MGBENCH_TERMINAL") != nullptr || isatty(STDERR_FILENO) == 1;
}

Progress::Progress(bool speaks) : speaks_(speaks), terminal_(standard_error_is_terminal()) {}

Progress::~Progress() {
  finish();
}

void Progress::stage(const std::string& name) {
  finish();
  activity().begin(name);
  stage_ = name;
  begin_ = steady_clock().now();
  if (!speaks_) return;
  if (terminal_)
    advance(0, "");
  else
    fmt::print(stderr, "mgbench: {} ...\n", stage_);
}

void Progress::advance(double share, const std::string& detail) {
  constexpr int kWidth = 24;
  activity().detail(detail);
  if (!speaks_ || !terminal_) return;
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
  fmt::print(stderr, "\r\033[K{:<14} [{:#<{}}{:<{}}] {}", stage_, "", filled, "", kWidth - filled, detail);
  std::fflush(stderr);
}

void Progress::remark(const std::string& text) {
  if (!speaks_) return;
  fmt::print(stderr, "{}mgbench: {}\n", terminal_ ? "\r\033[K" : "", text);
}

void Progress::finish() {
  if (stage_.empty()) return;
  stages_.push_back({.name = stage_, .seconds = steady_clock().now() - begin_});
  if (speaks_ && terminal_) fmt::print(stderr, "\r\033[K{:<14} {}\n", stage_, format_seconds(stages_.back().seconds));
  stage_.clear();
}

}  // namespace mgbench
