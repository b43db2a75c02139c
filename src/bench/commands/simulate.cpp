#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/options.h"
#include "planner/device_figures.h"
#include "planner/message_units.h"
#include "planner/simulation.h"
#include "report/calibration.h"
#include "report/device_file.h"
#include "report/interconnect.h"
#include "report/profile_reader.h"
#include "report/run_result.h"
#include "report/simulation_report.h"

namespace mgbench::commands_entries {
namespace {

constexpr int kMostRanks = 1'000'000;

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("--profile", config.profile, "Profile of the network (mgbench profile)")->type_name("FILE");
  app.add_option("--model", config.model, "Built-in model, on a --device (mgbench list)")
      ->type_name("MODEL")
      ->capture_default_str();
  app.add_option("--device", config.device,
                 "Device that the model's times are estimated for: a file, or a name of configs/devices")
      ->type_name("DEVICE|FILE");
  app.add_option("--batch", config.batch, "Images a rank on the device (default: the published figure's)")
      ->type_name("N");
  app.add_option("--interconnect", config.interconnect, "Interconnect: a file, or a name of configs/interconnects")
      ->type_name("INTERCONNECT|FILE");
  app.add_option("--calibration", config.calibrations, "Calibrations (mgbench calibrate), one for each number of ranks")
      ->type_name("FILE");
  app.add_option("--ranks", config.simulated_ranks, "Numbers of ranks; '...' goes on by the ratio before it")
      ->type_name("P,P,...,P")
      ->capture_default_str();
  app.add_option(
         "--law", config.law,
         "How cost grows with ranks: recursive-doubling, halving-doubling, double-binary-tree or ring (default: the "
         "one that explains the given costs best)")
      ->type_name("LAW");
  app.add_option("--message-unit", config.message_unit, "What may be merged")
      ->type_name("tensor|layer")
      ->capture_default_str();
  app.add_option(
         "--jitter", config.jitter,
         "How computation varies from rank to rank: a relative standard deviation (0.02), or a result of mgbench run")
      ->type_name("SHARE|FILE");
  app.add_option("--sharing", config.sharing,
                 "How many times longer a byte takes while two messages are in flight (default: 1.5, as published)")
      ->type_name("FACTOR");
  app.add_option("--seed", config.seed, "Seed of the variation")->capture_default_str();
  add_strategy_options(app, config);
  app.get_option("--strategy")->type_name("STRATEGIES|SIMULATED");
  add_json_option(app, config);
}

int parse_ranks(const std::string& word, const std::string& whole) {
  int ranks = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ranks);
  require(error == std::errc() && end == word.data() + word.size() && ranks >= 2 && ranks <= kMostRanks,
          "--ranks {}: '{}' is not a number of ranks, expected 2 to {}", whole, word, kMostRanks);
  return ranks;
}

/// "2,4,8,...,4096": what "..." stands for goes on by the ratio of the two numbers before it.
std::vector<int> simulated_ranks(const std::string& text) {
  std::vector<int> ranks;
  bool fill = false;
  for (const std::string& word : split_list(text)) {
    if (word == "...") {
      require(ranks.size() >= 2 && !fill, "--ranks {}: '...' needs two numbers before it", text);
      fill = true;
      continue;
    }
    const int last = parse_ranks(word, text);
    require(ranks.empty() || last > ranks.back(), "--ranks {}: {} follows {}, expected increasing numbers", text, last,
            ranks.empty() ? 0 : ranks.back());
    if (fill) {
      const double ratio = static_cast<double>(ranks.back()) / ranks[ranks.size() - 2];
      for (double next = ranks.back() * ratio; next < last; next *= ratio) ranks.push_back(static_cast<int>(next));
      fill = false;
    }
    ranks.push_back(last);
  }
  require(!ranks.empty() && !fill, "--ranks {}: expected numbers of ranks, as in 2,4,8,...,4096", text);
  return ranks;
}

ReadProfile simulated_profile(const RunConfig& config) {
  require(config.profile.empty() != config.device.empty(),
          "simulate: expected --profile FILE (mgbench profile measures one), or --device NAME with --model NAME");
  require(config.profile.empty() || !config.batch, "simulate: a profile has its batch; --batch goes with --device");
  require(!config.batch || *config.batch >= 1, "--batch {}: expected at least one image a rank", *config.batch);
  const std::vector<std::string> units{"tensor", "layer"};
  require(config.message_unit == units[0] || config.message_unit == units[1], "unknown message unit '{}'{}",
          config.message_unit, suggestion(config.message_unit, units));
  ReadProfile read;
  if (!config.profile.empty()) {
    read = read_profile_text(read_file(config.profile), config.profile);
  } else {
    const auto path = find_config("devices", config.device);
    const DeviceFigures device = device_from_yaml(read_file(path), path.string());
    read.profile = estimated_profile(models().find(config.model).make(), device, config.batch);
  }
  if (config.message_unit == "layer") read.profile = by_layers(read.profile);
  return read;
}

