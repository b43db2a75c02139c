#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kText = R"(The profile (when each gradient is ready, without communication) and the
calibration (what a message costs) predict every strategy's iteration:

  f_g       = max(f_{g-1}, r of the group's last tensor) + T(S_g)
  iteration = max(f_G, end of backward) + update
  exposed   = f_G - end of backward
  error     = predicted / measured - 1

What messages cost beside their time is measured in the same run and reckoned
with: a message's time may stretch beside computation, its end may be noticed
late, and it may take time from the computing core.

Strategies are measured in rounds, each strategy once a round in an order drawn
anew, so that a drift of the machine meets all of them. Figures are medians
over rounds with 95 % intervals; two strategies are compared by the ratio
within rounds, and where its interval holds 1 they are not distinguishable.
)";

}  // namespace

TopicEntry prediction() {
  return {"prediction", "how an iteration is predicted, and what measured figures stand beside it",
          [] { return std::string(kText); }};
}

}  // namespace mgbench::topics_entries
