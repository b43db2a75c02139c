#include "report/import/support.h"

namespace mgbench {
namespace {

const Curve kThree{{4, 10.5e-6}, {8, 11e-6}, {1024, 100.25e-6}};
const std::string kRows = "4   10.50\n8   11.00\n1024   100.25\n";

struct Case {
  std::string name;
  std::string text;
  std::optional<int> ranks = 4;
  std::string library = "MPI";
  std::string column = "Avg Latency(us)";
  std::size_t skipped = 0;
};

void PrintTo(const Case& entry, std::ostream* stream) {
  *stream << entry.name;
}

class Osu : public testing::TestWithParam<Case> {};

TEST_P(Osu, IsReadWhateverItsVersion) {
  const Case& entry = GetParam();
  const Calibration calibration = only_calibration(entry.text, entry.ranks);
  expect_points(calibration, kThree);
  EXPECT_EQ(calibration.ranks, 4);
  EXPECT_EQ(calibration.library, entry.library);
  EXPECT_EQ(calibration.find("library").communicator, "osu_allreduce");
  EXPECT_EQ(calibration.provenance.at("imported.column"), entry.column);
  EXPECT_EQ(calibration.provenance.at("imported.skipped_lines"), std::to_string(entry.skipped));
}

INSTANTIATE_TEST_SUITE_P(
    Import, Osu,
    testing::Values(
        Case{"v5", "# OSU MPI Allreduce Latency Test v5.9\n# Size       Avg Latency(us)\n" + kRows},
        Case{"v3", "# OSU MPI Allreduce Latency Test v3.9\n# Size            Latency (us)\n" + kRows, 4, "MPI",
             "Latency (us)"},
        Case{"v7, all columns",
             "\n# OSU MPI Allreduce Latency Test v7.3\n# Datatype: MPI_FLOAT.\n"
             "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
             "4   10.50  9.00  12.00  1000\n8  11.00  9.10  12.50  1000\n1024  100.25  90.00  110.00  100\n"},
        Case{"v7, tails",
             "# OSU MPI Allreduce Latency Test v7.5\n# Datatype: MPI_INT.\n"
             "# Size  Avg Latency(us)  P50 Tail Lat(us)  P90 Tail Lat(us)  P99 Tail Lat(us)\n"
             "4   10.50  9.00  12.00  13.00\n8  11.00  9.10  12.50  13.00\n1024  100.25  90.00  110.00  300.00\n"},
        Case{"one blank between titles",
             "# OSU MPI-CUDA Allreduce Latency Test v5.6.2\n# Size Avg Latency(us)\n" + kRows},
        Case{"NCCL", "# OSU NCCL Allreduce Latency Test v7.0\n# Size   Avg Latency(us)\n" + kRows, 4, "NCCL"},
        Case{
            "Windows line ends, no last one",
            "# OSU MPI Allreduce Latency Test v5.9\r\n# Size       Avg Latency(us)\r\n4   10.50\r\n8   11.00\r\n1024   "
            "100.25"},
        Case{"noise around and between",
             "Loading mpi/openmpi\n2 modules loaded\n# OSU MPI Allreduce Latency Test v5.9\n# Size   Avg "
             "Latency(us)\n4   10.50\n[node01:123] WARNING: no device\n8   11.00\n1024   100.25\nreal 12.5\n",
             4, "MPI", "Avg Latency(us)", 4},
        Case{"mpirun --tag-output",
             "[1,0]<stdout>:# OSU MPI Allreduce Latency Test v5.9\n[1,0]<stdout>:# Size   Avg Latency(us)\n"
             "[1,0]<stdout>:4   10.50\n[1,0]<stdout>:8   11.00\n[1,0]<stdout>:1024   100.25\n"},
        Case{
            "other benchmarks before and behind",
            "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n4   1.00\n"
            "# OSU MPI Allreduce Latency Test v5.9\n# Size       Avg Latency(us)\n" +
                kRows +
                "# OSU MPI Non-blocking Allreduce Latency Test v5.9\n# Size   Overall(us)  Compute(us)\n4  9.00 8.00\n",
            4, "MPI", "Avg Latency(us)", 6},
        Case{"ranks in a column", "P,size,avg latency(us)\n4,4,10.50\n4,8,11.00\n4,1024,100.25\n", std::nullopt, "MPI",
             "avg latency(us)"},
        Case{"ranks in a column of a text", "# P  Size  Avg Latency(us)\n4 4 10.50\n4 8 11.00\n4 1024 100.25\n",
             std::nullopt},
        Case{"pandas", ",Size,Avg Latency(us),Iterations\n0,4,10.50,1000\n1,8,11.00,1000\n2,1024,100.25,100\n"},
        Case{"pandas, quoted",
             "\"Unnamed: 0\",\"Size\",\"Avg Latency(us)\"\n\"0\",\"4\",\"10.50\"\n1,8,11.00\n2,1024,100.25\n"}));

TEST(OsuImport, SaysWhatWasTakenAndThatTheCollectiveIsNotNamed) {
  const ImportedLogs imported = import_text("P,size,avg latency(us)\n2,4,1\n2,8,2\n2,0,1\n2,16,3\n");
  ASSERT_EQ(imported.remarks.size(), 2U);
  EXPECT_EQ(imported.remarks[0],
            "x.log: osu_allreduce of MPI, 3 times taken from column 'avg latency(us)'; 1 row of 0 B left out");
  EXPECT_EQ(imported.remarks[1], "x.log does not name the collective: taken as allreduce");
}

const std::string kHead = "# OSU MPI Allreduce Latency Test v5.9\n# Size       Avg Latency(us)\n";

class OsuRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(OsuRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Import, OsuRefusal,
    testing::Values(
        Refusal{"no ranks", kHead + kRows, "x.log:3: the log does not say how many ranks it is of: add --ranks P"},
        Refusal{"one process", kHead + kRows,
                "x.log:3: times of one process, which exchanges nothing; expected at least 2 ranks", 1},
        Refusal{"contradiction", "P,size,avg latency(us)\n4,4,10.50\n",
                "x.log:2: times of 4 ranks, and --ranks 8 says otherwise", 8},
        Refusal{"truncated row", kHead + "4  10.50\n8\n", "x.log:4: 1 columns, expected 2 as in the heading", 4},
        Refusal{"truncated number", kHead + "4  10.50\n8  11.00\n1024  100.2",
                "x.log:5: the file ends within '100.2': cut off, expected a whole row", 4},
        Refusal{"nan", kHead + "4  nan\n", "x.log:3: 'nan' is not a time, expected a number above 0 and at most 1e+15",
                4},
        Refusal{"inf", kHead + "4  inf\n", "x.log:3: 'inf' is not a time, expected a number above 0 and at most 1e+15",
                4},
        Refusal{"stars", kHead + "4  ****\n",
                "x.log:3: '****' is not a time, expected a number above 0 and at most 1e+15", 4},
        Refusal{"zero", kHead + "4  0.00\n",
                "x.log:3: '0.00' is not a time, expected a number above 0 and at most 1e+15", 4},
        Refusal{"negative", kHead + "4  -1.00\n",
                "x.log:3: '-1.00' is not a time, expected a number above 0 and at most 1e+15", 4},
        Refusal{"too long", kHead + "4  1e30\n",
                "x.log:3: '1e30' is not a time, expected a number above 0 and at most 1e+15", 4},
        Refusal{"stars as size", kHead + "***  1.00\n",
                "x.log:3: '***' is not a size, expected a whole number of bytes up to 2^40", 4},
        Refusal{"fraction as size", kHead + "4.5  1.00\n",
                "x.log:3: '4.5' is not a size, expected a whole number of bytes up to 2^40", 4},
        Refusal{"absurd size", kHead + "2199023255552  1.00\n",
                "x.log:3: '2199023255552' is not a size, expected a whole number of bytes up to 2^40", 4},
        Refusal{"seconds for microseconds", kHead + "4  0.0000105\n",
                "x.log:3: 1.05e-05 us for 4 B is faster than any interconnect: is this another unit?", 4},
        Refusal{"nanoseconds for microseconds", kHead + "4  1050000.00\n",
                "x.log:3: 1.05 s for 4 B is slower than any interconnect: is this another unit?", 4},
        Refusal{"two sizes", kHead + "4  1.00\n8  2.00\n4 1.00\n", "x.log: 2 sizes over 4 ranks, expected at least 3",
                4},
        Refusal{"no rows", kHead, "x.log: osu_allreduce without a row of measurements", 4},
        Refusal{"other benchmark", "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n4  1.00\n",
                "x.log: no section of osu_allreduce, only of other benchmarks", 4},
        Refusal{
            "unknown column", "benchmark,size,avg latency(us)\nallreduce,4,1\n",
            "x.log:1: unknown column 'benchmark'; choices: P, Size, Avg Latency(us), Min Latency(us), Max Latency(us), "
            "Iterations, P50 Tail Lat(us)",
            4},
        Refusal{"milliseconds", "P,size,avg latency(ms)\n2,4,1\n",
                "x.log:1: unknown column 'avg latency(ms)'; did you mean 'Avg Latency(us)'? choices: P, Size, Avg "
                "Latency(us), Min Latency(us), Max Latency(us), Iterations, P50 Tail Lat(us)"},
        Refusal{"no average", "# OSU MPI Allreduce Latency Test v5.9\n# Size  Max Latency(us)\n4  1.00\n",
                "x.log:2: expected one column 'Size', one 'Avg Latency(us)' and at most one 'P'", 4},
        Refusal{"two libraries",
                kHead + kRows + "# OSU NCCL Allreduce Latency Test v7.0\n# Size   Avg Latency(us)\n" + kRows,
                "x.log:6: times of NCCL after those of MPI; import them apart", 4}));

}  // namespace
}  // namespace mgbench
