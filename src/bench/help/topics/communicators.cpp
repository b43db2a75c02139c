#include "bench/help/explain.h"
#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kIntroduction = R"(A communicator sums messages over all ranks while computation goes on. MPI
moves a message on only while somebody calls it: they differ in who does.
'--communicator auto', the default, measures those that can be used here and
takes the one whose iteration is the shortest.
)";

}  // namespace

TopicEntry communicators() {
  return {"communicators", "who moves messages on while the network computes",
          [] { return kIntroduction + explain_all(mgbench::communicators()); }};
}

}  // namespace mgbench::topics_entries
