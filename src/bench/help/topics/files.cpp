#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kText = R"(Written to the folder of -o (default: results), never over another file:

  DATE-run-MODEL.json, DATE-tune-MODEL.json   a result: every sample, the
                       environment, plans, predictions (result.schema.json)
  DATE-*.json.partial  the same while it is being measured
  DATE-*.yaml          calibrations, profiles, plans, to be given to
                       --calibration, --profile and --plan
  DATE-acceptance      a folder of mgbench accept: verdict, page, measurements

What broke off, a .partial or a result that says so, can be shown (mgbench
report), but check and compare refuse it.

Read:

  --config FILE        options by their names, as YAML: 'batch: 8'; the
                       command line has the last word
  --profile FILE       of mgbench profile, CSV, a PyTorch trace, a Horovod
                       timeline
  --criteria FILE      what a result must reach (mgbench check)
  --interconnect, --device, --criteria also take the name of a file in
                       share/mgbench/configs

Files carry the number of their schema. Earlier ones stay readable, later ones
are refused.
)";

}  // namespace

TopicEntry files() {
  return {"files", "what is read and written, and where", [] { return std::string(kText); }};
}

}  // namespace mgbench::topics_entries
