#include "report/samples_csv.h"

#include <fmt/format.h>

#include <string_view>

namespace mgbench {
namespace {

std::string text_field(const std::string& text) {
  // What spreadsheets take for the begin of a formula, or strip until they find one.
  static constexpr std::string_view kFormula = "=+-@\t\r";
  std::string field = !text.empty() && kFormula.find(text.front()) != std::string_view::npos ? "'" + text : text;
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  for (std::size_t at = 0; (at = field.find('"', at)) != std::string::npos; at += 2) field.insert(at, 1, '"');
  return '"' + field + '"';
}

}  // namespace

std::string samples_csv(const std::vector<NamedResult>& results) {
  std::string text =
      "result,strategy,round,position,slowest_rank,iteration_seconds,forward_seconds,backward_seconds,exposed_seconds,"
      "update_seconds,rejected\r\n";
  for (const auto& [file, result] : results)
    for (const StrategyResult& strategy : result.strategies)
      for (const Sample& sample : strategy.samples)
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\r\n", text_field(file), text_field(strategy.strategy),
                            sample.round, sample.position, sample.slowest_rank, sample.iteration, sample.forward,
                            sample.backward, sample.exposed, sample.update, sample.rejected);
  return text;
}

}  // namespace mgbench
