#pragma once

#include <cstddef>
#include <initializer_list>
#include <random>

#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"

namespace mgbench::testing {

/// Reproducible random input: the same seed, the same case.
class Cases {
 public:
  explicit Cases(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  std::size_t integer(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(random_);
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }

  /// Up to `most_tensors` tensors of 1 to 1e6 bytes over steps that hold none to three; backward of about a
  /// second. Half of the cases have times that are small multiples of 1/8 s, so that sums are exact and ties
  /// abound; steps may take no time.
  Profile profile(std::size_t most_tensors);

  /// Tensors as a network has them: one to two a step, large ones mostly ready first; backward of 60 ms.
  Profile network(std::size_t tensors);

  Line line();
  /// One to eight points; `falling`: times in any order, else they never fall.
  Curve curve(bool falling);
  /// One to five regimes that begin at sizes that messages of the profile may have; at most borders the time jumps up.
  Regimes regimes(const Profile& profile);
  /// A line, a curve that never falls or one that may, for profile().
  CostModel cost();
  /// Each figure none, a common value or anything.
  Overlap overlap();

  MergePlan plan(std::size_t tensors);

 private:
  std::mt19937_64 random_;
};

struct ReadyStep {
  Bytes bytes = 0;
  Seconds backward = 0;
};
struct Around {
  Seconds forward = 0;
  Seconds idle = 0;  ///< a last backward step without a tensor
  Seconds update = 0;
};
/// A profile whose tensors are each a step of their own, given in ready order.
Profile profile_of(std::initializer_list<ReadyStep> steps, const Around& around = {});

}  // namespace mgbench::testing
