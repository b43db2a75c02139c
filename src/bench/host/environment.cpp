#include "bench/host/environment.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "bench/build_info.h"
#include "bench/host/machine.h"

namespace mgbench {
namespace {

/// Variables that change what is measured.
bool matters(std::string_view variable) {
  static constexpr std::array<std::string_view, 13> kPrefixes{"OMPI_MCA_", "PMIX_MCA_", "MPICH_", "MPIR_", "UCX_",
                                                              "FI_",       "OMP_",      "KMP_",   "DNNL_", "NCCL_",
                                                              "CUDA_",     "CUDNN_",    "NVIDIA_"};
  for (const std::string_view prefix : kPrefixes)
    if (variable.starts_with(prefix)) return true;
  return false;
}

/// The launcher's own bookkeeping, different in every job.
bool is_bookkeeping(std::string_view variable) {
  for (const char* part : {"orte_", "ess_", "_jobid", "_uri", "tmpdir", "_session", "pmix_server",
                           "mpi_yield_when_idle_", "shmem_RUNTIME"})
    if (variable.find(part) != std::string_view::npos) return true;
  return variable.starts_with("PMIX_MCA_") || variable.starts_with("OMPI_MCA_initial_wdir");
}

std::string formatted_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), format, &utc);
  return text.data();
}

}  // namespace

std::string utc_now() {
  return formatted_time("%Y-%m-%dT%H:%M:%SZ");
}
std::string utc_now_for_file_name() {
  return formatted_time("%Y%m%dT%H%M%SZ");
}

Environment collect_environment(Session& session, const Placement& placement) {
  ProcessGroup& group = session.group;
  const Machine machine = describe_machine();
  const std::vector<std::string> hosts = group.gather(placement.host);
  const std::vector<std::string> bindings = group.gather(placement.binding);
  const std::vector<std::string> processors = group.gather(machine.cpu);
  const std::vector<std::string> devices =
      group.gather(placement.device ? " with " + describe(*placement.device) : std::string());
  if (!group.is_root()) return {};

  Environment environment;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    std::string& ranks = environment[fmt::format("host.{}", hosts[rank])];
    ranks += fmt::format("{}rank {} on processors {}{}", ranks.empty() ? processors[rank] + ": " : "; ", rank,
                         bindings[rank], devices[rank]);
  }
  environment["host.kernel"] = machine.kernel;
  environment["host.cores"] = std::to_string(machine.cores);
  environment["software.mgbench"] = fmt::format("{} ({})", kVersion, kCommit);
  environment["software.build"] = fmt::format("{}, {}", kBuildType, kCompiler);
  environment["software.mpi"] = mpi_library_version();
  environment["software.mpi_thread_level"] = thread_level_name(session.mpi.thread_level());
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::string_view name = text.substr(0, text.find('='));
    if (matters(name) && !is_bookkeeping(name))
      environment[fmt::format("variable.{}", name)] = text.size() > name.size() ? text.substr(name.size() + 1) : "";
  }
  for (const auto& [name, value] : session.mpi.settings()) environment[fmt::format("setting.{}", name)] = value;
  for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST"})
    if (const char* value = std::getenv(name)) environment[fmt::format("job.{}", name)] = value;
  return environment;
}

}  // namespace mgbench
