#include "report/nccl_advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace mgbench {
namespace {

/// "NCCL_ALGO=Ring NCCL_PROTO=LL" of "Ring/LL".
std::string variables_of(const std::string& algorithm) {
  const std::size_t slash = algorithm.find('/');
  if (slash == std::string::npos) return "NCCL_ALGO=" + algorithm;
  return fmt::format("NCCL_ALGO={} NCCL_PROTO={}", algorithm.substr(0, slash), algorithm.substr(slash + 1));
}

/// The range of sizes of each rule that forces something; the one after it says where it ends.
std::string lines_by_size(const AlgorithmComparison& comparison, const std::vector<AlgorithmRule>& rules) {
  std::string text;
  for (std::size_t i = 0; i + 1 < rules.size(); ++i) {
    if (rules[i].value == 0) continue;
    const auto named = std::find_if(comparison.sizes.begin(), comparison.sizes.end(),
                                    [&](const SizeComparison& size) { return size.value == rules[i].value; });
    const std::string from = format_bytes(rules[i].from);
    const std::string to = format_bytes(rules[i + 1].from - 1);
    text += fmt::format("  {}: {}\n", from == to ? from : fmt::format("{} to {}", from, to),
                        variables_of(named->algorithm));
  }
  return text;
}

}  // namespace

std::string nccl_advice(const AlgorithmComparison& comparison, std::size_t width) {
  const std::vector<AlgorithmRule> rules = algorithm_rules(comparison);
  if (rules.empty()) return "";
  if (const std::string algorithm = algorithm_for_all_sizes(comparison); !algorithm.empty())
    return "To use it at all sizes:\n  export " + variables_of(algorithm) + '\n';
  return wrap(
             "NCCL's variables hold for all sizes, and no choice is faster at some and slower at none. By size, for "
             "jobs "
             "whose messages are of that size, or for a tuner plugin (NCCL_TUNER_PLUGIN):",
             width, 0) +
         lines_by_size(comparison, rules);
}

}  // namespace mgbench
