#include "bench/training/correctness.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "bench/training/captured_step.h"

namespace mgbench {
namespace {

/// Relative to a tensor's norm: hundreds of roundings of a float, some of a half in whose type a library may sum.
double tolerance_of(ElementType type) {
  if (type == ElementType::float16) return 4e-3;
  return type == ElementType::bfloat16 ? 3e-2 : 1e-5;
}

/// Sums over the ranks in double precision, piece by piece to bound the memory.
void sum_plainly(ProcessGroup& group, std::span<float> gradients) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<double> piece;
  for (std::size_t begin = 0; begin < gradients.size(); begin += kPiece) {
    const auto part = gradients.subspan(begin, std::min(kPiece, gradients.size() - begin));
    piece.assign(part.begin(), part.end());
    group.sum(piece);
    std::transform(piece.begin(), piece.end(), part.begin(), [](double value) { return static_cast<float>(value); });
  }
}

/// FNV-1a over the bits.
std::uint64_t hash_of(const std::vector<float>& values) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

CorrectnessCheck::CorrectnessCheck(ProcessGroup& group, Network& network) : group_(group), network_(network) {
  for (Iteration& iteration : plain_) {
    iteration.before = network.save();
    for (std::size_t step = 0; step < network.steps(); ++step) network.forward(step);
    for (std::size_t step = network.steps(); step-- > 0;) network.backward(step);
    iteration.gradients = network.stored_gradients();
    sum_plainly(group, iteration.gradients);
    network.store_gradients(iteration.gradients);
    network.update();
    network.synchronize();
  }
  parameters_ = network.save().parameters;
  network.restore(plain_[0].before);
}

std::string CorrectnessCheck::check(Communicator& communicator, const Schedule& schedule, bool captures) {
  IterationMarks marks(network_.steps());
  std::optional<CapturedStep> captured;
  if (captures) captured.emplace(network_, communicator, schedule);
  const auto run = [&] {
    if (captured) return captured->run();
    communicator.prepare(schedule.size());
    train_step(network_, communicator, schedule, marks);
  };
  std::string failure;
  for (std::size_t i = 0; i < plain_.size() && failure.empty(); ++i) failure = check_iteration(i, run);
  network_.restore(plain_[0].before);
  return failure;
}

std::string CorrectnessCheck::check_iteration(std::size_t iteration, const std::function<void()>& run) {
  network_.restore(plain_.at(iteration).before);
  run();
  const std::string where = fmt::format(" of iteration {}", iteration + 1);
  const bool last = iteration + 1 == plain_.size();
  std::string failure =
      compare("summed gradients" + where, network_.stored_gradients(), plain_.at(iteration).gradients);
  if (failure.empty())
    failure = compare("parameters" + where, network_.save().parameters,
                      last ? parameters_ : plain_.at(iteration + 1).before.parameters);
  if (failure.empty() && !parameters_agree(group_, network_)) failure = "parameters differ between ranks";
  return failure;
}

std::string CorrectnessCheck::compare(const std::string& what, const std::vector<float>& values,
                                      const std::vector<float>& expected) {
  std::string failure;
  std::size_t begin = 0;
  const Profile& outline = network_.outline();
  const ElementType type = network_.gradients({0, outline.bytes()}).type;
  const double tolerance = tolerance_of(type);
  for (std::size_t step = outline.steps.size(); step-- > 0;)
    for (const Tensor& tensor : outline.steps[step].tensors) {
      double difference = 0;
      double norm = 0;
      const std::size_t end = begin + static_cast<std::size_t>(tensor.bytes / size_of(type));
      for (; begin < end; ++begin) {
        const double error = double{values[begin]} - expected[begin];
        difference += error * error;
        norm += double{expected[begin]} * expected[begin];
      }
      // Written so that a NaN fails.
      if (!(std::sqrt(difference) <= tolerance * std::sqrt(norm)) && failure.empty())
        failure = fmt::format("{}: tensor '{}' differs from the plain sum over ranks by {:.2g} of its norm", what,
                              tensor.name, std::sqrt(difference / norm));
    }
  // All ranks tell what the first failing one found.
  const int ranks = group_.size();
  const int first = ranks - 1 - static_cast<int>(group_.maximum(failure.empty() ? -1 : ranks - 1 - group_.rank()));
  if (first >= ranks) return "";
  std::string told = group_.rank() == first ? fmt::format("rank {}: {}", first, failure) : "";
  group_.broadcast(told, first);
  return told;
}

bool parameters_agree(ProcessGroup& group, const Network& network) {
  const std::uint64_t hash = hash_of(network.save().parameters);
  // Halves, since a double holds 53 bits exactly.
  const std::vector<double> halves{static_cast<double>(hash >> 32), static_cast<double>(hash & 0xffffffffU),
                                   -static_cast<double>(hash >> 32), -static_cast<double>(hash & 0xffffffffU)};
  const std::vector<double> largest = group.maximum(halves);
  return largest[0] == -largest[2] && largest[1] == -largest[3];
}

}  // namespace mgbench
