#include "bench/nccl/ask_nccl.h"

#include <filesystem>

#include "bench/clock.h"
#include "bench/gpu/module.h"
#include "bench/launch/running_program.h"
#include "bench/nccl/make_nccl.h"
#include "bench/nccl/nccl_speaker.h"
#include "bench/watch/activity.h"
#include "report/nccl_facts.h"

namespace mgbench {
namespace {

constexpr Seconds kPatience = 25;
constexpr Seconds kPatienceEach = 5;  // communicator
constexpr Seconds kPiece = 0.1;
constexpr std::size_t kLongestLog = std::size_t{16} << 20;

/// Of this rank, with ids that are the same on all.
NcclSpeech speech_of(ProcessGroup& group, ElementType type, const std::vector<Bytes>& sizes,
                     const std::vector<NcclForce>& forces) {
  NcclSpeech speech{.device = gpu_module().claimed_device(), .sizes = sizes, .type = type, .communicators = {}};
  for (const NcclForce& force : forces)
    speech.communicators.push_back(
        {.place = nccl_place(group), .algorithm = force.algorithm, .protocol = force.protocol});
  return speech;
}

/// All that this rank's speaker says, as far as it comes: where one rank's fails, or takes longer than `patience`, the
/// others may wait for it for ever.
std::string listen(ProcessGroup& group, const NcclSpeech& speech, Seconds patience) {
  enum State { broken, speaking, done };
  const Seconds deadline = steady_clock().now() + patience;
  RunningProgram speaker({std::filesystem::read_symlink("/proc/self/exe").string(), kSpeakerWord},
                         {{kSpeechVariable, to_text(speech)},
                          {"NCCL_DEBUG", "INFO"},
                          {"NCCL_DEBUG_SUBSYS", "INIT,ENV,NET,TUNING"},
                          {"NCCL_DEBUG_FILE", "/dev/stdout"}},
                         kLongestLog);
  for (State worst = speaking; worst == speaking;) {
    State own = speaking;
    if (!speaker.listen(kPiece)) own = is_whole_speech(speaker.output()) ? done : broken;
    if (own == speaking && steady_clock().now() > deadline) own = broken;
    worst = static_cast<State>(group.minimum(own));
  }
  return speaker.output();
}

/// The first rank's that says more than that it was not told to the end; on rank 0.
std::string failure_of_any(ProcessGroup& group, const std::string& failure) {
  const std::vector<std::string> failures = group.gather(failure);
  std::string found;
  for (std::size_t rank = 0; rank < failures.size(); ++rank)
    if (!failures[rank].empty() && (found.empty() || failures[rank] != kUntold)) {
      found = fmt::format("rank {}: {}", rank, failures[rank]);
      if (failures[rank] != kUntold) break;
    }
  return found;
}

}  // namespace

std::vector<NcclAnswer> ask_nccl(ProcessGroup& group, ElementType type, const std::vector<Bytes>& sizes,
                                 const std::vector<NcclForce>& forces) {
  const NcclSpeech speech = speech_of(group, type, sizes, forces);
  const Seconds patience = kPatience + kPatienceEach * static_cast<double>(forces.size());
  activity().expect(patience);
  std::vector<NcclAnswer> answers;
  for (const HeardOfNccl& heard : heard_of_nccl(listen(group, speech, patience), forces.size()))
    answers.push_back({.words = nccl_words(heard.log), .failure = failure_of_any(group, heard.failure)});
  return answers;
}

std::map<std::string, std::string> ask_nccl_for_facts(ProcessGroup& group, const GradientArena& largest) {
  if (group.size() == 1) return {};  // nothing is sent
  std::vector<Bytes> sizes;
  for (Bytes bytes = size_of(largest.type); bytes < largest.bytes; bytes *= 2) sizes.push_back(bytes);
  sizes.push_back(largest.bytes);
  const NcclAnswer answer = ask_nccl(group, largest.type, sizes, {{}}).front();
  return group.is_root() ? nccl_facts(answer.words, answer.failure) : std::map<std::string, std::string>();
}

}  // namespace mgbench
