#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/model.h"
#include "planner/profile.h"

namespace mgbench {

/// A device that one does not have, by published figures (configs/devices/).
struct DeviceFigures {
  struct Throughput {
    int batch = 0;
    double images_per_second = 0;  ///< of a training iteration
  };
  std::string name;
  std::string source;
  std::string doubts;
  double flops = 0;                              ///< a second, single precision
  double bytes_per_second = 0;                   ///< of its memory
  std::map<std::string, Throughput> throughput;  ///< by model
};

/// A model's profile on the device, estimated: each layer's time by a roofline (Williams, Waterman, Patterson 2009: the
/// longer of arithmetic and memory time), the gradients of data and of weights like forward each; forward and backward
/// scaled to a third and two thirds of batch / throughput, less the update, which moves five arenas through memory.
/// `batch`: the published one if not given; another takes time in proportion. Throws Error naming the models with a
/// published throughput.
Profile estimated_profile(const ModelSpec& model, const DeviceFigures& device, std::optional<int> batch = {});

}  // namespace mgbench
