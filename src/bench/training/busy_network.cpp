#include "bench/training/busy_network.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/backends/host_mark.h"

namespace mgbench {
namespace {

/// Lies in the first cache of any core.
constexpr std::size_t kOperands = 1024;

/// Cannot be left out or foreseen: the result of each call is the input of the next.
void compute(std::vector<float>& operands, std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i)
    for (float& operand : operands) operand = operand * 0.5F + 1;
}

class BusyNetwork final : public Network {
 public:
  explicit BusyNetwork(const BusyWork& work)
      : work_(work),
        operands_(static_cast<std::size_t>(work.threads), std::vector<float>(kOperands)),
        gradients_(static_cast<std::size_t>(work.gradients) / sizeof(float)) {
    for (int step = 0; step < work.steps; ++step)
      outline_.steps.push_back({.name = "busy", .forward = 0, .backward = 0, .tensors = {}});
    outline_.steps.back().tensors.push_back({"busy", work.gradients});
    choose_times();
  }

  void forward(std::size_t) override {}
  void backward(std::size_t) override { compute_on_all(times_); }
  void update() override {}

  GradientView gradients(ByteRange range) override {
    return {.data = gradients_.data() + static_cast<std::size_t>(range.begin) / sizeof(float),
            .count = static_cast<std::size_t>(range.size()) / sizeof(float)};
  }
  Mark mark() override { return host_mark(); }
  Seconds seconds(Mark mark) const override { return host_seconds(mark); }
  const Profile& outline() const override { return outline_; }
  double loss() const override { return 0; }
  NetworkState save() const override { return {}; }
  void restore(const NetworkState&) override {}
  std::vector<float> plain_parameters() const override { return {}; }
  void set_plain_parameters(std::span<const float>) override {}
  std::vector<float> plain_gradients() const override { return gradients_; }

 private:
  void compute_on_all(std::int64_t times) {
    const int threads = work_.threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread) compute(operands_[static_cast<std::size_t>(thread)], times);
  }

  /// Doubles the work until it lasts as long as a step, the clock's resolution and first calls far behind.
  void choose_times() {
    constexpr Seconds kLeast = 1e-3;
    const Seconds step = work_.duration / work_.steps;
    const Seconds measured = std::max(step, kLeast);
    for (std::int64_t times = 1;; times *= 2) {
      const Mark begin = host_mark();
      compute_on_all(times);
      const Seconds seconds = host_seconds(host_mark()) - host_seconds(begin);
      if (seconds < measured) continue;
      times_ = std::max<std::int64_t>(1, std::llround(static_cast<double>(times) * step / seconds));
      return;
    }
  }

  BusyWork work_;
  std::vector<std::vector<float>> operands_;  ///< by thread
  std::vector<float> gradients_;              ///< zeros, and so are their sums, however often
  Profile outline_;
  std::int64_t times_ = 1;  ///< a step
};

}  // namespace

std::unique_ptr<Network> make_busy_network(const BusyWork& work) {
  require(work.gradients > 0 && work.steps > 0 && work.threads > 0 && work.duration > 0,
          "busy network: {} B, {} steps, {} threads, {} s: expected all above zero", work.gradients, work.steps,
          work.threads, work.duration);
  return std::make_unique<BusyNetwork>(work);
}

}  // namespace mgbench
