#pragma once

#include "report/profile_reader.h"

namespace mgbench {

/// Whether this is a Chrome trace of PyTorch's profiler that holds backward passes.
bool is_pytorch_trace(const std::string& text);

/// The order and the times in which torch::autograd::AccumulateGrad ends, medians over the ProfilerStep#N of the trace;
/// sizes from the shapes (record_shapes=True). On a GPU, where the host runs ahead, a gradient is ready when the work
/// is done that was launched up to there. Throws Error for traces without shapes or steps, and for steps that differ.
ReadProfile profile_from_pytorch_trace(const std::string& text, const std::string& file);

}  // namespace mgbench
