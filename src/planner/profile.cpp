#include "planner/profile.h"

#include <cmath>
#include <limits>

#include "base/error.h"

namespace mgbench {

Seconds Profile::forward() const {
  Seconds total = 0;
  for (const Step& step : steps) total += step.forward;
  return total;
}

Seconds Profile::backward() const {
  Seconds total = 0;
  for (const Step& step : steps) total += step.backward;
  return total;
}

Seconds Profile::computation() const {
  Seconds total = forward();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) total += step->backward;
  return total;
}

Bytes Profile::bytes() const {
  Bytes total = 0;
  for (const Step& step : steps)
    for (const Tensor& tensor : step.tensors) total += tensor.bytes;
  return total;
}

std::vector<ReadyTensor> ready_tensors(const Profile& profile) {
  validate(profile);
  std::vector<ReadyTensor> result;
  Seconds now = profile.forward();
  for (std::size_t step = profile.steps.size(); step-- > 0;) {
    now += profile.steps[step].backward;
    for (const Tensor& tensor : profile.steps[step].tensors) result.push_back({tensor.bytes, now, step});
  }
  return result;
}

void validate(const Profile& profile) {
  const auto check_time = [](Seconds value, const char* what, const Profile::Step& step) {
    require(std::isfinite(value) && value >= 0, "profile: step '{}' has {} = {} s; expected a finite time >= 0",
            step.name, what, value);
  };
  Bytes room = std::numeric_limits<Bytes>::max();
  bool any = false;
  for (const Profile::Step& step : profile.steps) {
    check_time(step.forward, "forward", step);
    check_time(step.backward, "backward", step);
    for (const Tensor& tensor : step.tensors) {
      require(tensor.bytes > 0, "profile: tensor '{}' of step '{}' has {} bytes; expected more than zero", tensor.name,
              step.name, tensor.bytes);
      require(tensor.bytes <= room, "profile: the sizes of tensors up to '{}' of step '{}' overflow 63 bits",
              tensor.name, step.name);
      room -= tensor.bytes;
      any = true;
    }
  }
  require(std::isfinite(profile.update) && profile.update >= 0, "profile: update = {} s; expected a finite time >= 0",
          profile.update);
  require(any, "profile of '{}': no step has a tensor, so there is nothing to communicate", profile.model);
}

}  // namespace mgbench
