#pragma once

#include <algorithm>

#include "planner/cost_model.h"

namespace mgbench {

/// How far an iteration has come at a moment when the channel is free.
struct Progress {
  Seconds free = 0;   ///< that moment, from the iteration's start
  Seconds delay = 0;  ///< computation runs this much later than it would undisturbed: free - delay of it is done
};

/// One message sent from a Progress.
struct Passage {
  Seconds start = 0;
  Seconds shared = 0;  ///< how long computation ran beside it
  Progress after;
};

/// Sends the next message: predict() and the planner both advance by this, so that they cannot drift apart.
/// `ready` is the computation to be done before it may start, `duration` its time undisturbed, `computation`
/// all of an iteration's. The rules are those of predict(); without overlap start = max(free, ready), end =
/// start + duration.
inline Passage send(Progress progress, Seconds ready, Seconds duration, Seconds computation, const Overlap& overlap) {
  Passage passage;
  passage.start = std::max(progress.free, ready + progress.delay);
  Seconds taken = 0;  // from computation
  if (passage.start < computation + progress.delay) {
    const Seconds left = computation + progress.delay + overlap.message_cpu - passage.start;
    passage.shared = overlap.stretch * duration;
    if (overlap.core_share < 1) passage.shared = std::min(passage.shared, left / (1 - overlap.core_share));
    taken = overlap.message_cpu + overlap.core_share * passage.shared;
  }
  const Seconds transfer = duration + passage.shared * (1 - 1 / overlap.stretch);
  passage.after.delay = progress.delay + taken;
  const Seconds end = passage.start + std::max(transfer, taken);
  // Exactly when computation ends, if that comes first: a message that starts then has nothing beside it.
  passage.after.free = std::min(end + overlap.notice, std::max(end, computation + passage.after.delay));
  return passage;
}

}  // namespace mgbench
