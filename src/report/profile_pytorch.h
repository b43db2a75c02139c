#pragma once

#include "report/profile_reader.h"

namespace mgbench {

/// Whether this is a Chrome trace of PyTorch's profiler that holds backward passes.
bool is_pytorch_trace(const std::string& text);

/// The order and the times in which torch::autograd::AccumulateGrad ends, medians over the ProfilerStep#N of the trace;
/// sizes from the shapes (record_shapes=True). Throws Error for traces without them, for steps that differ, and for
/// traces of GPUs, where these events end before the gradients are computed.
ReadProfile profile_from_pytorch_trace(const std::string& text, const std::string& file);

}  // namespace mgbench
