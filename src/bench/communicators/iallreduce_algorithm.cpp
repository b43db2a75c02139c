#include "bench/communicators/iallreduce_algorithm.h"

#include <fmt/format.h>

#include <bit>

#include "bench/calibration/control_variable.h"

namespace mgbench {
namespace {

constexpr Bytes kShort = Bytes{32} << 10;

/// As the user has left it, and written to by select_iallreduce_algorithm.
struct AlgorithmVariable {
  ControlVariable control{"coll_libnbc_iallreduce_algorithm"};
  bool set_by_user = control.value() != static_cast<int>(IallreduceAlgorithm::library_choice);
};

AlgorithmVariable& variable() {
  static AlgorithmVariable variable;
  return variable;
}

}  // namespace

IallreduceAlgorithm choose_iallreduce_algorithm(int ranks, Bytes bytes) {
  if (bytes <= kShort) return IallreduceAlgorithm::recursive_doubling;
  return std::has_single_bit(static_cast<unsigned>(ranks)) ? IallreduceAlgorithm::rabenseifner
                                                           : IallreduceAlgorithm::ring;
}

void select_iallreduce_algorithm(int ranks, Bytes bytes) {
  if (!variable().control.exists() || variable().set_by_user) return;
  variable().control.write(static_cast<int>(choose_iallreduce_algorithm(ranks, bytes)));
}

std::map<std::string, std::string> iallreduce_settings(int ranks) {
  const ControlVariable& control = variable().control;
  if (!control.exists()) return {};
  if (variable().set_by_user) return {{control.name(), fmt::format("set by user: {}", control.value())}};
  return {{control.name(),
           fmt::format("{} up to {}, {} above", static_cast<int>(choose_iallreduce_algorithm(ranks, kShort)),
                       format_bytes(kShort), static_cast<int>(choose_iallreduce_algorithm(ranks, kShort + 1)))}};
}

}  // namespace mgbench
