#pragma once

#include <string>

#include "bench/network.h"

namespace mgbench {

/// A profile with the steps and tensors of a model, and all times zero: what Network::outline() returns.
Profile outline(const ModelSpec& model, const std::string& backend, const NetworkRequest& request);

/// Throws Error(bad_input) unless a backend that computes can serve the request: a model, and batch, threads
/// and ranks in their ranges.
void require_computable(const NetworkRequest& request, const std::string& backend);

}  // namespace mgbench
