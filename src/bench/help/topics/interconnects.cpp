#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kText = R"(An interconnect is the cost of an allreduce by number of ranks: a + b m seconds
for m bytes. Those of configs/interconnects are the literature's; a file of
one's own has the same form:

  name: 10GbE
  source: where the figures are from
  allreduce:
    8: {a: 5.23e-4, b: 8.571e-10}
    64: {a: 2.348e-3, b: 9.643e-10}

  mgbench run --interconnect 10GbE --as-ranks 64      trains for real, with
                                                      messages of that cost
  mgbench plan --profile P --interconnect 10GbE --ranks 64
  mgbench simulate --profile P --interconnect 10GbE

'run' emulates at a number of ranks that the file has; 'simulate' goes on from
these by the law that explains them best.
)";

}  // namespace

TopicEntry interconnects() {
  return {"interconnects", "those that one does not have: emulated, planned and simulated with",
          [] { return std::string(kText); }};
}

}  // namespace mgbench::topics_entries
