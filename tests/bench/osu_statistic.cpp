// What osu_allreduce of the OSU Micro-Benchmarks measures, written anew from its description and sharing nothing with
// mgbench: for each size calls that do not count, then as many as asked for with a barrier after each; each rank's
// mean; of those the mean over the ranks, which OSU prints, and the maximum. Beside it the largest median of a rank.
// `--in-place` and `--memory` do what mgbench's calibration does otherwise.
//
// usage: mpirun -n P osu_statistic --largest BYTES [--iterations N] [--in-place] [--memory BYTES]
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr long kShort = 8192;  // bytes; OSU's LARGE_MESSAGE_SIZE

struct Settings {
  long largest = 1 << 20;  ///< bytes; sizes are powers of two from 4, and this one
  int iterations = 0;      ///< 0: OSU's own 1000, and 100 above 8 KiB
  int warm_up = 0;         ///< as many calls before; 0: OSU's own 200, and 10 above 8 KiB
  bool in_place = false;   ///< OSU sums from one buffer into another
  long memory = 0;         ///< bytes that calls go through in turn; 0: the same memory in every call, as OSU does
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Measurement {
 public:
  explicit Measurement(const Settings& settings)
      : settings_(settings), from_(floats(std::max(settings.largest, settings.memory)), 1.0F), to_(from_.size(), 0.0F) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  void print(long bytes) {
    const bool is_short = bytes <= kShort;
    const int iterations = settings_.iterations > 0 ? settings_.iterations : (is_short ? 1000 : 100);
    const int warm_up = settings_.warm_up > 0 ? settings_.warm_up : (is_short ? 200 : 10);
    std::vector<double> times;
    double sum = 0;
    for (int i = 0; i < warm_up + iterations; ++i) {
      const double seconds = call(floats(bytes));
      if (i >= warm_up) times.push_back(seconds);
      if (i >= warm_up) sum += seconds;
      MPI_Barrier(MPI_COMM_WORLD);
    }
    const double mean = sum / iterations;
    const double own_median = median(times);
    double sum_of_means = 0;
    double largest_mean = 0;
    double largest_median = 0;
    MPI_Reduce(&mean, &sum_of_means, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mean, &largest_mean, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own_median, &largest_median, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank_ == 0) std::printf("%ld,%.9g,%.9g,%.9g\n", bytes, sum_of_means / ranks_, largest_mean, largest_median);
  }

 private:
  static std::size_t floats(long bytes) { return static_cast<std::size_t>(bytes) / sizeof(float); }

  double call(std::size_t count) {
    if (settings_.memory == 0 || next_ + count > from_.size()) next_ = 0;
    float* const from = from_.data() + next_;
    float* const to = to_.data() + next_;
    next_ += count;
    const double begin = MPI_Wtime();
    MPI_Allreduce(settings_.in_place ? MPI_IN_PLACE : from, to, static_cast<int>(count), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
    return MPI_Wtime() - begin;
  }

  const Settings& settings_;
  std::vector<float> from_;
  std::vector<float> to_;  ///< zeros at first; in place they stay so
  std::size_t next_ = 0;
  int rank_ = 0;
  int ranks_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("osu_allreduce's statistic");
  app.add_option("--largest", settings.largest, "Bytes of the largest message")->check(CLI::Range(4L, 1L << 30));
  app.add_option("--iterations", settings.iterations, "Calls of a size");
  app.add_option("--warm-up", settings.warm_up, "Calls before them");
  app.add_flag("--in-place", settings.in_place, "Sum in place");
  app.add_option("--memory", settings.memory, "Bytes that calls go through in turn (default: the same for every call)");
  CLI11_PARSE(app, argc, argv);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("bytes,mean_seconds,largest_mean_seconds,largest_median_seconds\n");
  Measurement measurement(settings);
  for (long bytes = 4; bytes < settings.largest; bytes *= 2) measurement.print(bytes);
  measurement.print(settings.largest);
  MPI_Finalize();
}
