#include "bench/help/explain.h"
#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kIntroduction = R"(A backend makes a model run: forward, backward, update. All of them compute the
same, up to rounding; 'mgbench list' says which can be used here.
)";

}  // namespace

TopicEntry backends() {
  return {"backends", "what computes the layers", [] { return kIntroduction + explain_all(mgbench::backends()); }};
}

}  // namespace mgbench::topics_entries
