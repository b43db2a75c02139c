// One size of a calibration measured in four ways, in turn: alone, among the other sizes in random order, before them
// and after them. What comes before a sample must not show in it: the four intervals should meet.
//
// usage: mpirun -n P order_effects --bytes BYTES [--largest BYTES] [--rounds N]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bench/calibration/timed_allreduce.h"
#include "bench/mpi/mpi_session.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr Bytes kMemory = Bytes{256} << 20;  // far more than caches hold, as in a calibration

struct Settings {
  Bytes bytes = 0;
  Bytes largest = Bytes{1} << 22;  ///< of the other sizes
  int rounds = 30;
};

class OrderEffects {
 public:
  OrderEffects(ProcessGroup& group, const Settings& settings)
      : group_(group),
        allreduce_(library_allreduce(group)),
        calls_(group, {.bytes = std::max(settings.bytes, kMemory)}) {
    for (Bytes bytes = sizeof(float); bytes <= settings.largest; bytes *= 4)
      if (bytes != settings.bytes) others_.push_back({bytes, calls_.plan(*allreduce_, bytes)});
    own_ = {settings.bytes, calls_.plan(*allreduce_, settings.bytes)};
  }

  void run(int rounds) {
    std::mt19937_64 random(1);
    for (int round = 0; round < rounds; ++round) {
      std::array<int, 4> ways{0, 1, 2, 3};
      std::shuffle(ways.begin(), ways.end(), random);
      for (const int way : ways) {
        std::vector<Size> order = way == 0 ? std::vector<Size>() : others_;
        const auto place = way == 1 ? random() % (order.size() + 1) : way == 2 ? 0 : order.size();
        if (way == 1) std::shuffle(order.begin(), order.end(), random);
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), own_);
        for (const Size& size : order) {
          const Seconds seconds = group_.maximum(median(calls_.sample(*allreduce_, size.bytes, size.plan)));
          if (size.bytes == own_.bytes) samples_[static_cast<std::size_t>(way)].push_back(seconds);
        }
      }
    }
  }

  void print() const {
    std::printf("way,seconds,low_seconds,high_seconds,samples\n");
    for (std::size_t way = 0; way < samples_.size(); ++way) {
      const MedianEstimate estimate = estimate_median(samples_[way]);
      const Interval interval = estimate.interval.value_or(Interval{estimate.median, estimate.median});
      std::printf("%s,%.9g,%.9g,%.9g,%zu\n", kWays[way], estimate.median, interval.low, interval.high,
                  estimate.samples);
    }
  }

 private:
  static constexpr std::array kWays{"alone", "among", "first", "last"};
  struct Size {
    Bytes bytes = 0;
    SamplePlan plan;
  };

  ProcessGroup& group_;
  std::unique_ptr<TimedAllreduce> allreduce_;
  AllreduceCalls calls_;
  std::vector<Size> others_;
  Size own_;
  std::array<std::vector<double>, 4> samples_;
};

}  // namespace
}  // namespace mgbench

int main(int argc, char** argv) {
  mgbench::Settings settings;
  CLI::App app("Order and warm-up effects of one size");
  app.add_option("--bytes", settings.bytes, "Of the messages that are measured")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--largest", settings.largest, "Of the messages before and after")->check(CLI::PositiveNumber);
  app.add_option("--rounds", settings.rounds, "Samples of each way")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const mgbench::MpiSession mpi(argc, argv);
  mgbench::ProcessGroup group(MPI_COMM_WORLD);
  mgbench::OrderEffects effects(group, settings);
  effects.run(settings.rounds);
  if (group.is_root()) effects.print();
}
