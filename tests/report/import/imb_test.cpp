#include "report/import/support.h"

namespace mgbench {
namespace {

const std::string kRule = "#----------------------------------------------------------------\n";
const std::string kColumns = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";

std::string section(const std::string& benchmark, int ranks, const std::string& rows) {
  return kRule + "# Benchmarking " + benchmark + " \n# #processes = " + std::to_string(ranks) + " \n" + kRule +
         kColumns + rows + "\n";
}

const std::string kPreamble =
    "#------------------------------------------------------------\n#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
    "# Date                  : Mon Nov 20 19:56:00 2023\n# List of Benchmarks to run:\n# Allreduce\n\n";
const std::string kRows =
    "            0         1000         0.03         0.03         0.03\n"
    "            4         1000         4.50        10.50         7.00\n"
    "            8         1000         5.00        11.00         8.00\n"
    "         1024          640        90.00       100.25        95.00\n";
const Curve kThree{{4, 10.5e-6}, {8, 11e-6}, {1024, 100.25e-6}};

TEST(ImbImport, TakesTheSlowestRanksTime) {
  const ImportedLogs imported =
      import_text(kPreamble + section("Allreduce", 144, kRows) + "# All processes entering MPI_Finalize\n");
  ASSERT_EQ(imported.calibrations.size(), 1U);
  EXPECT_EQ(imported.calibrations[0].ranks, 144);
  EXPECT_EQ(imported.calibrations[0].library, "MPI");
  expect_points(imported.calibrations[0], kThree);
  EXPECT_EQ(imported.remarks, std::vector<std::string>{
                                  "x.log: IMB Allreduce of MPI, 3 times taken from column 't_max[usec]'; 1 row of 0 B "
                                  "left out"});
}

TEST(ImbImport, GivesACalibrationForEachNumberOfProcesses) {
  std::string waiting = section("Allreduce", 4, kRows);
  waiting.insert(waiting.find(" \n" + kRule + "       #bytes") + 2,
                 "# ( 12 additional processes waiting in MPI_Barrier )\n");
  const ImportedLogs imported = import_text(section("Allreduce", 16, kRows) + section("Bcast", 8, kRows) + waiting);
  ASSERT_EQ(imported.calibrations.size(), 2U);
  EXPECT_EQ(imported.calibrations[0].ranks, 4);
  EXPECT_EQ(imported.calibrations[1].ranks, 16);
  for (const Calibration& calibration : imported.calibrations) expect_points(calibration, kThree);
}

TEST(ImbImport, ReadsTheRowsOfOldVersions) {
  const Calibration calibration =
      only_calibration(kRule + "# Benchmarking Allreduce\n# #processes = 96\n" + kRule +
                       "#Benchmarking        #procs       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                       "Allreduce       96      0         1000         0.02   0.03         0.02\n"
                       "Allreduce       96      4         1000       9.88   10.50       9.95\n"
                       "Allreduce       96      8         1000       9.88   11.00       9.95\n"
                       "Allreduce       96      1024      1000       97.88  100.25      98.95\n");
  EXPECT_EQ(calibration.ranks, 96);
  expect_points(calibration, kThree);
}

TEST(ImbImport, LeavesOutSizesThatWereNotMeasured) {
  const Calibration calibration = only_calibration(section(
      "Allreduce", 4,
      kRows +
          "   1073741824 out-of-mem.; needed X=   4.001 GB; use flag \"-mem X\" or MAX_MEM_USAGE>=X (IMB_mem_info.h)\n"
          "   2147483648 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over\n"));
  expect_points(calibration, kThree);
  EXPECT_EQ(calibration.provenance.at("imported.skipped_lines"), "2");
}

TEST(ImbImport, CombinesRepetitionsByTheMedian) {
  const auto rows = [](const std::string& time) {
    return "4 1000 1.00 " + time + " 1.00\n8 1000 1.00 " + time + " 1.00\n16 1000 1.00 " + time + " 1.00\n";
  };
  const Calibration calibration =
      only_calibration(section("Allreduce", 4, rows("5.00")) + section("Allreduce", 4, rows("9.00")) +
                       section("Allreduce", 4, rows("6.00")));
  expect_points(calibration, {{4, 6e-6}, {8, 6e-6}, {16, 6e-6}});
  EXPECT_EQ(calibration.find("library").points[0].samples, 3U);
  EXPECT_FALSE(calibration.find("library").points[0].interval);
}

class ImbRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(ImbRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Import, ImbRefusal,
    testing::Values(
        Refusal{"no allreduce", section("Bcast", 4, kRows),
                "x.log: no section '# Benchmarking Allreduce', only other benchmarks"},
        Refusal{"only a relative", section("Iallreduce", 4, kRows),
                "x.log: no section '# Benchmarking Allreduce', only other benchmarks"},
        Refusal{"one process", section("Allreduce", 1, kRows),
                "x.log:7: times of one process, which exchanges nothing; expected at least 2 ranks"},
        Refusal{"contradiction", section("Allreduce", 4, kRows),
                "x.log:7: times of 4 ranks, and --ranks 8 says otherwise", 8},
        Refusal{"truncated row", section("Allreduce", 4, "4 1000 1.00\n"),
                "x.log:6: 3 columns, expected 5 as in the heading"},
        Refusal{"nan", section("Allreduce", 4, "4 1000 1.00 nan 1.00\n"),
                "x.log:6: 'nan' is not a time, expected a number above 0 and at most 1e+15"},
        Refusal{"stars", section("Allreduce", 4, "4 1000 1.00 ***** 1.00\n"),
                "x.log:6: '*****' is not a time, expected a number above 0 and at most 1e+15"},
        Refusal{"no processes", kRule + "# Benchmarking Allreduce\n" + kColumns + kRows,
                "x.log:5: the log does not say how many ranks it is of: add --ranks P"},
        Refusal{"broken processes", "# Benchmarking Allreduce\n# #processes = four\n",
                "x.log:2: 'four' is not a number of ranks, expected a whole number from 1 to 1000000"},
        Refusal{"other unit",
                "# Benchmarking Allreduce\n# #processes = 4\n#bytes #repetitions t_min[msec] t_max[msec]\n",
                "x.log:3: unknown column 't_min[msec]'; did you mean 't_min[usec]'? choices: #Benchmarking, #procs, "
                "#bytes, "
                "#repetitions, t_min[usec], t_max[usec], t_avg[usec], defects"},
        Refusal{"no slowest rank", "# Benchmarking Allreduce\n# #processes = 4\n#bytes #repetitions t_avg[usec]\n",
                "x.log:3: expected the columns #bytes and t_max[usec]"},
        Refusal{"defects",
                "# Benchmarking Allreduce\n# #processes = 4\n#bytes #repetitions t_max[usec] defects\n4 10 5.00 1.00\n",
                "x.log:4: 1.00 defects: this allreduce does not sum"},
        Refusal{"no rows", section("Allreduce", 4, ""), "x.log: IMB Allreduce without a row of measurements"}));

}  // namespace
}  // namespace mgbench
