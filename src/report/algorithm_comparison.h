#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/units.h"
#include "report/statistics.h"
#include "report/table.h"

namespace mgbench {

/// At one size: a library's own choice against the fastest of the algorithms that it offers beside it.
struct SizeComparison {
  Bytes bytes = 0;
  std::string algorithm;
  int value = 0;                       ///< the library's number of that algorithm
  std::vector<std::string> same = {};  ///< others that do just what the own choice does
  std::vector<Seconds> own_choice;     ///< of the slowest rank, by round
  std::vector<Seconds> other;          ///< in the same rounds

  /// The own choice's time by the other's, paired by round: above 1 where the other is faster.
  MedianEstimate ratio() const { return estimate_ratio(own_choice, other); }
  /// By at least 2 %, at the near end of the 95 % interval.
  bool certainly_faster() const;
};

struct AlgorithmComparison {
  int ranks = 1;
  std::string library = "the MPI library";
  std::string variable;                       ///< what chooses: "coll_tuned_allreduce_algorithm"
  std::map<std::string, std::string> failed;  ///< algorithms that are left out, and why
  std::vector<SizeComparison> sizes;          ///< ascending
  Bytes left_out_above = 0;                   ///< 0: no size was too long for the budget
  std::map<std::string, std::string> provenance;
};

/// From so many bytes on, up to the next rule.
struct AlgorithmRule {
  Bytes from = 0;
  int value = 0;  ///< 0: the library's own choice
  bool operator==(const AlgorithmRule&) const = default;
};

/// Only what was measured to be certainly faster: from the first to the last of neighbouring sizes at which it is the
/// same algorithm, the ends included; the library's own choice everywhere else. Starts from 0 bytes; empty where
/// nothing is to be changed.
std::vector<AlgorithmRule> algorithm_rules(const AlgorithmComparison& comparison);

/// Those rules for communicators of just that many ranks, as Open MPI 4 and 5 read them
/// (coll_tuned_dynamic_rules_filename).
std::string open_mpi_rules(int ranks, const std::vector<AlgorithmRule>& rules);
/// Whether a library ("Open MPI v4.1.4") reads them as they are meant.
bool reads_open_mpi_rules(const std::string& library);

/// For a library that takes one algorithm for all sizes, or its own choice: the one that is the fastest other at each
/// of them, or the same as the own choice, certainly faster at one and certainly slower at none. Empty: there is no
/// such.
std::string algorithm_for_all_sizes(const AlgorithmComparison& comparison);

/// A table of the sizes, and what is certain.
std::string format_algorithms(const AlgorithmComparison& comparison, std::size_t width = kDefaultWidth);

std::string algorithms_to_json(const AlgorithmComparison& comparison);

}  // namespace mgbench
