// How a command that nobody has started ranks for says that it starts them, with a Slurm that only answers questions.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "bench/mpi/mpi_session.h"
#include "support/commands.h"

namespace mgbench {
namespace {

class LaunchCommand : public Commands {
 protected:
  /// `mgbench run --model tiny --dry-run` in a job of 8 nodes, where srun knows these kinds of MPI.
  ProgramResult dry_run_in_job(const std::string& types, std::vector<std::string> options = {},
                               std::vector<std::pair<std::string, std::string>> variables = {}) const {
    const std::string srun = folder_.write("srun", "#!/bin/sh\necho 'MPI plugin types are...'\necho " + types + "\n");
    std::filesystem::permissions(srun, std::filesystem::perms::owner_all);
    options.insert(options.begin(), {"run", "--model", "tiny", "--dry-run"});
    variables.insert(variables.end(),
                     {{"SLURM_JOB_ID", "12"}, {"SLURM_JOB_NUM_NODES", "8"}, {"SLURM_JOB_CPUS_PER_NODE", "16(x8)"}});
    variables.emplace_back("PATH", folder_.path().string() + ":" + std::getenv("PATH"));
    return mgbench(options, variables);
  }

  static void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
};

TEST_F(LaunchCommand, InAJobIsSrunWhereItSpeaksPmix) {
  if (!mpi_library_version().starts_with("Open MPI")) GTEST_SKIP() << "another MPI needs something else than PMIx";
  const ProgramResult result = dry_run_in_job("pmix");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  expect_words(result.output, {"8 ranks on 8 of 8 nodes of job 12, one a node: srun ", "--ntasks=8",
                               "--cpus-per-task=16", "--mpi=pmix", "run --model tiny\n"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"srun"}) << "a dry run writes nothing";
}

TEST_F(LaunchCommand, InAJobIsMpirunWhereSrunDoesNot) {
  expect_words(dry_run_in_job("pmi2").output, {"mpi", "-n 8 "});
  EXPECT_EQ(dry_run_in_job("pmi2").output.find("srun"), std::string::npos);
  EXPECT_EQ(dry_run_in_job("pmix", {"--launcher", "mpirun"}).output.find("srun"), std::string::npos);
}

TEST_F(LaunchCommand, InAJobObeysNodesTasksAndGpus) {
  expect_words(dry_run_in_job("pmix", {"--launcher", "srun", "--nodes", "2"}).output,
               {"2 ranks on 2 of 8 nodes", "--nodes=2"});
  expect_words(dry_run_in_job("pmix", {"--launcher", "srun"}, {{"SLURM_NTASKS", "16"}}).output,
               {"16 ranks", "--ntasks-per-node=2"});
  expect_words(dry_run_in_job("pmix", {"--launcher", "srun"}, {{"SLURM_GPUS_ON_NODE", "4"}}).output,
               {"32 ranks", "one a GPU", "--ntasks-per-node=4"});
}

TEST_F(LaunchCommand, SaysWhyTheLauncherStartsNoRankInItsOwnWords) {
  if (!mpi_library_version().starts_with("Open MPI")) GTEST_SKIP() << "the words are Open MPI's";
  const std::string hosts = folder_.write("hosts", "localhost slots=1\n");
  for (const auto& [file, words] : {std::pair{hosts, "There are not enough slots available in the system"},
                                    std::pair{std::string("/no/hosts"), "unable to open the hostfile: /no/hosts"}}) {
    const ProgramResult result =
        mgbench({"run", "--model", "tiny", "-n", "2"},
                {{"OMPI_MCA_orte_default_hostfile", file}, {"OMPI_MCA_rmaps_base_mapping_policy", "slot"}});
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    expect_words(result.errors, {" started no rank: ", words});
  }
}

TEST_F(LaunchCommand, InAJobSaysWhySrunStartsNoRank) {
  if (!mpi_library_version().starts_with("Open MPI")) GTEST_SKIP() << "another MPI needs something else than PMIx";
  const auto in_job = [&](const std::string& steps) {
    const std::string srun =
        folder_.write("srun", "#!/bin/sh\ncase \"$*\" in --mpi=list) echo pmix ;; " + steps + " esac\n");
    std::filesystem::permissions(srun, std::filesystem::perms::owner_all);
    return mgbench({"run", "--model", "tiny"}, {{"SLURM_JOB_ID", "12"},
                                                {"SLURM_JOB_NUM_NODES", "8"},
                                                {"SLURM_JOB_CPUS_PER_NODE", "16(x8)"},
                                                {"PATH", folder_.path().string() + ":" + std::getenv("PATH")}});
  };
  const ProgramResult none = in_job("*) echo 'srun: error: Unable to create step for job 12' >&2; exit 1 ;;");
  EXPECT_EQ(none.exit_code, 3);
  expect_words(none.errors, {"mgbench: srun started no rank: srun: error: Unable to create step for job 12\n"});
  const ProgramResult verdict = in_job("*--version) " MGBENCH_PROGRAM " --version ;; *) exit 1 ;;");
  EXPECT_EQ(verdict.exit_code, 1) << "the ranks' own";
  EXPECT_EQ(verdict.errors.find("started no rank"), std::string::npos);
}

TEST_F(LaunchCommand, FromABundleTakesTheMpiInsideAndOneNode) {
  const std::pair<std::string, std::string> bundle{"MGBENCH_BUNDLE", "/opt/bundle"};
  const ProgramResult alone = mgbench({"run", "--model", "tiny", "-n", "2", "--dry-run"}, {bundle});
  expect_words(alone.output, {": /opt/bundle/openmpi/bin/mpirun "});
  const ProgramResult one = dry_run_in_job("pmix", {"--nodes", "1"}, {bundle});
  expect_words(one.output, {"on 1 of 8 nodes", ": /opt/bundle/openmpi/bin/mpirun "});
  const ProgramResult all = dry_run_in_job("pmix", {}, {bundle});
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_EQ(all.errors,
            "mgbench: the MPI of this bundle serves one machine, and job 12 would run on 8: build mgbench against the "
            "site's own MPI (docs/install.md), or take one node (--nodes 1)\n");
}

TEST_F(LaunchCommand, OutsideOfAJobSaysThatItIsAlone) {
  const ProgramResult result = mgbench({"run", "--model", "tiny", "-n", "2", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  expect_words(result.output, {"2 ranks on ", " alone", "-n 2 "});
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(LaunchCommand, UnderALauncherTellsIt) {
  std::vector<std::pair<std::string, std::string>> step{{"SLURM_STEP_NUM_TASKS", "8"}, {"PMIX_RANK", "0"}};
  EXPECT_EQ(mgbench({"run", "--dry-run"}, step).output, "8 ranks of srun (SLURM_STEP_NUM_TASKS=8)\n");
  step.emplace_back("SLURM_PROCID", "3");
  EXPECT_EQ(mgbench({"run", "--dry-run"}, step).output, "") << "one rank says it";
}

TEST_F(LaunchCommand, RefusesOtherNodesThanTheLaunchers) {
  const std::vector<std::pair<std::string, std::string>> step{
      {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_NUM_NODES", "4"}, {"PMIX_RANK", "0"}};
  EXPECT_EQ(mgbench({"run", "--nodes", "4", "--dry-run"}, step).exit_code, 0);
  const ProgramResult other = mgbench({"run", "--nodes", "2", "--dry-run"}, step);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.errors, "mgbench: --nodes 2: srun has started the ranks on 4\n");
}

TEST_F(LaunchCommand, RefusesAStepThatLeavesRanksAlone) {
  const std::vector<std::pair<std::string, std::string>> step{{"SLURM_STEP_NUM_TASKS", "8"}};
  const ProgramResult alone = mgbench({"run", "--model", "tiny"}, step);
  EXPECT_EQ(alone.exit_code, 2);
  expect_words(alone.errors, {"SLURM_STEP_NUM_TASKS=8: srun started 8 processes", "srun --mpi=pmix"});
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(LaunchCommand, RefusesWhatNeedsAJob) {
  expect_refused({"run", "--nodes", "2"}, {"--nodes 2: there is no Slurm job"});
  expect_refused({"run", "--nodes", "0"}, {"--nodes 0: expected at least one node"});
  expect_refused({"run", "--launcher", "srun"}, {"--launcher srun: there is no Slurm job"});
  expect_refused({"run", "--launcher", "sruns"}, {"unknown launcher 'sruns'; did you mean 'srun'?"});
}

}  // namespace
}  // namespace mgbench
