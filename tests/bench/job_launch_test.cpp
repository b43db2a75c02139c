#include "bench/launch/job_launch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace mgbench {
namespace {

constexpr const char* kOpenMpi = "Open MPI v4.1.4";
const std::vector<std::string> kProgram{"/bin/mgbench", "run"};

Machine machine(int cores, int numa_domains) {
  return {.host = "n1", .cpu = "c", .kernel = "k", .cores = cores, .numa_domains = numa_domains};
}

SlurmJob job(int nodes) {
  return {.id = "12", .nodes = nodes, .on_node = true, .cpus_per_node = 128};
}

JobLayout lay_out(const SlurmJob& job, std::optional<int> ranks = {}, std::optional<int> nodes = {}) {
  return lay_out_job(job, machine(64, 4), ranks, nodes);
}

bool holds(const std::vector<std::string>& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

TEST(JobLayout, IsOneRankANumaDomain) {
  const JobLayout layout = lay_out(job(8));
  EXPECT_EQ(layout.ranks, 32);
  EXPECT_EQ(layout.ranks_per_node(), 4);
  EXPECT_EQ(layout.cpus_per_rank, 32);
  EXPECT_EQ(layout.cores_per_rank, 16);
  EXPECT_EQ(layout.reason, "one a NUMA domain");
  EXPECT_EQ(lay_out_job(job(8), machine(2, 1), {}, {}).reason, "one a node");
}

TEST(JobLayout, IsThatOfAHostInAJobOfOneNode) {
  EXPECT_EQ(lay_out_job(job(1), machine(6, 1), {}, {}).ranks, 6);
  EXPECT_EQ(lay_out_job(job(1), machine(64, 4), {}, {}).ranks, 4);
}

TEST(JobLayout, IsOneRankANodeWhereTheNodesAreNotKnown) {
  SlurmJob elsewhere = job(8);
  elsewhere.on_node = false;
  EXPECT_EQ(lay_out(elsewhere).ranks, 8);
  EXPECT_EQ(lay_out(elsewhere).cores_per_rank, 0);
}

TEST(JobLayout, IsOneRankAGpu) {
  SlurmJob with_gpus = job(2);
  with_gpus.gpus_per_node = 8;
  EXPECT_EQ(lay_out(with_gpus).ranks, 16);
  EXPECT_EQ(lay_out(with_gpus).cpus_per_rank, 16);
  EXPECT_EQ(lay_out(with_gpus).reason, "one a GPU");
}

TEST(JobLayout, ObeysTheJobsTasksAndTheUserBeforeThem) {
  SlurmJob given = job(8);
  given.gpus_per_node = 4;
  given.ranks = 16;
  given.cpus_per_rank = 3;
  EXPECT_EQ(lay_out(given).ranks, 16);
  EXPECT_EQ(lay_out(given).cpus_per_rank, 3);
  EXPECT_EQ(lay_out(given, {}, 2).ranks, 4) << "as many a node on some of the nodes";
  EXPECT_EQ(lay_out(given, 5).ranks, 5);
  EXPECT_EQ(lay_out(given, 5).nodes, 5);
  given.ranks = 2;
  EXPECT_EQ(lay_out(given, {}, 4).ranks, 4) << "no node without a rank";
}

void expect_refused(std::optional<int> ranks, std::optional<int> nodes, const char* message) {
  try {
    lay_out(job(8), ranks, nodes);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(JobLayout, TakesSomeOfTheNodes) {
  EXPECT_EQ(lay_out(job(8), {}, 2).ranks, 8);
  EXPECT_EQ(lay_out(job(8), {}, 2).nodes, 2);
  expect_refused({}, 9, "--nodes 9: job 12 has 8");
  expect_refused(2, 3, "--nodes 3: 2 ranks cannot be on so many");
}

TEST(JobLayout, HasNoCpusForRanksThatAreTooMany) {
  EXPECT_EQ(lay_out(job(1), 200).cpus_per_rank, 0);
  EXPECT_EQ(lay_out(job(1), 200).cores_per_rank, 0);
}

TEST(JobLauncher, IsSrunWhereItSpeaksWhatMpiNeeds) {
  const std::string types = "MPI plugin types are...\n\tpmi2\n\tpmix\n";
  EXPECT_EQ(choose_job_launcher("auto", kOpenMpi, types), "srun");
  EXPECT_EQ(choose_job_launcher("auto", kOpenMpi, "MPI plugin types are...\n\tpmi2\n"), "mpirun");
  EXPECT_EQ(choose_job_launcher("auto", kOpenMpi, ""), "mpirun");
  EXPECT_EQ(choose_job_launcher("auto", "MPICH Version: 4.0.2", types), "mpirun");
  EXPECT_EQ(choose_job_launcher("mpirun", kOpenMpi, types), "mpirun");
  EXPECT_EQ(choose_job_launcher("srun", "MPICH Version: 4.0.2", ""), "srun");
}

TEST(SrunCommand, GivesEachRankItsCpusAndEndsAllWithOne) {
  const std::vector<std::string> command = srun_command(lay_out(job(8)), kOpenMpi, kProgram);
  const std::vector<std::string> expected{"srun",
                                          "--nodes=8",
                                          "--ntasks=32",
                                          "--ntasks-per-node=4",
                                          "--kill-on-bad-exit=1",
                                          "--cpus-per-task=32",
                                          "--cpu-bind=cores",
                                          "--mpi=pmix",
                                          "/bin/mgbench",
                                          "run"};
  EXPECT_EQ(command, expected);
  EXPECT_FALSE(holds(srun_command(lay_out(job(8)), "MPICH Version: 4.0.2", kProgram), "--mpi=pmix"));
}

TEST(SrunCommand, BindsNoRanksThatAreTooMany) {
  const std::vector<std::string> command = srun_command(lay_out(job(1), 200), kOpenMpi, kProgram);
  EXPECT_TRUE(holds(command, "--overcommit"));
  EXPECT_TRUE(holds(command, "--cpu-bind=none"));
}

TEST(MpirunCommand, MapsAndBinds) {
  const std::vector<std::string> expected{"/usr/bin/mpirun",  "--quiet",   "-n",   "32",           "--map-by",
                                          "ppr:4:node:PE=16", "--bind-to", "core", "/bin/mgbench", "run"};
  EXPECT_EQ(mpirun_command("/usr/bin/mpirun", lay_out(job(8)), kOpenMpi, kProgram), expected);
  const std::vector<std::string> crowded = mpirun_command("mpirun", lay_out(job(1), 200), kOpenMpi, kProgram);
  EXPECT_TRUE(holds(crowded, "ppr:200:node"));
  EXPECT_TRUE(holds(crowded, "none"));
}

TEST(MpirunCommand, SpeaksHydrasLanguageForOtherLibraries) {
  const std::vector<std::string> expected{"mpiexec",  "-n",      "32",           "-ppn", "4",
                                          "-bind-to", "core:16", "/bin/mgbench", "run"};
  EXPECT_EQ(mpirun_command("mpiexec", lay_out(job(8)), "MPICH Version: 4.0.2", kProgram), expected);
}

}  // namespace
}  // namespace mgbench
