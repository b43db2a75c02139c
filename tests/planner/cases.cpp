#include "planner/cases.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace mgbench::testing {

Profile Cases::profile(std::size_t most_tensors) {
  Profile profile;
  profile.model = "random";
  const std::size_t tensors = integer(1, most_tensors);
  const bool eighths = chance(0.5);
  const auto time = [&] {
    if (chance(0.15)) return 0.0;
    return eighths ? static_cast<double>(integer(1, 4)) / 8 : uniform(0, 2.0 / static_cast<double>(tensors));
  };
  for (std::size_t left = tensors; left > 0;) {
    Profile::Step step;
    step.forward = time() / 2;
    step.backward = time();
    for (std::size_t count = std::min(left, integer(0, 3)); count > 0; --count, --left)
      step.tensors.push_back({"tensor", static_cast<Bytes>(eighths ? integer(1, 8) * 125'000 : integer(1, 1'000'000))});
    profile.steps.push_back(step);
  }
  profile.update = time();
  return profile;
}

Profile Cases::network(std::size_t tensors) {
  Profile profile;
  profile.model = "network";
  const double count = static_cast<double>(tensors);
  for (std::size_t left = tensors; left > 0;) {
    Profile::Step step;
    step.backward = uniform(0.2, 1.8);
    step.forward = step.backward / 2;
    const double place = static_cast<double>(tensors - left) / count;  // 0 at the input, 1 at the output
    step.tensors.push_back({"weight", 4 * static_cast<Bytes>(std::pow(10, uniform(3, 4) + 2.4 * place))});
    if (--left > 0 && chance(0.6)) {
      step.tensors.push_back({"bias", 4 * static_cast<Bytes>(integer(64, 2048))});
      --left;
    }
    profile.steps.push_back(step);
  }
  const double scale = 0.060 / profile.backward();
  for (Profile::Step& step : profile.steps) {
    step.forward *= scale;
    step.backward *= scale;
  }
  profile.update = 0.002;
  return profile;
}

Line Cases::line() {
  return {std::pow(10, uniform(-3.5, -0.5)), std::pow(10, uniform(-8, -5.5))};
}

Curve Cases::curve(bool falling) {
  Curve curve(integer(1, 8));
  std::vector<Seconds> times(curve.size());
  for (Seconds& time : times) time = chance(0.2) ? 0.25 : std::pow(10, uniform(-2.5, 0.2));
  if (!falling) std::sort(times.begin(), times.end());
  Bytes bytes = 0;
  for (std::size_t i = 0; i < curve.size(); ++i)
    curve[i] = {bytes += static_cast<Bytes>(std::pow(10, uniform(2, 6.3))), times[i]};
  return curve;
}

Regimes Cases::regimes(const Profile& profile) {
  const std::vector<ReadyTensor> tensors = ready_tensors(profile);
  std::set<Bytes> borders{0};
  for (std::size_t more = integer(0, 4); more > 0; --more) {
    const std::size_t first = integer(0, tensors.size() - 1);
    Bytes message = 0;
    const std::size_t end = integer(first + 1, tensors.size());
    for (std::size_t tensor = first; tensor < end; ++tensor) message += tensors[tensor].bytes;
    borders.insert(message);
  }
  Regimes regimes;
  for (const Bytes border : borders) {
    const Seconds jump = chance(0.2) ? 0 : std::pow(10, uniform(-2.5, 0));
    const Seconds at = regimes.empty() ? std::pow(10, uniform(-3.5, -0.5)) : regimes.back().time(border) + jump;
    regimes.push_back({border, at, chance(0.2) ? 0 : std::pow(10, uniform(-8, -5.5))});
  }
  return regimes;
}

CostModel Cases::cost() {
  switch (integer(0, 2)) {
    case 0:
      return CostModel(line());
    case 1:
      return CostModel(curve(false), line());
    default:
      return CostModel(curve(true), line());
  }
}

Overlap Cases::overlap() {
  Overlap overlap;
  if (chance(0.7)) overlap.core_share = chance(0.3) ? 1 : uniform(0, 1);
  if (chance(0.5)) overlap.stretch = chance(0.3) ? 2 : uniform(1, 3);
  if (chance(0.5)) overlap.message_cpu = chance(0.3) ? 0.125 : std::pow(10, uniform(-4, -0.5));
  // No multiple of what steps take: a message that starts just before or just after computation ends is another one.
  if (chance(0.3)) overlap.notice = std::pow(10, uniform(-4, 0.5));
  return overlap;
}

MergePlan Cases::plan(std::size_t tensors) {
  const double cut = uniform(0, 1);
  std::vector<std::size_t> ends;
  for (std::size_t end = 1; end < tensors; ++end)
    if (chance(cut)) ends.push_back(end);
  ends.push_back(tensors);
  return MergePlan(std::move(ends));
}

Profile profile_of(std::initializer_list<ReadyStep> steps, const Around& around) {
  Profile profile;
  profile.model = "hand-made";
  profile.update = around.update;
  for (const ReadyStep& step : steps)
    profile.steps.insert(profile.steps.begin(), {"step", 0, step.backward, {{"tensor", step.bytes}}});
  if (around.idle > 0) profile.steps.insert(profile.steps.begin(), {"idle", 0, around.idle, {}});
  profile.steps.front().forward = around.forward;
  return profile;
}

}  // namespace mgbench::testing
