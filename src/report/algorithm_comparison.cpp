#include "report/algorithm_comparison.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "report/forms.h"

namespace mgbench {
namespace {

constexpr double kWorthwhile = 1.02;
constexpr int kOpenMpiAllreduce = 2;  // its place among the collectives of coll_base_functions.h

std::string format_ratio(const MedianEstimate& ratio) {
  if (not_distinguishable(ratio)) return "not distinguishable";
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.median, ratio.interval->low, ratio.interval->high);
}

std::string conclusion(const AlgorithmComparison& comparison) {
  const auto faster = std::count_if(comparison.sizes.begin(), comparison.sizes.end(),
                                    [](const SizeComparison& size) { return size.certainly_faster(); });
  if (faster == 0)
    return fmt::format(
        "Nothing to change: at no size is another algorithm faster by at least {:.0f} % with certainty (95 %).",
        100 * (kWorthwhile - 1));
  return fmt::format(
      "At {} of {} sizes another algorithm is faster by at least {:.0f} % with certainty (95 %): marked with *.",
      faster, comparison.sizes.size(), 100 * (kWorthwhile - 1));
}

std::string one_message_size(const AlgorithmRule& rule) {
  return fmt::format("{} {} 0 0\n", rule.from, rule.value);
}

}  // namespace

bool SizeComparison::certainly_faster() const {
  const MedianEstimate estimate = ratio();
  return estimate.interval && estimate.interval->low >= kWorthwhile;
}

std::vector<AlgorithmRule> algorithm_rules(const AlgorithmComparison& comparison) {
  std::vector<AlgorithmRule> rules{{.from = 0, .value = 0}};
  const SizeComparison* before = nullptr;  // the last size of the range that is open
  const auto close = [&] {
    if (before != nullptr) rules.push_back({.from = before->bytes + 1, .value = 0});
    before = nullptr;
  };
  for (const SizeComparison& size : comparison.sizes) {
    const bool faster = size.certainly_faster();
    if (!faster || (before != nullptr && before->value != size.value)) close();
    if (!faster) continue;
    if (before == nullptr) rules.push_back({.from = size.bytes, .value = size.value});
    before = &size;
  }
  close();
  return rules.size() == 1 ? std::vector<AlgorithmRule>() : rules;
}

std::string open_mpi_rules(int ranks, const std::vector<AlgorithmRule>& rules) {
  const std::string own_choice = "1\n" + one_message_size({.from = 0, .value = 0});
  std::string text = fmt::format(
      "1  # collective\n"
      "{}  # which is allreduce\n"
      "3  # numbers of ranks\n"
      "0  # from so many ranks on; how many message sizes; for each: bytes from, algorithm (0: own choice), 0, 0\n"
      "{}{}\n{}\n",
      kOpenMpiAllreduce, own_choice, ranks, rules.size());
  for (const AlgorithmRule& rule : rules) text += one_message_size(rule);
  return text + fmt::format("{}\n{}", ranks + 1, own_choice);
}

bool reads_open_mpi_rules(const std::string& library) {
  return library.starts_with("Open MPI v4.") || library.starts_with("Open MPI v5.");
}

std::string algorithm_for_all_sizes(const AlgorithmComparison& comparison) {
  for (const SizeComparison& candidate : comparison.sizes) {
    const auto suits = [&](const SizeComparison& size) {
      if (std::find(size.same.begin(), size.same.end(), candidate.algorithm) != size.same.end()) return true;
      const MedianEstimate ratio = size.ratio();
      return size.algorithm == candidate.algorithm && ratio.interval && ratio.interval->high >= 1;
    };
    if (candidate.certainly_faster() && std::all_of(comparison.sizes.begin(), comparison.sizes.end(), suits))
      return candidate.algorithm;
  }
  return "";
}

std::string format_algorithms(const AlgorithmComparison& comparison, std::size_t width) {
  Table table({{"message", ""},
               {"own choice", ""},
               {"fastest other", "", Table::Align::left},
               {"time", ""},
               {"own / other", "95 % interval"},
               {"", ""}});
  for (const SizeComparison& size : comparison.sizes)
    table.add({format_bytes(size.bytes), format_seconds(median(size.own_choice)), size.algorithm,
               format_seconds(median(size.other)), format_ratio(size.ratio()), size.certainly_faster() ? "*" : ""});
  std::string text = wrap(fmt::format("Allreduce over {} ranks: {}'s own choice against the others that it has ({})",
                                      comparison.ranks, comparison.library, comparison.variable),
                          width, 2) +
                     '\n' + table.text(width) + '\n' + wrap(conclusion(comparison), width, 2);
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [algorithm, reason] : comparison.failed) by_reason[reason].push_back(algorithm);
  for (const auto& [reason, algorithms] : by_reason)
    text += wrap(fmt::format("LEFT OUT: {}: {}", fmt::join(algorithms, ", "), reason), width, 2);
  if (comparison.left_out_above > 0)
    text += wrap(fmt::format("Messages above {} did not fit the time budget.", format_bytes(comparison.left_out_above)),
                 width, 2);
  return text;
}

std::string algorithms_to_json(const AlgorithmComparison& comparison) {
  Json sizes = Json::array();
  for (const SizeComparison& size : comparison.sizes) {
    const MedianEstimate ratio = size.ratio();
    sizes.push_back({{"bytes", size.bytes},
                     {"own_choice", json_form(estimate_median(size.own_choice))},
                     {"algorithm", size.algorithm},
                     {"value", size.value},
                     {"same_as_own_choice", size.same},
                     {"other", json_form(estimate_median(size.other))},
                     {"ratio", ratio.median},
                     {"ratio_interval", ratio.interval ? json_form(*ratio.interval) : Json()},
                     {"certainly_faster", size.certainly_faster()},
                     {"own_choice_samples_seconds", size.own_choice},
                     {"other_samples_seconds", size.other}});
  }
  Json rules = Json::array();
  for (const AlgorithmRule& rule : algorithm_rules(comparison))
    rules.push_back({{"from_bytes", rule.from}, {"value", rule.value}});
  return write_json({{"ranks", comparison.ranks},
                     {"variable", comparison.variable},
                     {"sizes", std::move(sizes)},
                     {"rules", std::move(rules)},
                     {"failed", comparison.failed},
                     {"left_out_above_bytes", comparison.left_out_above},
                     {"provenance", comparison.provenance}});
}

}  // namespace mgbench
