// The engine for a long time: memory and descriptors of every rank must stay as they are, and iterations must not
// become slower. Exit code 1 where that is not so; 3 where they became slower and others used the processors too, which
// tells nothing. Nothing is kept of an iteration: growth is a leak.
//
// usage: mpirun -n P soak [--seconds S] [--model NAME] [--communicator NAME]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "bench/communicator.h"
#include "bench/host/environment.h"
#include "bench/host/load_meter.h"
#include "bench/host/placement.h"
#include "bench/mpi/mpi_session.h"
#include "bench/training/trainer.h"
#include "bench/training/workload.h"
#include "report/drift.h"
#include "report/json.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kReadings = 60;
constexpr std::size_t kWarmUp = 6;       // of them: buffers of the MPI library grow until every pattern has been seen
constexpr double kMostGrowth = 1 << 20;  // bytes; what a libc may move about
constexpr double kError = 0.01;

struct Settings {
  Seconds seconds = 600;
  std::string model = "tiny";
  std::string communicator = "mpi-async";
};

/// From /proc/self/statm.
double resident_bytes() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double open_descriptors() {
  return static_cast<double>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

/// One value a reading; iterations are agreed over the ranks.
struct Readings {
  std::vector<double> resident;
  std::vector<double> descriptors;
  std::vector<double> iterations;
  std::size_t blocks = 0;
};

Schedule one_message_a_tensor(const Profile& outline) {
  std::vector<std::size_t> ends;
  for (std::size_t end = 1; end <= ready_tensors(outline).size(); ++end) ends.push_back(end);
  return make_schedule(outline, MergePlan(ends));
}

Readings read(ProcessGroup& group, Trainer& trainer, Seconds seconds) {
  const Profile& outline = trainer.network().outline();
  const std::vector<Schedule> schedules{one_message_a_tensor(outline),
                                        make_schedule(outline, MergePlan({ready_tensors(outline).size()}))};
  Readings readings;
  readings.resident.reserve(kReadings);
  readings.descriptors.reserve(kReadings);
  readings.iterations.reserve(kReadings);
  const Seconds begin = steady_clock().now();
  for (std::size_t reading = 0; reading < kReadings; ++reading) {
    const Seconds end = begin + seconds * static_cast<double>(reading + 1) / kReadings;
    std::vector<double> iterations;
    do {
      for (const Schedule& schedule : schedules)
        for (const Sample& sample : agree_on_samples(group, trainer.run_block(schedule, 10), 0))
          iterations.push_back(sample.iteration);
      ++readings.blocks;
    } while (group.all(steady_clock().now() < end));
    readings.iterations.push_back(median(std::move(iterations)));
    readings.resident.push_back(resident_bytes());
    readings.descriptors.push_back(open_descriptors());
  }
  return readings;
}

/// What is behind the warm-up: largest - first.
double growth(const double* values) {
  return *std::max_element(values + kWarmUp, values + kReadings) - values[kWarmUp];
}

/// Prints what was read as JSON; what the program ends with.
ExitCode report(const Settings& settings, const ProcessGroup& group, const Readings& own,
                const std::vector<double>& resident, const std::vector<double>& descriptors,
                const std::optional<MachineLoad>& load) {
  Json ranks = Json::array();
  bool flat = true;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(group.size()); ++rank) {
    const double* bytes = &resident[rank * kReadings];
    const double* files = &descriptors[rank * kReadings];
    flat = flat && growth(bytes) <= kMostGrowth && growth(files) <= 0;
    ranks.push_back({{"resident_bytes", std::vector(bytes, bytes + kReadings)},
                     {"resident_growth_bytes", growth(bytes)},
                     {"descriptors", std::vector(files, files + kReadings)},
                     {"descriptor_growth", growth(files)}});
  }
  RoundTimes times;
  for (std::size_t reading = kWarmUp; reading < kReadings; ++reading)
    times[static_cast<int>(reading)] = own.iterations[reading];
  const std::optional<double> drift = drift_of(times, kError);
  const bool slower = drift && *drift > 1;  // faster is the end of somebody else's job
  const bool disturbed = load && load->disturbed > 0;
  const ExitCode code = !flat || (slower && !disturbed) ? ExitCode::verdict_failed
                        : slower                        ? ExitCode::not_measured
                                                        : ExitCode::ok;
  const Json result = {{"date", utc_now()},
                       {"model", settings.model},
                       {"communicator", settings.communicator},
                       {"seconds", settings.seconds},
                       {"readings", kReadings},
                       {"warm_up_readings", kWarmUp},
                       {"blocks", own.blocks},
                       {"iteration_seconds", own.iterations},
                       {"drift", drift ? Json(*drift) : Json()},
                       {"others_share", load ? Json(load->worst.at(0).others) : Json()},
                       {"flat", flat},
                       {"exit_code", static_cast<int>(code)},
                       {"ranks", std::move(ranks)}};
  fmt::print("{}\n", result.dump());
  return code;
}

ExitCode soak(const Settings& settings, ProcessGroup& group) {
  RunConfig config;
  config.model = settings.model;
  const Workload workload(config);
  const std::unique_ptr<Network> network = workload.make_network(group, 1);
  const std::unique_ptr<Communicator> communicator =
      communicators().find(settings.communicator).make({.group = &group, .clock = &steady_clock()});
  Trainer trainer(group, *network, *communicator);
  LoadMeter meter(group, place_rank(group, std::nullopt));
  const Readings own = read(group, trainer, settings.seconds);
  const std::optional<MachineLoad> load = meter.read();
  const std::vector<double> resident = group.gather(own.resident);
  const std::vector<double> descriptors = group.gather(own.descriptors);
  return group.is_root() ? report(settings, group, own, resident, descriptors, load) : ExitCode::ok;
}

}  // namespace
}  // namespace mgbench

int main(int argc, char** argv) {
  mgbench::Settings settings;
  CLI::App app("The engine for a long time");
  app.add_option("--seconds", settings.seconds, "For all of it")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--model", settings.model, "To train")->capture_default_str();
  app.add_option("--communicator", settings.communicator, "How messages travel")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const mgbench::MpiSession mpi(argc, argv);
  mgbench::ProcessGroup group(MPI_COMM_WORLD);
  return static_cast<int>(mgbench::soak(settings, group));
}
