#include "bench/terminal/print_summary.h"

#include <fmt/format.h>

#include <string>

#include "bench/terminal/terminal.h"
#include "report/iteration_plot.h"
#include "report/summary.h"

namespace mgbench {

void print_summary(const RunResult& result) {
  fmt::print("{}\n", format_summary(result));
  const Terminal terminal = standard_output();
  if (!terminal.is_one) return;
  const std::string plot = iteration_plot(summarize(result), terminal.width, terminal.color);
  if (!plot.empty()) fmt::print("{}\n", plot);
}

}  // namespace mgbench
