#include <algorithm>
#include <bit>
#include <utility>

#include "bench/network.h"

namespace mgbench {
namespace {

/// Elements of a tensor that carry gradients. All of them would take time that the profile does not have.
constexpr std::size_t kLiveElements = 64;

/// splitmix64's finalizer (Steele, Lea, Flood 2014): a good hash of a 64-bit number.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// A multiple of 1/1024 up to 1/64, so that sums over ranks are exact, and never zero, so that none is lost
/// unseen.
float value_at(std::uint64_t key, std::size_t element) {
  return static_cast<float>(1 + mix(key ^ element) % 16) / 1024.0F;
}

/// Takes a profile's times and computes nothing. Steps end on a schedule that starts anew with each iteration
/// and with the update, so that late awakenings do not add up.
///
/// Gradients and parameters are real, but only at some elements of each tensor, its ends among them: enough
/// to see a message that was lost, sent twice or cut at the wrong place. The others have zero gradients and
/// stay as they are.
class ReplayNetwork final : public Network {
 public:
  explicit ReplayNetwork(const NetworkRequest& request);

  void forward(std::size_t step) override {
    if (step == 0) schedule_ = clock_.now();
    sleep(times_.steps[step].forward);
  }

  void backward(std::size_t step) override {
    const std::uint64_t key = mix(mix(mix(seed_) ^ static_cast<std::uint64_t>(rank_)) ^ state_.iteration);
    for (std::size_t i = live_of_step_[step].begin; i < live_of_step_[step].end; ++i)
      gradients_[live_[i]] = value_at(key, live_[i]);
    sleep(times_.steps[step].backward);
  }

  void update() override {
    schedule_ = clock_.now();
    for (const std::size_t element : live_) {
      float& weight = state_.parameters[element];
      float& velocity = state_.momentum[element];
      velocity = sgd_.momentum * velocity + (gradients_[element] / ranks_ + sgd_.weight_decay * weight);
      weight -= sgd_.learning_rate * velocity;
    }
    ++state_.iteration;
    sleep(times_.update);
  }

  GradientView gradients(ByteRange range) override {
    return {.data = gradients_.data() + static_cast<std::size_t>(range.begin) / sizeof(float),
            .count = static_cast<std::size_t>(range.size()) / sizeof(float)};
  }

  /// The clock's value itself, not rounded: in virtual time marks are exact.
  Mark mark() override { return {std::bit_cast<std::int64_t>(clock_.now())}; }
  Seconds seconds(Mark mark) const override { return std::bit_cast<Seconds>(mark.value); }

  const Profile& outline() const override { return outline_; }
  /// Nothing is learnt.
  double loss() const override { return 0; }

  NetworkState save() const override { return state_; }
  void restore(const NetworkState& state) override { state_ = state; }

  std::vector<float> plain_parameters() const override { return state_.parameters; }
  void set_plain_parameters(std::span<const float> values) override {
    require(values.size() == state_.parameters.size(), "replay: {} parameters instead of {}", values.size(),
            state_.parameters.size());
    state_.parameters.assign(values.begin(), values.end());
  }
  std::vector<float> plain_gradients() const override { return gradients_; }

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void sleep(Seconds duration) {
    schedule_ += duration;
    clock_.sleep_until(schedule_);
  }

  Clock& clock_;
  Profile times_;
  Profile outline_;
  std::uint64_t seed_;
  int rank_;
  float ranks_;
  SgdOptions sgd_;
  Seconds schedule_ = 0;  ///< when the call in progress ends
  std::vector<float> gradients_;
  std::vector<std::size_t> live_;    ///< elements with gradients, in the arena's order
  std::vector<Range> live_of_step_;  ///< into live_
  NetworkState state_;
};

/// Up to kLiveElements of [begin, begin + count), evenly, the first and the last among them.
void append_live(std::vector<std::size_t>& live, std::size_t begin, std::size_t count) {
  const std::size_t chosen = std::min(count, kLiveElements);
  for (std::size_t i = 0; i < chosen; ++i) live.push_back(begin + (chosen > 1 ? i * (count - 1) / (chosen - 1) : 0));
}

const Profile& checked_profile(const NetworkRequest& request) {
  require(request.profile != nullptr, "the backend 'replay' needs a profile: --profile FILE");
  validate(*request.profile);
  for (const Profile::Step& step : request.profile->steps)
    for (const Tensor& tensor : step.tensors)
      require(tensor.bytes % static_cast<Bytes>(sizeof(float)) == 0,
              "replay: tensor '{}' has {} bytes, which is not a whole number of floats", tensor.name, tensor.bytes);
  return *request.profile;
}

ReplayNetwork::ReplayNetwork(const NetworkRequest& request)
    : clock_(*request.clock),
      times_(checked_profile(request)),
      outline_(times_),
      seed_(request.seed),
      rank_(request.rank),
      ranks_(static_cast<float>(request.ranks)),
      sgd_(request.sgd),
      live_of_step_(times_.steps.size()) {
  outline_.update = 0;
  for (Profile::Step& step : outline_.steps) step.forward = step.backward = 0;

  std::size_t offset = 0;
  for (std::size_t step = times_.steps.size(); step-- > 0;) {
    live_of_step_[step].begin = live_.size();
    for (const Tensor& tensor : times_.steps[step].tensors) {
      const std::size_t count = static_cast<std::size_t>(tensor.bytes) / sizeof(float);
      append_live(live_, offset, count);
      offset += count;
    }
    live_of_step_[step].end = live_.size();
  }
  gradients_.resize(offset);
  state_.parameters.resize(offset);
  state_.momentum.resize(offset);
  for (const std::size_t element : live_) state_.parameters[element] = value_at(mix(seed_), element);
}

}  // namespace

namespace backends_entries {

BackendEntry replay() {
  return {.name = "replay",
          .summary = "takes a profile's times and computes nothing (--profile FILE)",
          .explanation =
              "Each step waits for the time that the profile has; gradients have the profile's sizes and known values, "
              "so that sums are still checked. For models and devices that are not here.",
          .library = [] { return std::string("none"); },
          .unavailable = [] { return std::string(); },
          .memory = [](const NetworkRequest& request) { return 3 * checked_profile(request).bytes(); },
          .make = [](const NetworkRequest& request) -> std::unique_ptr<Network> {
            return std::make_unique<ReplayNetwork>(request);
          }};
}

}  // namespace backends_entries
}  // namespace mgbench
