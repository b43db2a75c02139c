#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace stand_in {

/// How an allreduce of some size is summed, if only in words.
struct Choice {
  std::string algorithm;  // as the log has it: "RING"
  std::string protocol;
  int channels;
};

/// What a communicator takes for which size, by latency and bandwidth, as NCCL_ALGO and NCCL_PROTO leave it when the
/// communicator is made: a list, or ^ and a list of what is not to be taken.
class Tuning {
 public:
  static constexpr std::size_t kAlgorithms = 7;
  static constexpr std::size_t kProtocols = 3;

  /// Logs what the library logs of itself; `rank` 0 the table, too. Ends the program's call for a word that it does not
  /// know.
  explicit Tuning(int rank);

  /// Rank 0 logs it. Ends the program's call where nothing is left to choose from.
  Choice choose(std::size_t bytes) const;

 private:
  struct Way {
    double latency = 0;    // us
    double bandwidth = 0;  // GB/s; 0: not to be had
  };

  void tell() const;

  int rank_;
  std::array<std::array<Way, kProtocols>, kAlgorithms> ways_;
};

}  // namespace stand_in
