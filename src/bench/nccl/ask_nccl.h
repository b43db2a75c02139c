#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/communicator.h"
#include "bench/mpi/process_group.h"
#include "report/nccl_words.h"

namespace mgbench {

/// Values of NCCL_ALGO and NCCL_PROTO, "Ring" and "LL"; empty ones are left as the user has them.
struct NcclForce {
  std::string algorithm;
  std::string protocol;
};

struct NcclAnswer {
  NcclWords words;
  std::string failure;  ///< why a rank's NCCL has not summed all sizes; empty: they have
};

/// What NCCL says of a communicator of these ranks and devices, for each of `forces`, when it sums messages of `sizes`.
/// NCCL tells its choices in its log alone, a line a call, and what it logs is settled when a process first uses it:
/// they are asked of processes of their own, one a rank beside it on its device, so that nothing is logged where time
/// is taken, and the user's NCCL_DEBUG holds there. Complete on rank 0. Collective.
std::vector<NcclAnswer> ask_nccl(ProcessGroup& group, ElementType type, const std::vector<Bytes>& sizes,
                                 const std::vector<NcclForce>& forces);

/// The facts (report/nccl_facts) of a communicator as it is when nothing is forced, for powers of two of bytes and for
/// all of `largest`; on rank 0. Collective.
std::map<std::string, std::string> ask_nccl_for_facts(ProcessGroup& group, const GradientArena& largest);

}  // namespace mgbench
