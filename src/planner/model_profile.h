#pragma once

#include "models/model.h"
#include "planner/profile.h"

namespace mgbench {

/// A profile with the steps and tensors (float32) of a model, and all times zero.
Profile model_profile(const ModelSpec& model);

}  // namespace mgbench
