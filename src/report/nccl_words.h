#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// How NCCL said that it sums a message of one size, in the words of its log.
struct NcclChoice {
  Bytes bytes = 0;
  std::string algorithm;  ///< "RING"
  std::string protocol;   ///< "LL128"
  int channels = 0;
  bool operator==(const NcclChoice&) const = default;
};

/// A way to sum that NCCL knows, in the words that its variables take.
struct NcclOffer {
  std::string algorithm;  ///< "Ring", as NCCL_ALGO takes it
  std::string protocol;   ///< "LL128", as NCCL_PROTO takes it
  double bandwidth = 0;   ///< GB/s by NCCL's own model, to one decimal; 0: not to be had here
  bool operator==(const NcclOffer&) const = default;
};

/// What one communicator of NCCL said of itself with NCCL_DEBUG=INFO. What is empty it did not say, or not in words
/// that are understood: those of NCCL 2.28.
struct NcclWords {
  std::vector<NcclChoice> allreduce;  ///< sizes ascending; those that it contradicts itself on are left out
  std::vector<NcclOffer> offers;      ///< for allreduce
  std::string network;                ///< "IB", "Socket", or what a plugin calls itself
  std::optional<std::vector<std::string>> adapters;  ///< of that network: "mlx5_0:1/RoCE", "eth0"
  std::optional<bool> nvls;                          ///< sums within NVSwitches
  std::optional<int> channels;
  std::optional<int> nvls_channels;
  std::map<std::string, std::string> forced;  ///< NCCL_ALGO and NCCL_PROTO, where something has set them
};

/// Whatever the text: lines that are not understood are passed over.
NcclWords nccl_words(const std::string& log);

/// Whether the log's word ("NVLS_TREE", "SIMPLE") is that of a variable ("NVLSTree", "Simple").
bool is_same_nccl_name(const std::string& left, const std::string& right);

}  // namespace mgbench
