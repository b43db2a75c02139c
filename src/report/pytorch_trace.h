#pragma once

#include <string>
#include <vector>

#include "report/document.h"

namespace mgbench {

/// What accumulates a gradient, the last thing that backward does with it.
inline constexpr const char* kAccumulateGrad = "torch::autograd::AccumulateGrad";

/// From `begin` to `end` on the trace's clock.
struct TraceSpan {
  Seconds begin = 0;
  Seconds end = 0;
};

struct TraceGradient {
  TraceSpan span;
  Bytes bytes = 0;
};

/// Work of a GPU, and when the host asked for it.
struct DeviceWork {
  Seconds launched = 0;
  TraceSpan span;
};

/// One iteration, in the order of time.
struct TraceStep {
  TraceSpan span;
  std::vector<TraceGradient> gradients;  ///< by their ends
  TraceSpan autograd;                    ///< from the first event of the engine to the last
  Seconds update = 0;
  bool updates = false;
};

struct PyTorchTrace {
  std::vector<TraceStep> steps;
  bool communicates = false;
  bool on_device = false;  ///< spans are those of a GPU's work
};

/// The iterations of a trace. Where a GPU computed, an event of the host ends when its work is queued: then spans are
/// of the device's work that was launched in them. Throws Error with `file` and path for traces without shapes or
/// steps, and for steps that differ.
PyTorchTrace read_pytorch_trace(const Value& root, const std::string& file);

}  // namespace mgbench