/// What the simulation rests on, and how to call it.
struct Cluster {
  ClusterCost cost;
  std::string source;
};

Cluster simulated_cluster(const RunConfig& config) {
  require(config.interconnect.empty() != config.calibrations.empty(),
          "simulate: expected --interconnect FILE or --calibration FILE");
  const AllreduceLaw* law = config.law.empty() ? nullptr : &find_law(config.law);
  std::map<int, CostModel> costs;
  const auto add = [&](int ranks, const CostModel& cost) {
    return costs.emplace(ranks, config.sharing ? cost.with_sharing(*config.sharing) : cost).second;
  };
  if (!config.interconnect.empty()) {
    const auto path = find_config("interconnects", config.interconnect);
    const Interconnect interconnect = interconnect_from_yaml(read_file(path), path.string());
    for (const auto& [ranks, line] : interconnect.allreduce) add(ranks, interconnect.cost(ranks));
    return {ClusterCost(std::move(costs), law), fmt::format("Interconnect {} ({}).", interconnect.name, path.string())};
  }
  for (const std::string& file : config.calibrations) {
    const Calibration calibration = calibration_from_yaml(read_file(file), file);
    require(calibration.ranks >= 2, "{}: a calibration of one rank tells nothing of an interconnect", file);
    require(add(calibration.ranks, calibration.planning_cost()),
            "{}: a second calibration of {} ranks, expected one for each number", file, calibration.ranks);
  }
  return {ClusterCost(std::move(costs), law), fmt::format("Calibrations: {}.", fmt::join(config.calibrations, ", "))};
}

std::optional<RankSpread> spread(const RunConfig& config) {
  if (config.jitter.empty()) return std::nullopt;
  double deviation = 0;
  const auto [end, error] =
      std::from_chars(config.jitter.data(), config.jitter.data() + config.jitter.size(), deviation);
  if (error == std::errc() && end == config.jitter.data() + config.jitter.size()) return RankSpread::normal(deviation);
  const RunResult result = run_result_from_json(read_file(config.jitter), config.jitter);
  std::vector<double> times;
  for (const Sample& sample : result.without_communication)
    if (!sample.rejected) times.push_back(sample.iteration);
  return RankSpread::measured(times, result.ranks);
}

std::vector<std::string> names_of(const std::vector<Scheduler>& schedulers) {
  std::vector<std::string> names;
  for (const Scheduler& scheduler : schedulers) names.push_back(scheduler.name);
  return names;
}

std::vector<Scheduler> chosen_schedulers(const RunConfig& config) {
  const std::vector<Scheduler> all = schedulers();
  std::vector<Scheduler> chosen;
  const std::vector<std::string> names = chosen_names("--strategy", "strategy", config.strategy, names_of(all));
  for (const Scheduler& scheduler : all)
    if (std::find(names.begin(), names.end(), scheduler.name) != names.end()) chosen.push_back(scheduler);
  return chosen;
}

void check(const RunConfig& config) {
  simulated_ranks(config.simulated_ranks);
  chosen_schedulers(config);
  simulated_profile(config);
  simulated_cluster(config);
  spread(config);
}

ExitCode execute(const RunConfig& config, Session*) {
  const ReadProfile read = simulated_profile(config);
  const Profile& profile = read.profile;
  for (const std::string& remark : read.remarks) fmt::print(stderr, "mgbench: {}\n", remark);
  const Cluster cluster = simulated_cluster(config);
  const std::optional<RankSpread> variation = spread(config);
  const auto sizes = simulate({.profile = &profile,
                               .cost = &cluster.cost,
                               .ranks = simulated_ranks(config.simulated_ranks),
                               .strategies = chosen_schedulers(config),
                               .options = config.strategy_options,
                               .spread = variation ? &*variation : nullptr,
                               .seed = config.seed});
  std::string source = cluster.source;
  if (config.message_unit == "layer") source += " Messages hold whole layers.";
  if (variation) source += fmt::format(" Ranks vary by --jitter {}, seed {}.", config.jitter, config.seed);
  fmt::print("{}\n",
             config.json ? simulation_to_json(profile, source, sizes) : format_simulation(profile, source, sizes));
  return ExitCode::ok;
}

}  // namespace

CommandEntry simulate() {
  return {.name = "simulate",
          .summary = "Predict every strategy on 2 to 4096 ranks, from a profile and what is known of an interconnect",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries
