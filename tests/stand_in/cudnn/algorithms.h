#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "core/memory.h"
#include "cudnn/convolution.h"
#include "cudnn/values.h"

namespace stand_in {

/// What an algorithm asks of a problem. All compute the same numbers here; what they demand and need differs, as
/// documented.
enum class Method { kGemm, kExplicitGemm, kFft, kWinograd, kNone };

struct Algorithm {
  Method method;
  bool deterministic;
  std::size_t workspace_share;  // workspace as a multiple of a 16th of the output's bytes; 0: none
};

/// Algorithms by the number that the library gives them.
inline constexpr std::array kForwardAlgorithms{
    Algorithm{Method::kGemm, true, 0},          Algorithm{Method::kGemm, true, 1},
    Algorithm{Method::kExplicitGemm, true, 64}, Algorithm{Method::kNone, true, 0},
    Algorithm{Method::kFft, true, 96},          Algorithm{Method::kFft, true, 32},
    Algorithm{Method::kWinograd, true, 2},      Algorithm{Method::kWinograd, true, 24}};
inline constexpr std::array kBackwardDataAlgorithms{
    Algorithm{Method::kGemm, false, 0}, Algorithm{Method::kGemm, true, 2},     Algorithm{Method::kFft, true, 96},
    Algorithm{Method::kFft, true, 32},  Algorithm{Method::kWinograd, true, 2}, Algorithm{Method::kWinograd, true, 24}};
inline constexpr std::array kBackwardFilterAlgorithms{
    Algorithm{Method::kGemm, false, 0}, Algorithm{Method::kGemm, true, 2}, Algorithm{Method::kFft, true, 96},
    Algorithm{Method::kGemm, false, 8}, Algorithm{Method::kNone, true, 0}, Algorithm{Method::kWinograd, true, 24},
    Algorithm{Method::kFft, true, 32}};

bool supports(const Algorithm& algorithm, const Convolution& problem);
std::size_t workspace_bytes(const Algorithm& algorithm, const Convolution& problem);

template <std::size_t size>
const Algorithm& chosen(const std::array<Algorithm, size>& algorithms, int number, const Convolution& problem) {
  require_consistent(number >= 0 && static_cast<std::size_t>(number) < size, "no algorithm " + std::to_string(number));
  const Algorithm& algorithm = algorithms[static_cast<std::size_t>(number)];
  require_supported(supports(algorithm, problem),
                    "algorithm " + std::to_string(number) + " cannot do this convolution");
  return algorithm;
}

/// Refuses a workspace that the algorithm cannot work with.
void require_workspace(const Algorithm& algorithm, const Convolution& problem, const void* workspace,
                       std::size_t bytes);

/// The answer of a search: what works, fastest first, within `room` bytes of workspace; then what does not, and why.
/// `time` of a heuristic is -1, as documented.
template <class Performance, std::size_t size>
void list(const std::array<Algorithm, size>& algorithms, const Convolution& problem, std::size_t room, bool measured,
          int requested, int* returned, Performance* results) {
  require_consistent(requested > 0, "requestedAlgoCount is not positive");
  require_consistent(returned != nullptr && results != nullptr, "a pointer is null");
  std::array<Performance, size> all{};
  for (std::size_t i = 0; i < size; ++i) {
    Performance& entry = all[i];
    entry.algo = static_cast<decltype(entry.algo)>(i);
    entry.time = -1;
    entry.determinism = algorithms[i].deterministic ? CUDNN_DETERMINISTIC : CUDNN_NON_DETERMINISTIC;
    entry.mathType = problem.settings.math;
    if (!supports(algorithms[i], problem)) {
      entry.status = CUDNN_STATUS_NOT_SUPPORTED;
      continue;
    }
    entry.memory = workspace_bytes(algorithms[i], problem);
    if (entry.memory > room) {
      entry.status = CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;
    } else if (measured) {
      // More memory, less time: a limit of memory changes what is best.
      entry.time = 1.0F / static_cast<float>(1 + algorithms[i].workspace_share);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Performance& left, const Performance& right) {
    const bool works = left.status == CUDNN_STATUS_SUCCESS, other_works = right.status == CUDNN_STATUS_SUCCESS;
    return works != other_works ? works : works && left.time < right.time;
  });
  *returned = std::min(requested, static_cast<int>(size));
  std::copy_n(all.begin(), *returned, results);
}

}  // namespace stand_in
