#include "bench/communicators/iallreduce_algorithm.h"

#include <fmt/format.h>
#include <mpi.h>

#include <bit>

#include "bench/process_group.h"

namespace mgbench {
namespace {

constexpr const char* kVariable = "coll_libnbc_iallreduce_algorithm";
constexpr Bytes kShort = Bytes{32} << 10;

/// The variable through MPI's tools interface. Lives as long as the process: MPI_Finalize takes it down.
class AlgorithmVariable {
 public:
  AlgorithmVariable() {
    int provided = 0;
    check_mpi(MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided), "MPI_T_init_thread");
    int index = 0;
    int count = 0;
    exists_ = MPI_T_cvar_get_index(kVariable, &index) == MPI_SUCCESS &&
              MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count) == MPI_SUCCESS;
    if (exists_) check_mpi(MPI_T_cvar_read(handle_, &value_), "MPI_T_cvar_read");
    set_by_user_ = value_ != static_cast<int>(IallreduceAlgorithm::library_choice);
  }

  bool exists() const { return exists_; }
  bool set_by_user() const { return set_by_user_; }
  int value() const { return value_; }

  void write(int value) {
    if (value == value_) return;
    check_mpi(MPI_T_cvar_write(handle_, &value), "MPI_T_cvar_write");
    value_ = value;
  }

 private:
  MPI_T_cvar_handle handle_ = nullptr;
  bool exists_ = false;
  bool set_by_user_ = false;
  int value_ = 0;
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
  if (!variable().exists() || variable().set_by_user()) return;
  variable().write(static_cast<int>(choose_iallreduce_algorithm(ranks, bytes)));
}

std::map<std::string, std::string> iallreduce_settings(int ranks) {
  if (!variable().exists()) return {};
  if (variable().set_by_user()) return {{kVariable, fmt::format("set by user: {}", variable().value())}};
  return {
      {kVariable, fmt::format("{} up to {}, {} above", static_cast<int>(choose_iallreduce_algorithm(ranks, kShort)),
                              format_bytes(kShort), static_cast<int>(choose_iallreduce_algorithm(ranks, kShort + 1)))}};
}

}  // namespace mgbench
