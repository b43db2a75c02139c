#include "report/interconnect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>
#include <vector>

#include "report/yaml.h"

namespace mgbench {
namespace {

int read_ranks(const std::string& key, const Value& value) {
  int ranks = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), ranks);
  if (error != std::errc() || end != key.data() + key.size() || ranks < 2 || ranks > 1'000'000)
    value.wrong("'{}' is not a number of ranks, expected 2 to 1000000", key);
  return ranks;
}

std::map<int, Line> read_lines(const Value& value) {
  std::map<int, Line> lines;
  for (const auto& [key, line] : value.entries()) {
    line.fields({"a", "b"});
    const bool added =
        lines.try_emplace(read_ranks(key, line), Line{line.at("a").positive(), line.at("b").positive()}).second;
    if (!added) line.wrong("this number of ranks is there twice");
  }
  if (lines.empty()) value.wrong("no number of ranks, expected at least one");
  return lines;
}

}  // namespace

CostModel Interconnect::cost(int ranks) const {
  const auto found = allreduce.find(ranks);
  if (found != allreduce.end()) {
    CostModel cost(found->second);
    for (const auto& [collective, lines] : others)
      if (const auto own = lines.find(ranks); own != lines.end()) cost = cost.with_measured(collective, own->second);
    return cost;
  }
  std::vector<int> known;
  for (const auto& [number, line] : allreduce) known.push_back(number);
  fail(ExitCode::bad_input, "{} has no allreduce cost for {} ranks, expected one of {}", name, ranks,
       fmt::join(known, ", "));
}

Interconnect interconnect_from_yaml(const std::string& text, const std::string& file) {
  const Document document = parse_yaml(text, file);
  const Value root = document.root();
  root.fields({"name", "source", "allreduce"}, {"doubts", "reduce_scatter", "all_gather"});
  Interconnect interconnect;
  interconnect.name = root.at("name").text();
  interconnect.source = root.at("source").text();
  if (const auto doubts = root.find("doubts")) interconnect.doubts = doubts->text();
  interconnect.allreduce = read_lines(root.at("allreduce"));
  for (const auto& [key, collective] :
       {std::pair{"reduce_scatter", Collective::reduce_scatter}, std::pair{"all_gather", Collective::all_gather}})
    if (const auto lines = root.find(key)) {
      interconnect.others[collective] = read_lines(*lines);
      for (const auto& [ranks, line] : interconnect.others[collective])
        if (!interconnect.allreduce.contains(ranks))
          lines->wrong("{} ranks, expected those of 'allreduce' only", ranks);
    }
  return interconnect;
}

}  // namespace mgbench
