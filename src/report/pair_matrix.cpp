#include "report/pair_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/forms.h"
#include "report/json.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kMostNodesInATable = 16;

/// Of all pairs, or of one node's.
std::vector<double> values_of(const PairMatrix& matrix, const std::vector<double>& values, std::size_t node,
                              bool all = false) {
  std::vector<double> result;
  for (std::size_t one = 0; one < matrix.nodes.size(); ++one)
    for (std::size_t other = one + 1; other < matrix.nodes.size(); ++other)
      if (all || one == node || other == node) result.push_back(values[matrix.index(one, other)]);
  return result;
}

template <typename Cell>
std::string table_of(const PairMatrix& matrix, const std::vector<double>& values, std::size_t width, Cell cell) {
  std::vector<Table::Column> columns{{"", "", Table::Align::left}};
  for (std::size_t node = 0; node < matrix.nodes.size(); ++node) columns.push_back({std::to_string(node), ""});
  Table table(columns);
  for (std::size_t one = 0; one < matrix.nodes.size(); ++one) {
    std::vector<std::string> cells{fmt::format("{}: {}", one, matrix.nodes[one])};
    for (std::size_t other = 0; other < matrix.nodes.size(); ++other)
      cells.push_back(one == other ? "-" : cell(values[matrix.index(one, other)]));
    table.add(std::move(cells));
  }
  return table.text(width);
}

std::string quantiles(const char* what, std::vector<double> values, const std::string& unit, double factor) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))] * factor;
  };
  return fmt::format("{} of {} pairs: least {:.4g}, median {:.4g}, most {:.4g} {}.\n", what, values.size(), at(0),
                     at(0.5), at(1), unit);
}

std::string slow_sentence(const PairMatrix& matrix, const SlowPart& slow) {
  if (slow.nodes.size() == 1)
    return fmt::format("SLOW NODE {}: its links reach {:.0f} % of the typical bandwidth.", matrix.nodes[slow.nodes[0]],
                       100 * slow.share);
  return fmt::format("SLOW LINK between {} and {}: {:.0f} % of the typical bandwidth.", matrix.nodes[slow.nodes[0]],
                     matrix.nodes[slow.nodes[1]], 100 * slow.share);
}

/// The share of the slower end's rate that the best of a node's links reaches.
std::string rate_lines(const PairMatrix& matrix, std::size_t width) {
  double least = 0;
  double most = 0;
  for (std::size_t one = 0; one < matrix.nodes.size(); ++one)
    for (std::size_t other = one + 1; other < matrix.nodes.size(); ++other) {
      const double rate = std::min(matrix.link_rates[one], matrix.link_rates[other]);
      if (rate <= 0) continue;
      const double share = matrix.bandwidths[matrix.index(one, other)] / rate;
      least = least == 0 ? share : std::min(least, share);
      most = std::max(most, share);
    }
  if (most == 0) return "";
  return wrap(fmt::format("Of the rates that the kernels tell for their interfaces pairs reach {:.0f} to {:.0f} %.",
                          100 * least, 100 * most),
              width, 2);
}

}  // namespace

std::vector<SlowPart> slow_parts(const PairMatrix& matrix) {
  const std::size_t nodes = matrix.nodes.size();
  std::vector<SlowPart> slow;
  if (nodes < 3) return slow;
  const double typical = median(values_of(matrix, matrix.bandwidths, 0, true));
  std::vector<bool> slow_node(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const double share = median(values_of(matrix, matrix.bandwidths, node)) / typical;
    slow_node[node] = share < kSlow;
    if (slow_node[node]) slow.push_back({{node}, share});
  }
  for (std::size_t one = 0; one < nodes; ++one)
    for (std::size_t other = one + 1; other < nodes; ++other) {
      const double share = matrix.bandwidths[matrix.index(one, other)] / typical;
      if (share < kSlow && !slow_node[one] && !slow_node[other]) slow.push_back({{one, other}, share});
    }
  std::stable_sort(slow.begin(), slow.end(),
                   [](const SlowPart& left, const SlowPart& right) { return left.share < right.share; });
  return slow;
}

std::string format_pairs(const PairMatrix& matrix, std::size_t width) {
  std::string text =
      fmt::format("Pairs of {} nodes, each alone with others that are disjoint\n\n", matrix.nodes.size());
  if (matrix.nodes.size() <= kMostNodesInATable) {
    text += "Bandwidth one way, GB/s\n" +
            table_of(matrix, matrix.bandwidths, width, [](double value) { return fmt::format("{:.3f}", value / 1e9); });
    text += "\nLatency one way, us\n" +
            table_of(matrix, matrix.latencies, width, [](double value) { return fmt::format("{:.2f}", value * 1e6); });
  } else {
    text += quantiles("Bandwidth one way", values_of(matrix, matrix.bandwidths, 0, true), "GB/s", 1e-9);
    text += quantiles("Latency one way", values_of(matrix, matrix.latencies, 0, true), "us", 1e6);
  }
  text += '\n' + rate_lines(matrix, width);
  const std::vector<SlowPart> slow = slow_parts(matrix);
  for (const SlowPart& part : slow) text += wrap(slow_sentence(matrix, part), width, 2);
  if (slow.empty() && matrix.nodes.size() >= 3)
    text += fmt::format("No node and no link is below {:.0f} % of the typical bandwidth.\n", 100 * kSlow);
  return text;
}

std::string pairs_to_json(const PairMatrix& matrix) {
  Json pairs = Json::array();
  for (std::size_t one = 0; one < matrix.nodes.size(); ++one)
    for (std::size_t other = one + 1; other < matrix.nodes.size(); ++other)
      pairs.push_back({{"nodes", {matrix.nodes[one], matrix.nodes[other]}},
                       {"latency_seconds", matrix.latencies[matrix.index(one, other)]},
                       {"bandwidth_bytes_per_second", matrix.bandwidths[matrix.index(one, other)]}});
  Json slow = Json::array();
  for (const SlowPart& part : slow_parts(matrix)) {
    Json names = Json::array();
    for (const std::size_t node : part.nodes) names.push_back(matrix.nodes[node]);
    slow.push_back({{"nodes", std::move(names)}, {"share_of_typical", part.share}});
  }
  Json rates = Json::object();
  for (std::size_t node = 0; node < matrix.nodes.size(); ++node)
    if (matrix.link_rates[node] > 0) rates[matrix.nodes[node]] = matrix.link_rates[node];
  return write_json(
      {{"pairs", std::move(pairs)}, {"slow", std::move(slow)}, {"link_rates_bytes_per_second", std::move(rates)}});
}

}  // namespace mgbench
