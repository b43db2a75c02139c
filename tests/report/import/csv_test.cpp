#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/equal.h"
#include "report/import/support.h"

namespace mgbench {
namespace {

TEST(CsvImport, ReadsRanksAndLibraryFromComments) {
  const Calibration calibration = only_calibration(
      "# measured on the old switch\n# ranks=8\n# library=gloo\nbytes,seconds\n4,1e-5\n8, 2e-5\n\n16,3e-5");
  EXPECT_EQ(calibration.ranks, 8);
  EXPECT_EQ(calibration.library, "gloo");
  expect_points(calibration, {{4, 1e-5}, {8, 2e-5}, {16, 3e-5}});
}

TEST(CsvImport, SeveralNumbersOfRanksGiveACalibrationEach) {
  const ImportedLogs imported = import_text(
      "# ranks=8\nbytes,seconds\n4,1e-5\n8,2e-5\n16,3e-5\n# ranks=4\nbytes,seconds\n4,1e-6\n8,2e-6\n16,3e-6\n");
  ASSERT_EQ(imported.calibrations.size(), 2U);
  EXPECT_EQ(imported.calibrations[0].ranks, 4);
  expect_points(imported.calibrations[0], {{4, 1e-6}, {8, 2e-6}, {16, 3e-6}});
  EXPECT_EQ(imported.calibrations[1].ranks, 8);
}

TEST(CsvImport, SixRepetitionsHaveAnInterval) {
  std::string text = "# ranks=2\nbytes,seconds\n";
  for (int i = 1; i <= 6; ++i)
    for (const char* bytes : {"16", "8", "4"}) text += fmt::format("{},{}e-5\n", bytes, i);
  const CalibrationPoint point = only_calibration(text).find("library").points[0];
  EXPECT_DOUBLE_EQ(point.seconds, 3.5e-5);
  ASSERT_TRUE(point.interval);
  EXPECT_DOUBLE_EQ(point.interval->low, 1e-5);
  EXPECT_DOUBLE_EQ(point.interval->high, 6e-5);
}

TEST(CsvImport, SeveralFilesAreOneSeries) {
  const ImportedLogs imported = import_logs({{"a.csv", "# ranks=2\nbytes,seconds\n4,1e-5\n8,2e-5\n"},
                                             {"b.csv", "# ranks=2\nbytes,seconds\n4,3e-5\n16,3e-5\n"}},
                                            {});
  ASSERT_EQ(imported.calibrations.size(), 1U);
  expect_points(imported.calibrations[0], {{4, 2e-5}, {8, 2e-5}, {16, 3e-5}});
  EXPECT_EQ(imported.calibrations[0].provenance.at("imported.file"), "a.csv, b.csv");
}

TEST(CsvImport, FilesOfDifferentKindsAreRefused) {
  const LogFile mpi{"a.csv", "# ranks=2\nbytes,seconds\n4,1e-5\n8,2e-5\n16,3e-5\n"};
  const LogFile gloo{"b.csv", "# ranks=2\n# library=gloo\nbytes,seconds\n4,1e-5\n"};
  try {
    import_logs({mpi, gloo}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "b.csv: CSV of gloo (seconds), after CSV of MPI (seconds); import them apart");
  }
}

TEST(CsvImport, HasNoTimesOutOfPlace) {
  EXPECT_THROW(import_text("bytes,seconds\n4,1e-5\n8,2e-5\n16,3e-5\n", 2, true), Error);
}

TEST(CsvImport, AFileCountsOnce) {
  const LogFile file{"a.csv", "# ranks=2\nbytes,seconds\n4,1e-5\n8,2e-5\n16,3e-5\n"};
  EXPECT_THROW(import_logs({file, file}, {}), Error);
}

RC_GTEST_PROP(CsvImport, WhatIsReadIsASavedCalibration, ()) {
  const int ranks = *rc::gen::inRange(2, 5000);
  std::string text = fmt::format("# ranks={}\nbytes,seconds\n", ranks);
  Curve expected;
  Bytes bytes = 0;
  for (int i = *rc::gen::inRange(3, 20); i > 0; --i) {
    bytes += *rc::gen::inRange<Bytes>(1, 1 << 20);
    expected.push_back({bytes, 1e-9 * *rc::gen::inRange(100'000, 400'000'000)});
    text += fmt::format("{},{}\n", bytes, expected.back().seconds);
  }
  const Calibration calibration = only_calibration(text);
  expect_points(calibration, expected);
  RC_ASSERT(calibration.ranks == ranks);
  RC_ASSERT(equal(calibration_from_yaml(to_yaml(calibration), "c.yaml"), calibration));
}

class CsvRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(CsvRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Import, CsvRefusal,
    testing::Values(
        Refusal{"other unit", "# ranks=2\nbytes,microseconds\n4,10\n",
                "x.log:2: unknown column 'microseconds'; choices: bytes, seconds"},
        Refusal{"other order", "# ranks=2\nbytes,seconds,seconds\n4,10\n",
                "x.log:2: expected the heading 'bytes,seconds'"},
        Refusal{"unknown setting", "# rank=2\nbytes,seconds\n4,10\n",
                "x.log:1: unknown setting 'rank'; did you mean 'ranks'? choices: ranks, library"},
        Refusal{"broken ranks", "# ranks=two\nbytes,seconds\n4,10\n",
                "x.log:1: 'two' is not a number of ranks, expected a whole number from 1 to 1000000"},
        Refusal{"empty library", "# library=\nbytes,seconds\n4,10\n",
                "x.log:1: library: no value, expected a name (MPI, NCCL, gloo)"},
        Refusal{"two libraries", "# ranks=2\nbytes,seconds\n4,1e-5\n# library=NCCL\n8,1e-5\n",
                "x.log:4: times of NCCL after those of MPI; import them apart"},
        Refusal{"truncated row", "# ranks=2\nbytes,seconds\n4\n", "x.log:3: 1 columns, expected 2: bytes,seconds"},
        Refusal{"words", "# ranks=2\nbytes,seconds\n4,fast\n",
                "x.log:3: 'fast' is not a time, expected a number above 0 and at most 1e+09"},
        Refusal{"microseconds", "# ranks=2\nbytes,seconds\n4,82.1\n",
                "x.log:3: 82.1 s for 4 B is slower than any interconnect: is this another unit?"},
        Refusal{"no ranks", "bytes,seconds\n4,1e-5\n",
                "x.log:2: the log does not say how many ranks it is of: add --ranks P"},
        Refusal{
            "no log at all", "schema: 1\nranks: 8\n",
            "x.log: no log of a kind that is read here, expected OSU's osu_allreduce (a heading 'Size ... Avg "
            "Latency(us)'); or Intel MPI Benchmarks (a section '# Benchmarking Allreduce'); or nccl-tests' "
            "all_reduce_perf (its table with algbw and busbw); or the JSON of nccl-tests' all_reduce_perf -J; or CSV "
            "with the heading 'bytes,seconds'"},
        Refusal{"two kinds", "bytes,seconds\n# Benchmarking Allreduce\n",
                "x.log: looks like several kinds of logs at once (imb-allreduce, csv); import them apart"}));

}  // namespace
}  // namespace mgbench
