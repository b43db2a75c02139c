#include "planner/message_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace mgbench {

Profile by_layers(const Profile& profile) {
  Profile merged = profile;
  for (Profile::Step& step : merged.steps) {
    if (step.tensors.empty()) continue;
    Tensor layer{step.name, 0};
    for (const Tensor& tensor : step.tensors) layer.bytes += tensor.bytes;
    step.tensors = {layer};
  }
  return merged;
}

Profile split_tensors(const Profile& profile, Bytes most) {
  constexpr Bytes kElement = 4;
  require(most >= kElement, "splitting tensors: parts of {} bytes; expected at least one element", most);
  const Bytes part = most / kElement * kElement;
  Profile split = profile;
  for (Profile::Step& step : split.steps) {
    std::vector<Tensor> parts;
    for (const Tensor& tensor : step.tensors) {
      if (tensor.bytes <= most) {
        parts.push_back(tensor);
        continue;
      }
      for (Bytes begin = 0; begin < tensor.bytes; begin += part)
        parts.push_back({fmt::format("{}[{}]", tensor.name, begin / part), std::min(part, tensor.bytes - begin)});
    }
    step.tensors = std::move(parts);
  }
  return split;
}

}  // namespace mgbench
