#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kText = R"(  0  fine
  1  measured, and the verdict is a failure: sums that are wrong, a figure that
     is worse, a required criterion that failed
  2  wrong input: one line on standard error, nothing measured or written
  3  could not be measured: a fault, an abort, a launcher that started no rank,
     no sample that counts, fewer than six rounds, which an interval takes (the
     result is saved; give more --budget), a required criterion no result holds

An mpirun or srun typed by hand has codes of its own.
)";

}  // namespace

TopicEntry exit_codes() {
  return {"exit-codes", "what a command ends with", [] { return std::string(kText); }};
}

}  // namespace mgbench::topics_entries
