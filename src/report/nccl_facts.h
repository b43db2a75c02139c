#pragma once

#include <map>
#include <string>

#include "report/nccl_words.h"

namespace mgbench {

/// For a result's environment: nccl.allreduce ("RING/LL, 1 channel: 4 B to 16.0 KiB; ..."), nccl.network, nccl.nvls,
/// nccl.channels. "NCCL did not say" where it did not; `why` there, too, where it is known.
std::map<std::string, std::string> nccl_facts(const NcclWords& words, const std::string& why = "");

}  // namespace mgbench
