#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/calibration/compare_algorithms.h"
#include "bench/calibration/timed_allreduce.h"

namespace mgbench {

/// A library's allreduce, left to its own choice and with each of its algorithms forced.
class LibraryAlgorithms {
 public:
  LibraryAlgorithms() = default;
  virtual ~LibraryAlgorithms() = default;
  LibraryAlgorithms(const LibraryAlgorithms&) = delete;
  LibraryAlgorithms& operator=(const LibraryAlgorithms&) = delete;

  /// "the MPI library".
  virtual std::string name() const = 0;
  /// What chooses, as a user sets it.
  virtual std::string variable() const = 0;
  virtual TimedAllreduce& own_choice() = 0;
  virtual const std::vector<Algorithm>& others() const = 0;
  /// Those that cannot be had here, and why; on rank 0.
  virtual std::map<std::string, std::string> left_out() const { return {}; }
  /// What the library says of its own choice, for the record; on rank 0.
  virtual std::map<std::string, std::string> facts() const { return {}; }
};

}  // namespace mgbench
