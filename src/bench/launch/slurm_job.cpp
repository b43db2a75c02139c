#include "bench/launch/slurm_job.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

namespace mgbench {
namespace {

/// Nothing for what is no number above zero; what follows the digits is not looked at.
std::optional<int> count(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<int> count_in(const EnvironmentLookup& environment, const char* name) {
  const char* text = environment(name);
  return text != nullptr ? count(text) : std::nullopt;
}

/// Of a list such as "72(x2),36".
int least(std::string_view list) {
  int result = count(list).value_or(1);
  for (std::size_t comma = list.find(','); comma != std::string_view::npos; comma = list.find(',', comma + 1))
    result = std::min(result, count(list.substr(comma + 1)).value_or(result));
  return result;
}

/// "4" and "a100:4" are 4.
std::optional<int> gpus(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return count(colon == std::string_view::npos ? text : text.substr(colon + 1));
}

std::optional<int> gpus_in(const EnvironmentLookup& environment, const char* name) {
  const char* text = environment(name);
  return text != nullptr ? gpus(text) : std::nullopt;
}

/// Of "gpu:a100:4(IDX:0,2-4),gpu:2,nvme:8".
int sum_of_gpus(std::string_view resources) {
  constexpr std::string_view kKind = "gpu:";
  int sum = 0;
  for (std::size_t begin = 0; begin < resources.size();) {
    const std::string_view rest = resources.substr(begin);
    if (rest.starts_with(kKind)) sum += gpus(rest.substr(0, rest.find_first_of("(,"))).value_or(0);
    const std::size_t comma = rest.find(',');
    begin = comma == std::string_view::npos ? resources.size() : begin + comma + 1;
  }
  return sum;
}

}  // namespace

std::optional<SlurmJob> find_slurm_job(const EnvironmentLookup& environment) {
  const char* id = environment("SLURM_JOB_ID");
  if (id == nullptr || *id == '\0') return std::nullopt;
  SlurmJob job{.id = id};
  job.nodes = count_in(environment, "SLURM_JOB_NUM_NODES").value_or(1);
  job.on_node = environment("SLURMD_NODENAME") != nullptr;
  if (const char* cpus = environment("SLURM_JOB_CPUS_PER_NODE")) job.cpus_per_node = least(cpus);
  job.ranks = count_in(environment, "SLURM_NTASKS");
  if (!job.ranks)
    if (const auto ranks_per_node = count_in(environment, "SLURM_NTASKS_PER_NODE"))
      job.ranks = *ranks_per_node * job.nodes;
  job.cpus_per_rank = count_in(environment, "SLURM_CPUS_PER_TASK");
  // The first is of the node that this process runs on; a shell of salloc elsewhere has the second one.
  job.gpus_per_node =
      gpus_in(environment, "SLURM_GPUS_ON_NODE").value_or(gpus_in(environment, "SLURM_GPUS_PER_NODE").value_or(0));
  return job;
}

std::optional<int> gpus_of_every_node(const std::string& description) {
  // "Nodes=node[7-8] CPU_IDs=0-1 Mem=0 GRES=gpu:a100:2(IDX:0-1),nvme:1", a line for each kind of nodes.
  constexpr std::string_view kResources = "GRES=";
  std::optional<int> least;
  std::istringstream words(description);
  for (std::string word; words >> word;) {
    if (!word.starts_with(kResources)) continue;
    const int here = sum_of_gpus(std::string_view(word).substr(kResources.size()));
    least = std::min(least.value_or(here), here);
  }
  return least;
}

}  // namespace mgbench
