#pragma once

#include <string>
#include <vector>

#include "report/calibration.h"
#include "report/pair_matrix.h"
#include "report/run_result.h"
#include "report/statistics.h"

namespace mgbench {

// Figures of a result by name: what `mgbench compare` compares and `mgbench check` holds against bounds
// (docs/regression.md).

/// What a figure counts.
enum class Quantity { seconds, seconds_per_byte, bytes_per_second, ratio };

enum class Better { lower, higher };

/// Metrics of one kind. Their names are the family's, with "/" and a strategy or a size behind it unless there is one
/// only: "iteration/mg-wfbp", "allreduce/1MiB", "latency".
struct MetricFamily {
  enum class Members { one, strategies, sizes };
  std::string name;
  Members members = Members::one;
  Quantity quantity = Quantity::seconds;
  Better better = Better::lower;
};

const std::vector<MetricFamily>& metric_families();

/// The family of a metric, or of that name. Throws Error naming the nearest one.
const MetricFamily& family_of(const std::string& metric);

/// The name as metrics have it: sizes in their largest unit ("allreduce/1024KiB" is "allreduce/1MiB"). Throws Error for
/// an unknown family, a size that is none, a missing strategy or size, or one too many.
std::string metric_name(const std::string& text);

struct Metric {
  std::string name;
  Quantity quantity = Quantity::seconds;
  Better better = Better::lower;
  MedianEstimate value;          ///< in seconds, seconds a byte, bytes a second, or a ratio
  std::vector<double> by_round;  ///< whose median it is; empty: it was not measured in rounds
  /// Added to both sides before a ratio is taken. Not zero for exposed communication alone: the rest of the iteration,
  /// so that a change counts by its share of the iteration. By itself it can be next to nothing, and twice that too.
  double beside = 0;
};

/// Of strategies that have times (of equal plans under each name), of ranks, and of the calibration if there is one.
std::vector<Metric> metrics_of(const RunResult& result);

/// Of the curve that plans are made with.
std::vector<Metric> metrics_of(const Calibration& calibration);

/// The longest latency, the least bandwidth, that by the typical one, and the least share of a link's rate that is
/// reached.
std::vector<Metric> metrics_of(const PairMatrix& pairs);

/// For people: "12.4 ms", "1.18 GB/s", "8.57e-10 s/B", "0.953".
std::string format_quantity(double value, Quantity quantity);

}  // namespace mgbench
