#include "report/examples.h"

#include <algorithm>
#include <random>

#include "report/tensor_groups.h"

namespace mgbench {

Profile example_profile() {
  Profile profile{.model = "resnet50", .backend = "onednn", .ranks = 8, .batch = 4, .steps = {}, .update = 0.006};
  profile.steps = {
      {.name = "conv1", .forward = 0.010, .backward = 0.030, .tensors = {{"conv1.weight", 37632}}},
      {.name = "bn1", .forward = 0.005, .backward = 0.010, .tensors = {{"bn1.weight", 256}, {"bn1.bias", 256}}},
      {.name = "layer1.0.conv1", .forward = 0.035, .backward = 0.050, .tensors = {{"layer1.0.conv1.weight", 16384}}},
      {.name = "fc", .forward = 0.010, .backward = 0.024, .tensors = {{"fc.weight", 8192000}, {"fc.bias", 4000}}},
  };
  return profile;
}

PlanFile example_plan() {
  return {.name = "tuned",
          .model = "resnet50",
          .origin = "cost-x0.5",
          .emulated = "",
          .command = "mgbench tune",
          .date = "2026-11-29T10:00:00Z",
          .ranks = 8,
          .predicted = 0.18,
          .measured = MedianEstimate{.median = 0.185, .interval = Interval{0.18, 0.19}, .samples = 12},
          .groups = tensor_groups(example_profile(), MergePlan({2, 6}))};
}

Calibration example_calibration(int ranks) {
  Calibration calibration;
  calibration.ranks = ranks;
  calibration.provenance = {{"date", "2026-11-29T10:00:00Z"}, {"host", "node01"}, {"mpi", "Open MPI 4.1.4"}};
  const auto curve = [](std::string name, std::string communicator, Line line) {
    CalibrationCurve result{.name = std::move(name), .communicator = std::move(communicator), .points = {}, .fit = {}};
    for (Bytes bytes = 1024; bytes <= Bytes{64} << 20; bytes *= 4) {
      const Seconds seconds = line.time(bytes);
      result.points.push_back({bytes, seconds, Interval{0.98 * seconds, 1.03 * seconds}, 30});
    }
    result.fit_points();
    return result;
  };
  calibration.curves = {curve("library", "blocking MPI_Allreduce", {2.0e-4, 8.5e-10}),
                        curve("engine", "mpi-async", {5.23e-4, 8.571e-10})};
  return calibration;
}

std::vector<Sample> example_samples(std::size_t samples, Seconds iteration) {
  std::mt19937 random(7);
  std::vector<Sample> result;
  for (std::size_t i = 0; i < samples; ++i) {
    const double noise = 0.99 + 0.02 * static_cast<double>(random() % 1000) / 1000;
    Sample sample;
    sample.round = static_cast<int>(i / 4);
    sample.position = static_cast<int>(i % 4);
    sample.slowest_rank = static_cast<int>(i % 8);
    sample.iteration = iteration * noise;
    sample.forward = 0.060 * noise;
    sample.backward = 0.118 * noise;
    sample.update = 0.006;
    sample.exposed = std::max(0.0, sample.iteration - sample.forward - sample.backward - sample.update);
    result.push_back(sample);
  }
  return result;
}

RunResult example_run(std::size_t samples) {
  RunResult result;
  result.command = "mpirun -n 8 mgbench run --model resnet50 --batch 4 --strategy all --emulate 10GbE --seed 1";
  result.date = "2026-11-29T10:00:00Z";
  result.environment = {{"host.names", "node01"}, {"library.mpi", "Open MPI 4.1.4"}};
  result.seed = 1;
  result.model = "resnet50";
  result.backend = "onednn";
  result.communicator = "emulated(mpi-async)";
  result.emulated = "10GbE as 64 ranks";
  result.ranks = 8;
  result.threads = 1;
  result.batch = 4;
  result.calibration = example_calibration();
  result.planning_cost = "The line: at sizes held out of the fit the line is off by up to 0.0 % (allowed: under 10 %).";
  result.profile = example_profile();
  result.overlap = {.core_share = 0.2, .stretch = 1.1, .message_cpu = 5e-6, .notice = 20e-6};
  result.without_communication = example_samples(samples, 0.180);
  for (Sample& sample : result.without_communication) sample.backward -= 0.004;
  result.probe = example_samples(samples, 0.200);
  result.alone = MedianEstimate{.median = 0.1642, .interval = Interval{0.1631, 0.1655}, .samples = 12};
  result.ended = "every interval under 2 %";
  result.stages = {{"calibrating", 6.5}, {"measuring", 78}};

  struct Case {
    const char* name;
    std::vector<std::size_t> ends;
    Seconds iteration;
    Seconds predicted;
  };
  const std::vector<Case> cases{{"mg-wfbp", {2, 5, 6}, 0.1812, 0.1806},
                                {"mg-wfbp-greedy", {2, 4, 6}, 0.2341, 0.2320},
                                {"wfbp", {1, 2, 3, 4, 5, 6}, 0.5532, 0.5490},
                                {"synceasgd", {6}, 0.2752, 0.2761},
                                {"ddp", {2, 6}, 0.1884, 0.1879},
                                {"horovod", {3, 6}, 0.1814, 0.1812}};
  std::mt19937 random(11);
  for (const Case& entry : cases) {
    StrategyResult strategy;
    strategy.strategy = entry.name;
    strategy.group_ends = entry.ends;
    for (std::size_t g = 0; g < entry.ends.size(); ++g)
      strategy.group_bytes.push_back(4096 * static_cast<Bytes>(g + 1));
    strategy.samples = example_samples(samples, entry.iteration);
    // What differs between strategies in one round, so that paired ratios have intervals.
    for (Sample& sample : strategy.samples)
      sample.iteration *= 0.995 + 0.01 * static_cast<double>(random() % 1000) / 1000;
    strategy.predicted = {.forward_end = 0.060,
                          .backward_end = 0.178,
                          .communication_end = entry.predicted - 0.006,
                          .iteration = entry.predicted,
                          .messages = {{0.08, 0.08, 0.09}, {0.1, 0.1, 0.12}}};
    strategy.predicted_no_overlap = strategy.predicted;
    strategy.measured = strategy.predicted;
    strategy.transfers = {0.009, 0.0195};
    result.strategies.push_back(strategy);
  }
  return result;
}

StrategyResult& strategy(RunResult& result, const std::string& name) {
  return *std::find_if(result.strategies.begin(), result.strategies.end(),
                       [&](const StrategyResult& candidate) { return candidate.strategy == name; });
}

}  // namespace mgbench
