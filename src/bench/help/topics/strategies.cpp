#include "bench/help/explain.h"
#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kSymbols = R"(A strategy cuts the gradient tensors, in the order in which they become ready
in backward, into groups; each group is one message, an allreduce, sent when
its last tensor is ready. Tensor k is ready at r_k and has s_k bytes, K is the
last one; message g has S_g bytes, takes T(S_g), by the fitted line a + b S_g,
and ends at f_g = max(f_{g-1}, r of its last tensor) + T(S_g).
)";

std::string text() {
  return kSymbols + explain_all(mgbench::strategies()) + "\nThose that 'mgbench simulate' alone knows:\n" +
         explain_all(simulated_strategies());
}

}  // namespace

TopicEntry strategies() {
  return {"strategies", "how gradients are cut into messages, each with its formula", text};
}

}  // namespace mgbench::topics_entries
