#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "bench/gpu/stream_allreduce.h"

namespace mgbench {

/// What a process is to do so that NCCL speaks of itself in its log: it makes communicators one after the other, and
/// sums zeros of each of `sizes` once with each.
struct NcclSpeech {
  /// Values of NCCL_ALGO and NCCL_PROTO while it is made; empty ones are left as the user has them.
  struct Communicator {
    NcclPlace place;
    std::string algorithm;
    std::string protocol;
  };

  int device = 0;  ///< its index
  std::vector<Bytes> sizes;
  ElementType type = ElementType::float32;
  std::vector<Communicator> communicators;
};

/// `mgbench nccl-speaker` with the speech in this variable is the speaker: no command for users.
inline constexpr const char* kSpeakerWord = "nccl-speaker";
inline constexpr const char* kSpeechVariable = "MGBENCH_NCCL_SPEECH";

std::string to_text(const NcclSpeech& speech);

/// All that such a process does, from to_text(); what it ends with. NCCL's log is to go to standard output, too.
int speak_of_nccl(const std::string& speech);

/// Of one communicator.
struct HeardOfNccl {
  std::string log;      ///< NCCL's
  std::string failure;  ///< why it is not whole; empty: it is
};

/// The failure of one whose speaker has broken off.
inline constexpr const char* kUntold = "the process that asks it did not come to its end";

/// Whether a speaker that has printed this came to its end, whatever has failed.
bool is_whole_speech(const std::string& output);

/// What a speaker has printed, taken apart: one for each of `communicators`.
std::vector<HeardOfNccl> heard_of_nccl(const std::string& output, std::size_t communicators);

}  // namespace mgbench
