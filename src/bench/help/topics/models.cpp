#include "bench/help/explain.h"
#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kIntroduction = R"(Networks for images that are built in, trained on synthetic data. What matters
to communication is how many gradient tensors they have, how large these are,
and how long the layers between them take.
)";

}  // namespace

TopicEntry models() {
  return {"models", "the networks that are built in", [] { return kIntroduction + explain_all(mgbench::models()); }};
}

}  // namespace mgbench::topics_entries
