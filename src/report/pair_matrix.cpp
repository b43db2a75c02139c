#include "report/pair_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/printable.h"
#include "report/forms.h"
#include "report/json.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kMostNodesInATable = 16;

template <typename Cell>
std::string table_of(const PairMatrix& matrix, std::size_t width, Cell cell) {
  const std::size_t nodes = matrix.nodes.size();
  std::vector<Table::Column> columns{{"", "", Table::Align::left}};
  for (std::size_t node = 0; node < nodes; ++node) columns.push_back({std::to_string(node), ""});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t node = 0; node < nodes; ++node) {
    rows.push_back({fmt::format("{}: {}", node, matrix.nodes[node])});
    rows.back().resize(nodes + 1, "-");
  }
  for (const PairTime& pair : matrix.pairs)
    rows[pair.one][pair.other + 1] = rows[pair.other][pair.one + 1] = cell(pair);
  Table table(columns);
  for (std::vector<std::string>& row : rows) table.add(std::move(row));
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

std::string rate_lines(const PairMatrix& matrix, std::size_t width) {
  const std::vector<double> shares = link_shares(matrix);
  if (shares.empty()) return "";
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  return wrap(fmt::format("Of the rates that the kernels tell for their interfaces pairs reach {:.0f} to {:.0f} %.",
                          100 * *least, 100 * *most),
              width, 2);
}

}  // namespace

std::vector<double> pair_values(const PairMatrix& matrix, double PairTime::*value) {
  std::vector<double> result;
  for (const PairTime& pair : matrix.pairs) result.push_back(pair.*value);
  return result;
}

std::vector<double> link_shares(const PairMatrix& matrix) {
  std::vector<double> shares;
  for (const PairTime& pair : matrix.pairs) {
    const double rate = std::min(matrix.link_rates[pair.one], matrix.link_rates[pair.other]);
    if (rate > 0) shares.push_back(pair.bandwidth / rate);
  }
  return shares;
}

std::vector<SlowPart> slow_parts(const PairMatrix& matrix) {
  const std::size_t nodes = matrix.nodes.size();
  std::vector<SlowPart> slow;
  if (nodes < 3) return slow;
  const double typical = median(pair_values(matrix, &PairTime::bandwidth));
  std::vector<std::vector<double>> links(nodes);
  for (const PairTime& pair : matrix.pairs)
    for (const std::size_t node : {pair.one, pair.other}) links[node].push_back(pair.bandwidth);
  std::vector<bool> slow_node(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const double share = median(std::move(links[node])) / typical;
    slow_node[node] = share < kSlow;
    if (slow_node[node]) slow.push_back({{node}, share});
  }
  for (const PairTime& pair : matrix.pairs) {
    const double share = pair.bandwidth / typical;
    if (share < kSlow && !slow_node[pair.one] && !slow_node[pair.other])
      slow.push_back({{pair.one, pair.other}, share});
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
            table_of(matrix, width, [](const PairTime& pair) { return fmt::format("{:.3f}", pair.bandwidth / 1e9); });
    text += "\nLatency one way, us\n" +
            table_of(matrix, width, [](const PairTime& pair) { return fmt::format("{:.2f}", pair.latency * 1e6); });
  } else {
    text += quantiles("Bandwidth one way", pair_values(matrix, &PairTime::bandwidth), "GB/s", 1e-9);
    text += quantiles("Latency one way", pair_values(matrix, &PairTime::latency), "us", 1e6);
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
  for (const PairTime& pair : matrix.pairs)
    pairs.push_back({{"nodes", {matrix.nodes[pair.one], matrix.nodes[pair.other]}},
                     {"latency_seconds", pair.latency},
                     {"bandwidth_bytes_per_second", pair.bandwidth}});
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

PairMatrix pairs_from_json(const std::string& text, const std::string& file) {
  const Document document = parse_json(text, file);
  return read_pairs(document.root());
}

PairMatrix read_pairs(const Value& root) {
  root.fields({"pairs", "slow", "link_rates_bytes_per_second"});
  const auto node_names = [](const Value& pair) {
    const std::vector<Value> names = pair.at("nodes").items();
    if (names.size() != 2) pair.at("nodes").wrong("{} names, expected two", names.size());
    return std::pair{names[0].text(), names[1].text()};
  };

  PairMatrix matrix;
  std::map<std::string, std::size_t> index;
  const auto index_of = [&](const std::string& name) {
    const auto [found, added] = index.try_emplace(name, matrix.nodes.size());
    if (added) matrix.nodes.push_back(name);
    return found->second;
  };
  std::set<std::pair<std::size_t, std::size_t>> known;
  for (const Value& pair : root.at("pairs").items()) {
    pair.fields({"nodes", "latency_seconds", "bandwidth_bytes_per_second"});
    const auto [first, second] = node_names(pair);
    const auto [one, other] = std::minmax({index_of(first), index_of(second)});
    if (one == other || !known.insert({one, other}).second)
      pair.at("nodes").wrong("'{}' and '{}' again", excerpt(first), excerpt(second));
    matrix.pairs.push_back({.one = one,
                            .other = other,
                            .latency = pair.at("latency_seconds").seconds(),
                            .bandwidth = pair.at("bandwidth_bytes_per_second").positive(1e15)});
  }
  const std::size_t nodes = matrix.nodes.size();
  const std::size_t in_full = nodes < 2 ? 1 : nodes * (nodes - 1) / 2;
  if (nodes <= kMostNodesInFull && matrix.pairs.size() != in_full)
    root.at("pairs").wrong("{} pairs of {} nodes, expected each pair of nodes once", matrix.pairs.size(), nodes);
  matrix.link_rates.assign(nodes, 0);
  for (const auto& [name, rate] : root.at("link_rates_bytes_per_second").entries()) {
    const auto node = index.find(name);
    if (node == index.end()) rate.wrong("'{}' is none of the nodes", excerpt(name));
    matrix.link_rates[node->second] = rate.positive(1e15);
  }
  return matrix;
}

}  // namespace mgbench
