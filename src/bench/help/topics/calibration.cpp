#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kText = R"(A calibration is what an allreduce of m bytes costs on this interconnect among
these ranks: T(m), from 4 B to the largest model, in powers of two.

  sample   the slowest rank's median of as many calls as make 300 us
  point    the median of the samples of a size, with its 95 % interval
  line     a + b m, least relative residuals; a: start-up, b: seconds a byte
  regimes  lines from break to break, where one line does not do
  engine   the curve through the communicator that training uses; plans and
           predictions use it
  library  the curve of MPI_Allreduce alone, comparable with OSU's benchmark

Plans use the line where it is off by less than 10 % at sizes held out of the
fit, else the regimes where these are, else the measured curve itself.

  mgbench calibrate                measures, and saves results/DATE-*.yaml
  mgbench calibrate --by-ranks     also 2, 4, ... of the ranks
  mgbench calibrate --algorithms   is MPI's own algorithm the fastest? And with
                                   --communicator nccl: is NCCL's? What to set.
  mgbench calibrate --import LOG   of OSU, IMB, nccl-tests, or CSV
  mgbench run --calibration FILE   uses it instead of measuring one
)";

}  // namespace

TopicEntry calibration() {
  return {"calibration", "what a message costs here, and how that is found", [] { return std::string(kText); }};
}

}  // namespace mgbench::topics_entries
