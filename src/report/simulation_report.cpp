#include "report/simulation_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "report/forms.h"
#include "report/json.h"
#include "report/profile_report.h"

namespace mgbench {
namespace {

constexpr const char* kReference = "mg-wfbp";

/// The size's iteration under MG-WFBP, if that was asked for.
std::optional<Seconds> reference_iteration(const SimulatedSize& size) {
  for (const SimulatedStrategy& strategy : size.strategies)
    if (strategy.name == kReference) return strategy.iteration;
  return std::nullopt;
}

/// A row a size, a column a strategy. Extrapolated sizes are marked by "~".
template <typename Cell>
std::string table_of(const std::string& title, const std::string& unit, const std::vector<SimulatedSize>& sizes,
                     std::size_t width, Cell cell) {
  std::vector<Table::Column> columns{{"ranks", ""}};
  for (const SimulatedStrategy& strategy : sizes.front().strategies) columns.push_back({strategy.name, unit});
  Table table(columns);
  for (const SimulatedSize& size : sizes) {
    std::vector<std::string> cells{fmt::format("{}{}", size.basis == "measured" ? "" : "~", size.ranks)};
    for (const SimulatedStrategy& strategy : size.strategies) cells.push_back(cell(size, strategy));
    table.add(std::move(cells));
  }
  return '\n' + title + '\n' + table.text(width);
}

std::string thresholds(const std::vector<SimulatedSize>& sizes, std::size_t width) {
  constexpr double kEfficiencies[] = {0.9, 0.7, 0.5};
  Table table({{"strategy", "", Table::Align::left},
               {"< 90 %", "from ranks"},
               {"< 70 %", "from ranks"},
               {"< 50 %", "from ranks"}});
  for (std::size_t strategy = 0; strategy < sizes.front().strategies.size(); ++strategy) {
    std::vector<std::string> cells{sizes.front().strategies[strategy].name};
    for (const double efficiency : kEfficiencies) {
      const std::optional<int> ranks = first_below(sizes, strategy, efficiency);
      cells.push_back(ranks ? std::to_string(*ranks) : "-");
    }
    table.add(std::move(cells));
  }
  return "\nThe smallest of these sizes with an efficiency under\n" + table.text(width);
}

/// Crossings of a size together, WFBP against SyncEASGD first as the strategies are listed.
std::string crossing_lines(const std::vector<SimulatedSize>& sizes, std::size_t width) {
  std::string text;
  for (const Crossing& crossing : crossings(sizes))
    text += wrap(fmt::format("{} overtakes {} between {} and {} ranks.", crossing.overtaking, crossing.overtaken,
                             crossing.from, crossing.to),
                 width, 2);
  return text.empty() ? "" : '\n' + text;
}

/// Each basis once, with the sizes that rest on it.
std::string bases(const std::vector<SimulatedSize>& sizes, std::size_t width) {
  std::map<std::string, std::vector<int>> ranks;
  for (const SimulatedSize& size : sizes) ranks[size.basis].push_back(size.ranks);
  std::string text = "\n";
  for (const auto& [basis, own] : ranks)
    text += wrap(fmt::format("Cost at {} ranks: {}.", fmt::join(own, ", "), basis == "measured" ? "as given" : basis),
                 width, 2);
  return text;
}

}  // namespace

std::string format_simulation(const Profile& profile, const std::string& source,
                              const std::vector<SimulatedSize>& sizes, std::size_t width) {
  const Seconds alone = profile.computation() + profile.update;
  std::string text = wrap(fmt::format("SIMULATED: {} on {}{}; one rank alone takes {} an iteration. {}", profile.model,
                                      profile.backend, batch_phrase(profile), format_seconds(alone), source),
                          width, 2);
  const TimeScale scale(alone);
  text += table_of("Iteration", scale.unit(), sizes, width,
                   [&](const auto&, const auto& strategy) { return scale(strategy.iteration); });
  const bool extrapolated =
      std::any_of(sizes.begin(), sizes.end(), [](const SimulatedSize& size) { return size.basis != "measured"; });
  if (extrapolated)
    text += table_of("Iteration with the cost at either end of its 95 % interval (~: extrapolated)", scale.unit(),
                     sizes, width, [&](const SimulatedSize& size, const SimulatedStrategy& strategy) {
                       if (size.basis == "measured") return std::string("-");
                       return scale(strategy.range.low) + "-" + scale(strategy.range.high);
                     });
  if (sizes.front().strategies.front().variation)
    text += table_of("Iteration with ranks that vary: mean [95 % range]", scale.unit(), sizes, width,
                     [&](const auto&, const SimulatedStrategy& strategy) {
                       return fmt::format("{} [{}, {}]", scale(*strategy.mean), scale(strategy.variation->low),
                                          scale(strategy.variation->high));
                     });
  text += table_of("Exposed communication", scale.unit(), sizes, width,
                   [&](const auto&, const auto& strategy) { return scale(strategy.exposed); });
  text += table_of("Scaling efficiency", "%", sizes, width,
                   [](const auto&, const auto& strategy) { return fmt::format("{:.1f}", 100 * strategy.efficiency); });
  text += table_of("Speed-up over one rank", "", sizes, width, [](const SimulatedSize& size, const auto& strategy) {
    return fmt::format("{:.4g}", size.ranks * strategy.efficiency);
  });
  if (reference_iteration(sizes.front()))
    text +=
        table_of("Speed-up of mg-wfbp against", "", sizes, width, [](const SimulatedSize& size, const auto& strategy) {
          return strategy.name == kReference ? "-"
                                             : fmt::format("{:.3f}", strategy.iteration / *reference_iteration(size));
        });
  return text + thresholds(sizes, width) + crossing_lines(sizes, width) + bases(sizes, width);
}

std::string simulation_to_json(const Profile& profile, const std::string& source,
                               const std::vector<SimulatedSize>& sizes) {
  Json rows = Json::array();
  for (const SimulatedSize& size : sizes) {
    const std::optional<Seconds> reference = reference_iteration(size);
    for (const SimulatedStrategy& strategy : size.strategies)
      rows.push_back({{"strategy", strategy.name},
                      {"ranks", size.ranks},
                      {"model", profile.model},
                      {"profile_of", profile.backend},
                      {"batch", profile.batch},
                      {"interconnect", source},
                      {"cost_basis", size.basis},
                      {"a_seconds", size.line.a},
                      {"b_seconds_per_byte", size.line.b},
                      {"messages", strategy.messages},
                      {"iteration_seconds", strategy.iteration},
                      {"iteration_range_seconds", json_form(strategy.range)},
                      {"mean_iteration_seconds", strategy.mean ? Json(*strategy.mean) : Json()},
                      {"variation_seconds", strategy.variation ? json_form(*strategy.variation) : Json()},
                      {"exposed_seconds", strategy.exposed},
                      {"efficiency", strategy.efficiency},
                      {"speedup", size.ranks * strategy.efficiency},
                      {"mg_wfbp_speedup", reference ? Json(strategy.iteration / *reference) : Json()}});
  }
  return write_json(rows);
}

}  // namespace mgbench
