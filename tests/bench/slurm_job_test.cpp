#include "bench/launch/slurm_job.h"

#include <gtest/gtest.h>

#include "support/environment_of.h"

namespace mgbench {
namespace {

using Variables = std::map<std::string, std::string>;

SlurmJob job_of(Variables variables) {
  variables.emplace("SLURM_JOB_ID", "12");
  return find_slurm_job(environment_of(std::move(variables))).value();
}

TEST(FindSlurmJob, IsEmptyOutsideOfAJob) {
  EXPECT_FALSE(find_slurm_job(environment_of({})));
  EXPECT_FALSE(find_slurm_job(environment_of({{"SLURM_CONF", "/etc/slurm.conf"}})));
  EXPECT_FALSE(find_slurm_job(environment_of({{"SLURM_JOB_ID", ""}})));
}

TEST(FindSlurmJob, ReadsABatchScriptsJob) {
  const SlurmJob job = job_of({{"SLURM_JOB_NUM_NODES", "8"}, {"SLURMD_NODENAME", "n1"}});
  EXPECT_EQ(job.id, "12");
  EXPECT_EQ(job.nodes, 8);
  EXPECT_TRUE(job.on_node);
  EXPECT_FALSE(job.ranks);
  EXPECT_FALSE(job.cpus_per_rank);
  EXPECT_EQ(job.gpus_per_node, 0);
  EXPECT_FALSE(job_of({{"SLURM_JOB_NUM_NODES", "8"}}).on_node) << "salloc's shell on a login node";
}

TEST(FindSlurmJob, TakesTheSmallestNode) {
  EXPECT_EQ(job_of({{"SLURM_JOB_CPUS_PER_NODE", "72(x8)"}}).cpus_per_node, 72);
  EXPECT_EQ(job_of({{"SLURM_JOB_CPUS_PER_NODE", "72(x2),36,128(x3)"}}).cpus_per_node, 36);
  EXPECT_EQ(job_of({}).cpus_per_node, 1);
}

TEST(FindSlurmJob, ReadsTheNumberOfTasks) {
  EXPECT_EQ(job_of({{"SLURM_NTASKS", "6"}}).ranks, 6);
  EXPECT_EQ(job_of({{"SLURM_NTASKS_PER_NODE", "4"}, {"SLURM_JOB_NUM_NODES", "3"}}).ranks, 12);
  EXPECT_EQ(job_of({{"SLURM_CPUS_PER_TASK", "9"}}).cpus_per_rank, 9);
}

TEST(FindSlurmJob, CountsGpus) {
  EXPECT_EQ(job_of({{"SLURM_GPUS_ON_NODE", "4"}}).gpus_per_node, 4);
  EXPECT_EQ(job_of({{"SLURM_GPUS_PER_NODE", "a100:8"}}).gpus_per_node, 8);
  EXPECT_EQ(job_of({{"SLURM_GPUS_PER_NODE", "2"}}).gpus_per_node, 2);
  EXPECT_EQ(job_of({{"SLURM_GPUS_PER_NODE", "a100"}}).gpus_per_node, 0);
}

TEST(GpusOfEveryNode, AreThoseOfTheNodeThatHasFewest) {
  const std::string two = " Nodes=node[7-8] CPU_IDs=0-1 Mem=0 GRES=gpu:2(IDX:0-1) ";
  EXPECT_EQ(gpus_of_every_node("JobId=9 JOB_GRES=gpu:4" + two), 2);
  EXPECT_EQ(gpus_of_every_node(two + "Nodes=node6 CPU_IDs=0 Mem=0 GRES=(null)"), 0);
  EXPECT_EQ(gpus_of_every_node(two + "\n Nodes=node6 CPU_IDs=0 Mem=0 GRES=\n"), 0);
  EXPECT_EQ(gpus_of_every_node("GRES=gpu:a100:4(IDX:0,2-4),gpu:v100:2(IDX:5,6),nvme:8"), 6);
  EXPECT_EQ(gpus_of_every_node("GRES=nvme:8"), 0);
}

TEST(GpusOfEveryNode, AreUnknownWhereSlurmDoesNotSay) {
  EXPECT_FALSE(gpus_of_every_node(""));
  EXPECT_FALSE(gpus_of_every_node("slurm_load_jobs error: Invalid job id specified"));
  EXPECT_FALSE(gpus_of_every_node("JOB_GRES=gpu:4"));
}

TEST(FindSlurmJob, TakesNonsenseForNothing) {
  const SlurmJob job = job_of({{"SLURM_JOB_NUM_NODES", "-3"},
                               {"SLURM_JOB_CPUS_PER_NODE", ",,x"},
                               {"SLURM_NTASKS", "99999999999999999999"},
                               {"SLURM_GPUS_ON_NODE", ":"}});
  EXPECT_EQ(job.nodes, 1);
  EXPECT_EQ(job.cpus_per_node, 1);
  EXPECT_FALSE(job.ranks);
  EXPECT_EQ(job.gpus_per_node, 0);
}

}  // namespace
}  // namespace mgbench
