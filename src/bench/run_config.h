#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "planner/strategy.h"

namespace mgbench {

/// For --communicator: the best one is found by measuring. For --backend: a GPU where one can be used.
constexpr const char* kAutomatic = "auto";

/// Everything that a user may say. What is not said is measured, computed, or has the default given here.
struct RunConfig {
  std::string command;  ///< as typed, to be shown in results
  std::string model = "resnet50";
  std::string strategy = "all";  ///< comma-separated names or `all`
  std::string backend = kAutomatic;
  std::string precision = "fp32";   ///< of precision_names()
  std::string gradients = "fp32";   ///< of element_type_names()
  std::string layout = kAutomatic;  ///< of activations, by its name
  std::string communicator = kAutomatic;
  bool cuda_graphs = false;         ///< run, tune: an iteration is captured, and launched as a whole
  std::optional<int> ranks;         ///< to start; default: by the machine
  std::optional<int> nodes;         ///< of the Slurm job; default: all
  std::string launcher = "auto";    ///< of ranks inside a Slurm job: srun, mpirun, or the one that works
  bool dry_run = false;             ///< only say how ranks would be started
  std::optional<int> threads;       ///< a rank; default: its cores
  std::optional<int> batch;         ///< images a rank; default: the profile's, the literature's on a GPU, else 4
  std::optional<Seconds> budget;    ///< for the whole command; default: the command's own
  std::optional<double> within;     ///< run: ends once every interval is within this share of its median
  std::optional<Seconds> patience;  ///< how long a rank may be silent or hang; default: see Patience
  std::uint64_t seed = 1;
  std::string output = "results";  ///< folder
  bool json = false;
  std::string profile;               ///< file
  std::string calibration;           ///< file
  std::string interconnect;          ///< file or name of configs/interconnects
  std::optional<int> as_ranks;       ///< run: emulate the interconnect at this number of ranks
  std::optional<int> planned_ranks;  ///< plan: number of ranks to plan for; calibrate: of imported logs
  std::vector<std::string> imports;  ///< calibrate: logs of other benchmarks
  bool out_of_place = false;         ///< calibrate: take these times of imported logs that have both
  std::string export_name;           ///< plan: the tool whose settings are printed; empty: plans
  Bytes element_bytes = 4;           ///< plan: of a gradient's element, for tools that count elements
  bool emulated_moves_data = false;
  bool by_ranks = false;                  ///< calibrate: 2, 4, ... ranks, too
  bool pairs = false;                     ///< calibrate: nodes two by two
  bool algorithms = false;                ///< calibrate: the library's own choice against its other algorithms
  std::vector<std::string> calibrations;  ///< simulate: files
  std::string device;                     ///< simulate: file or name of configs/devices
  std::string simulated_ranks = "2,4,...,4096";
  bool split_tensors = false;     ///< plan: say what splitting them would gain
  std::optional<double> sharing;  ///< simulate: of two messages at once; default: as published
  std::string law;  ///< simulate: of allreduce_laws(); empty: the one that explains what was measured best
  std::string message_unit = "tensor";
  std::string jitter;                ///< simulate: a number or the file of a result
  std::vector<std::string> plans;    ///< plan, run, tune: files of merge plans
  std::string plan_output;           ///< plan: folder for the plan of one strategy; empty: not saved
  std::vector<std::string> results;  ///< compare, check, report: files of results, or calibrations
  std::string tolerance = "0.05";    ///< compare: a share, or a file of shares by metric
  bool force = false;                ///< compare: what is not alike, too
  std::string history;               ///< compare: folder whose results are looked through for changes
  std::string accepted_models = "alexnet,googlenet,resnet50";  ///< accept: comma-separated names
  std::string criteria;                                        ///< check, accept: file or name of configs/acceptance
  std::string criteria_of;                                     ///< check: result that criteria are made from
  std::string criteria_output;                                 ///< check: file for them
  std::string markdown_output;  ///< compare, check, report: file for a pull request; empty: none, as the next ones
  std::string junit_output;     ///< compare, check: file for a pipeline
  std::string html_output;      ///< report: file for the page
  std::string csv_output;       ///< report: file for the samples
  std::string trace_output;     ///< report: file for the timelines
  std::string topic;            ///< help: what is to be explained; empty: the program
  bool manual_page = false;     ///< help: the whole of it as a manual page
  std::string completion;       ///< help: a script for this shell; empty: none
  StrategyOptions strategy_options;

  bool emulates() const { return as_ranks.has_value(); }
  bool chooses_communicator() const { return communicator == kAutomatic && !emulates(); }
};

/// The words of a list separated by commas.
std::vector<std::string> split_list(const std::string& text);

/// Those of `names` that `text`, the value of `option`, lists, in the order of `names`; all of them for `all`. Throws
/// Error for an unknown one, which is called a `kind`.
std::vector<std::string> chosen_names(const std::string& option, const std::string& kind, const std::string& text,
                                      const std::vector<std::string>& names);

/// The strategies that `--strategy` names, in the registry's order. Throws Error for an unknown one, and for one that
/// can only be simulated.
std::vector<const StrategyEntry*> chosen_strategies(const RunConfig& config);

}  // namespace mgbench
