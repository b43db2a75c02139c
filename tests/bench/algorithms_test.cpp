// `mgbench calibrate --algorithms` as a user types it, and its rules under the MPI library that reads them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/build_info.h"
#include "bench/mpi/mpi_session.h"
#include "report/algorithm_comparison.h"
#include "support/run_program.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class Algorithms : public testing::Test {
 protected:
  const bool reads_rules_ = reads_open_mpi_rules(mpi_library_version());

  /// "4 ok\n64 failed\n": what allreduces of these sizes do under the rules.
  std::string outcomes(const std::string& rules, int ranks, const std::vector<std::string>& sizes) const {
    std::vector<std::string> words{kMpiLauncher,
                                   "-n",
                                   std::to_string(ranks),
                                   "--oversubscribe",
                                   "--bind-to",
                                   "none",
                                   "--mca",
                                   "mpi_yield_when_idle",
                                   "1",
                                   "--mca",
                                   "coll_tuned_use_dynamic_rules",
                                   "1",
                                   "--mca",
                                   "coll_tuned_dynamic_rules_filename",
                                   rules,
                                   MGBENCH_ALLREDUCE_OUTCOMES};
    words.insert(words.end(), sizes.begin(), sizes.end());
    const ProgramResult result =
        run_program(words, folder_.path(), {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.output;
  }

  /// The only file in results/ whose name ends so; empty: none.
  std::string result_file(const std::string& ending) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "results"))
      if (entry.path().string().ends_with(ending)) return entry.path().string();
    return "";
  }

  ScratchFolder folder_;
};

TEST_F(Algorithms, OpenMpiTakesTheRulesForThoseSizesAndRanksAlone) {
  if (!reads_rules_) GTEST_SKIP() << mpi_library_version() << " reads no such rules";
  // An algorithm that does not exist fails where it is taken: the only trace that Open MPI leaves of its choice.
  const std::string rules =
      folder_.write("a.rules", open_mpi_rules(2, {{0, 0}, {64, 99}, {1025, 0}, {4096, 99}, {4097, 3}}));
  EXPECT_EQ(outcomes(rules, 2, {"4", "63", "64", "1024", "1025", "4095", "4096", "4097", "1000000"}),
            "4 ok\n63 ok\n64 failed\n1024 failed\n1025 ok\n4095 ok\n4096 failed\n4097 ok\n1000000 ok\n");
  EXPECT_EQ(outcomes(rules, 3, {"64", "4096"}), "64 ok\n4096 ok\n");
  const std::string larger = folder_.write("b.rules", open_mpi_rules(3, {{0, 99}}));
  EXPECT_EQ(outcomes(larger, 2, {"64"}), "64 ok\n");
  EXPECT_EQ(outcomes(larger, 3, {"64"}), "64 failed\n");
}

TEST_F(Algorithms, AreComparedAndWhatIsFasterWorks) {
  const ProgramResult result =
      run_program({MGBENCH_PROGRAM, "calibrate", "--algorithms", "-n", "2", "--budget", "5", "--json"}, folder_.path());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["variable"] == "coll_tuned_allreduce_algorithm", reads_rules_) << json["variable"];
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_TRUE(json["failed"].empty()) << json["failed"];
  EXPECT_EQ(json["provenance"]["variable.OMPI_MCA_coll_tuned_use_dynamic_rules"], "1") << json["provenance"];
  ASSERT_GE(json["sizes"].size(), 2U);
  EXPECT_EQ(json["sizes"][0]["bytes"], 4);
  EXPECT_EQ(json["sizes"][1]["bytes"], 16);
  for (const Json& size : json["sizes"])
    EXPECT_EQ(size["own_choice_samples_seconds"].size(), size["other_samples_seconds"].size());

  std::ostringstream saved;
  saved << std::ifstream(result_file("-algorithms-2ranks.json")).rdbuf();
  EXPECT_EQ(Json::parse(saved.str()), json);
  const std::string rules = result_file("-allreduce.rules");
  EXPECT_EQ(rules.empty(), json["rules"].empty() || !reads_rules_);
  if (rules.empty()) return;
  EXPECT_EQ(outcomes(rules, 2, {"4", "65536"}), "4 ok\n65536 ok\n");
}

}  // namespace
}  // namespace mgbench
