#pragma once

#include <string>
#include <vector>

#include "planner/profile.h"

namespace mgbench::testing {

/// ResNet-18 as torchvision registers it: 62 tensors, 11,689,512 parameters in fp32, one tensor a step, 1 ms
/// each. Backward completes them in the reverse of the order of registration.
inline Profile resnet18() {
  Profile profile;
  profile.model = "resnet18";
  const auto tensor = [&](const std::string& name, Bytes parameters) {
    profile.steps.push_back({name, 0, 1e-3, {{name, 4 * parameters}}});
  };
  const auto batch_norm = [&](const std::string& name, Bytes channels) {
    tensor(name + ".weight", channels);
    tensor(name + ".bias", channels);
  };
  tensor("conv1.weight", Bytes{64} * 3 * 7 * 7);
  batch_norm("bn1", 64);
  Bytes inputs = 64;
  for (const int layer : {1, 2, 3, 4}) {
    const Bytes outputs = Bytes{32} << layer;
    for (const int block : {0, 1}) {
      const std::string name = "layer" + std::to_string(layer) + "." + std::to_string(block);
      tensor(name + ".conv1.weight", outputs * inputs * 3 * 3);
      batch_norm(name + ".bn1", outputs);
      tensor(name + ".conv2.weight", outputs * outputs * 3 * 3);
      batch_norm(name + ".bn2", outputs);
      if (inputs != outputs) {
        tensor(name + ".downsample.0.weight", outputs * inputs);
        batch_norm(name + ".downsample.1", outputs);
      }
      inputs = outputs;
    }
  }
  tensor("fc.weight", Bytes{1000} * 512);
  tensor("fc.bias", 1000);
  return profile;
}

}  // namespace mgbench::testing
