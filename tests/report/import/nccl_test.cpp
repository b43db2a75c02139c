#include "report/import/support.h"

namespace mgbench {
namespace {

std::string devices(int ranks, const std::string& group = " Group  0") {
  std::string text = "# Using devices\n";
  for (int rank = 0; rank < ranks; ++rank)
    text += fmt::format("#  Rank {:2}{} Pid {:6} on     node01 device {:2} [0000:{:02x}:00] NVIDIA H100 80GB HBM3\n",
                        rank, group, 6899 + rank, rank, 4 + rank);
  return text + "#\n";
}

const std::string kParameters =
    "# nThread 1 nGpus 4 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 "
    "validation: 1 "
    "graph: 0\n#\n";
const std::string kHeading =
    "#                                                              out-of-place                       in-place        "
    "  \n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)     "
    "  \n";
// 1 MiB in 100 us are 10.49 GB/s; over 4 ranks the bus carries 1.5 times that.
const std::string kRows =
    "           8             2     float     sum      -1    12.00    0.00    0.00      0    10.50    0.00    0.00     "
    " 0\n"
    "        1024           256     float     sum      -1    13.00    0.08    0.12      0    11.00    0.09    0.14     "
    " 0\n"
    "     1048576        262144     float     sum      -1   110.00    9.53   14.30      0   100.00   10.49   15.73     "
    " 0\n";
const std::string kFooter = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 5.05\n#\n";
const Curve kInPlace{{8, 10.5e-6}, {1024, 11e-6}, {1048576, 100e-6}};
const Curve kOutOfPlace{{8, 12e-6}, {1024, 13e-6}, {1048576, 110e-6}};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kLog = kParameters + devices(4) + kHeading + kRows + kFooter;

TEST(NcclImport, TakesTheInPlaceTimesUnlessAskedOtherwise) {
  const Calibration calibration = only_calibration(kLog);
  EXPECT_EQ(calibration.ranks, 4);
  EXPECT_EQ(calibration.library, "NCCL");
  EXPECT_EQ(calibration.provenance.at("imported.column"), "in-place time(us)");
  expect_points(calibration, kInPlace);
  const Calibration other = only_calibration(kLog, std::nullopt, true);
  EXPECT_EQ(other.provenance.at("imported.column"), "out-of-place time(us)");
  expect_points(other, kOutOfPlace);
}

struct Case {
  std::string name;
  std::string text;
  std::string skipped = "0";
  std::optional<int> ranks = std::nullopt;
};

void PrintTo(const Case& entry, std::ostream* stream) {
  *stream << entry.name;
}

class Nccl : public testing::TestWithParam<Case> {};

TEST_P(Nccl, IsReadWhateverItsVersion) {
  const Calibration calibration = only_calibration(GetParam().text, GetParam().ranks);
  EXPECT_EQ(calibration.ranks, 4);
  expect_points(calibration, kInPlace);
  EXPECT_EQ(calibration.provenance.at("imported.skipped_lines"), GetParam().skipped);
}

std::string without_root() {
  std::string text = replaced(kHeading, "    root", "") + kRows;
  text = replaced(text, "#wrong", " error");
  text = replaced(text, "#wrong", " error");
  for (int row = 0; row < 3; ++row) text = replaced(text, "      -1", "");
  for (int row = 0; row < 3; ++row) text = replaced(text, "    0\n", "1e-07\n");
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Import, Nccl,
    testing::Values(
        Case{"new heading lines",
             "# nccl-tests version 2.17.1 nccl-headers=22803 nccl-library=22803\n# Collective test "
             "starting: all_reduce_perf\n" +
                 kLog},
        Case{"old: no root, error instead of #wrong, no groups",
             kParameters + devices(4, "") + without_root() + kFooter},
        Case{"not validated",
             replaced(kLog, "      0    10.50    0.00    0.00      0", "    N/A    10.50    0.00    0.00    N/A")},
        Case{"empty messages", replaced(kLog, kRows, "0 0 float sum -1 5.0 0.00 0.00 0 4.9 0.00 0.00 0\n" + kRows)},
        Case{"timestamps", replaced(replaced(replaced(replaced(kLog, "busbw #wrong\n", "busbw #wrong timestamp\n"),
                                                      "0.00      0\n", "0.00   0  2026-11-29 10:00:00\n"),
                                             "0.14      0\n", "0.14   0  2026-11-29 10:00:01\n"),
                                    "15.73      0\n", "15.73  0  2026-11-29 10:00:02\n")},
        Case{"NCCL INFO between the rows",
             replaced(kLog, "        1024 ",
                      "node01:6899:6950 [0] NCCL INFO Channel 00/02 : 0 1 2 3\nnode01:6899:6950 [0] NCCL "
                      "INFO Connected all rings\n        1024 "),
             "2"},
        Case{"ranks out of order", kParameters +
                                       "#  Rank  2 Group  0 Pid 1 on node02 device 0 [0x07] X\n#  Rank  3 Group  0 Pid "
                                       "1 on node02 device 1 [0x07] X\n" +
                                       devices(2) + kHeading + kRows},
        Case{"device list cut out", kHeading + kRows, "0", 4},
        Case{"split into two groups of four",
             kParameters + "# Using devices\n" +
                 [] {
                   std::string text;
                   for (int rank = 0; rank < 8; ++rank)
                     text += fmt::format("#  Rank {:2} Group {:2} Pid 1 on node01 device {:2} [0x07] X\n", rank,
                                         rank % 2, rank);
                   return text;
                 }() +
                 kHeading + kRows},
        Case{"two runs", kLog + kLog}));

/// Without the column redop.
std::string type_alone() {
  std::string text = replaced(kHeading, "   redop    root", "") + kRows;
  for (int row = 0; row < 3; ++row) text = replaced(text, "     sum      -1", "");
  return text;
}

TEST(NcclImport, TheBusBandwidthTellsTheCollectiveWhereNoOperationDoes) {
  expect_points(only_calibration(kParameters + devices(4) + type_alone()), kInPlace);
}

TEST(NcclImport, OfRcclIsOfRccl) {
  EXPECT_EQ(
      only_calibration("$ rccl-tests/build/all_reduce_perf -g 4\n" + replaced(kLog, "# nThread 1", "# nThread: 1"))
          .library,
      "RCCL");
}

TEST(NcclImport, RunsOfDifferentNumbersOfRanks) {
  std::string two = kRows;
  for (const char* pair : {"9.53   14.30|9.53    9.53", "10.49   15.73|10.49   10.49"}) {
    const std::string text = pair;
    two = replaced(two, text.substr(0, text.find('|')), text.substr(text.find('|') + 1));
  }
  const ImportedLogs imported = import_text(kLog + kParameters + devices(2) + kHeading + two);
  ASSERT_EQ(imported.calibrations.size(), 2U);
  EXPECT_EQ(imported.calibrations[0].ranks, 2);
  EXPECT_EQ(imported.calibrations[1].ranks, 4);
}

const std::string kWithoutMpi =
    "every process is rank 0 of its own and reduced nothing with the others: nccl-tests was built without MPI; build "
    "it "
    "with MPI=1";

class NcclRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(NcclRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Import, NcclRefusal,
    testing::Values(
        Refusal{"built without MPI, one after the other",
                kParameters + devices(1) + kHeading + kRows + kParameters + devices(1) + kHeading + kRows,
                "x.log:15: " + kWithoutMpi},
        Refusal{"built without MPI, interleaved",
                kParameters + kParameters + devices(1) + devices(1) + kHeading + kRows, "x.log:9: " + kWithoutMpi},
        Refusal{"one GPU",
                kParameters + devices(1) + kHeading + replaced(replaced(kRows, "14.30", "0.00"), "15.73", "0.00"),
                "x.log:9: times of one process, which exchanges nothing; expected at least 2 ranks"},
        Refusal{"rank listed twice", kParameters + devices(4) + devices(4) + kHeading,
                "x.log:10: rank 0 is listed twice in one run"},
        Refusal{
            "list with a gap",
            replaced(kLog,
                     "#  Rank  2 Group  0 Pid   6901 on     node01 device  2 [0000:06:00] NVIDIA H100 80GB HBM3\n", ""),
            "x.log:4: 3 ranks are listed, the last is rank 3: the list has gaps"},
        Refusal{"contradiction", kLog, "x.log:12: times of 4 ranks, and --ranks 8 says otherwise", 8},
        Refusal{"other program", "# Collective test starting: all_gather_perf\n" + kLog,
                "x.log:1: output of all_gather_perf, expected all_reduce_perf"},
        Refusal{"other program's command", "$ mpirun ./build/reduce_perf -b 8\n" + kLog,
                "x.log:1: output of reduce_perf, expected all_reduce_perf"},
        Refusal{"no operation", replaced(kLog, "   sum ", "  none "),
                "x.log:12: no allreduce: that has an operation, and no root"},
        Refusal{"root", replaced(kLog, "      -1 ", "       0 "),
                "x.log:12: no allreduce: that has an operation, and no root"},
        Refusal{"bus bandwidth of another collective", replaced(kLog, "15.73", " 7.87"),
                "x.log:14: a bus bandwidth of 7.87 GB/s beside 10.49 GB/s is not that of an allreduce over 4 ranks, "
                "expected "
                "15.73: another collective, or another number of ranks"},
        Refusal{"time without its digits", replaced(kLog, "  100.00   10.49", "   00.00   10.49"),
                "x.log:14: '00.00' is not a time, expected a number above 0 and at most 1e+15"},
        Refusal{"time that lost a digit", replaced(kLog, "  100.00   10.49", "   10.00   10.49"),
                "x.log:14: 1048576 B in 10 us are 104.86 GB/s and not 10.49: displaced columns, or another unit"},
        Refusal{"wrong sums", replaced(kLog, "15.73      0", "15.73     12"),
                "x.log:14: 12 wrong elements: this allreduce does not sum"},
        Refusal{"out of bounds", replaced(kLog, "0 OK", "3 FAILED"),
                "x.log:15: values out of bounds: this allreduce does not sum"},
        Refusal{"call times", replaced(replaced(kLog, "    time ", " cputime "), "    time ", " cputime "),
                "x.log:10: 'cputime' is how long calls take to return, expected the column 'time'"},
        Refusal{"one group of columns", replaced(kLog, " #wrong     time   algbw   busbw #wrong", " #wrong"),
                "x.log:10: expected two columns 'time': out-of-place and in-place"},
        Refusal{"truncated row", replaced(kLog, "   10.49   15.73      0\n", "\n"),
                "x.log:14: 10 columns, expected 13 as in the heading"},
        Refusal{"noise inside a row", replaced(kLog, "   10.49   15.73", " node01:6899 [0] NCCL INFO   10.49   15.73"),
                "x.log:14: 17 columns, expected 13 as in the heading"},
        Refusal{"nan", replaced(kLog, "  100.00 ", "     nan "),
                "x.log:14: 'nan' is not a time, expected a number above 0 and at most 1e+15"},
        Refusal{"two types", replaced(kLog, "1024           256     float", "1024           512      half"),
                "x.log:13: 'half sum' after 'float sum'; import them apart"},
        Refusal{"no rows", kParameters + devices(4) + kHeading,
                "x.log: nccl-tests all_reduce_perf without a row of measurements"},
        Refusal{
            "nothing tells the collective", type_alone(),
            "x.log:4: neither a column redop nor sizes above 1 GB/s over known ranks tell that this is an allreduce",
            4},
        Refusal{"no devices", kHeading + kRows,
                "x.log:4: the log does not say how many ranks it is of: add --ranks P"}));

std::string json(const std::string& devices, const std::string& rows,
                 const std::string& program = "./all_reduce_perf") {
  return R"({"version":1,"start_time":"2026-11-29 10:00:00","args":[")" + program +
         R"(","-J","out.json"],"env":["A=B"],)" +
         R"("nccl_version":22803,"config":{"nthreads":1,"ngpus":2,"minimum_bytes":8,"devices":[)" + devices +
         R"(]},"results":[)" + rows +
         R"(],"out_of_bounds":{"count":0,"okay":"true"},"errors":[],"end_time":"2026-11-29 10:00:10"})";
}

std::string json_row(const std::string& size, const std::string& time, const std::string& algorithm,
                     const std::string& bus) {
  return R"({"size":)" + size +
         R"(,"count":2,"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":99.0,)" +
         R"("alg_bw":0.0,"bus_bw":0.0,"nwrong":0.0},"in_place":{"time":)" + time + R"(,"alg_bw":)" + algorithm +
         R"(,"bus_bw":)" + bus + R"(,"nwrong":0.000000},"actual_iterations":20})";
}

const std::string kDevices = R"({"rank":0,"group":0,"pid":1},{"rank":2,"group":0,"pid":2})";
const std::string kJsonRows = json_row("0", "5.0", "0.0", "0.0") + "," + json_row("8", "10.5", "0.000762", "0.001143") +
                              "," + json_row("1024", "11.0", "0.093091", "0.139636") + "," +
                              json_row("1048576", "100.0", "10.48576", "15.72864");

TEST(NcclJsonImport, CountsTheDevicesOfEachProcess) {
  const ImportedLogs imported = import_text(json(kDevices, kJsonRows));
  ASSERT_EQ(imported.calibrations.size(), 1U);
  EXPECT_EQ(imported.calibrations[0].ranks, 4);
  EXPECT_EQ(imported.calibrations[0].library, "NCCL");
  expect_points(imported.calibrations[0], kInPlace);
}

TEST(NcclJsonImport, ReadsListsOfAllDevices) {
  const std::string all = R"({"rank":0},{"rank":1},{"rank":2},{"rank":3})";
  EXPECT_EQ(only_calibration(json(all, kJsonRows)).ranks, 4);
}

INSTANTIATE_TEST_SUITE_P(
    ImportJson, NcclRefusal,
    testing::Values(
        Refusal{"other program", json(kDevices, kJsonRows, "/opt/all_gather_perf"),
                "x.log: args[0]: output of all_gather_perf, expected all_reduce_perf"},
        Refusal{"built without MPI", json(R"({"rank":0})", kJsonRows),
                "x.log: a bus bandwidth of 15.72864 GB/s beside 10.48576 GB/s is not that of an allreduce over 2 "
                "ranks, expected "
                "10.49: another collective, or another number of ranks"},
        Refusal{"processes of their own", json(R"({"rank":0},{"rank":0})", kJsonRows),
                "x.log: rank 0 is listed twice in one run"},
        Refusal{"wrong sums",
                replaced(json(kDevices, kJsonRows), R"("bus_bw":0.001143,"nwrong":0.0)",
                         R"("bus_bw":0.001143,"nwrong":7.0)"),
                "x.log: 7 wrong elements: this allreduce does not sum"},
        Refusal{"nan", replaced(json(kDevices, kJsonRows), R"("time":100.0)", R"("time":"nan")"),
                "x.log: results[3].in_place.time: the text \"nan\" is not valid, expected a number from 0 to 1e+15"},
        Refusal{"no in-place times",
                replaced(json(kDevices, kJsonRows), R"("in_place":{"time":10.5)", R"("in":{"time":10.5)"),
                "x.log: results[1]: missing key: in_place"},
        Refusal{"call times",
                replaced(json(kDevices, kJsonRows), R"("in_place":{"time":10.5)", R"("in_place":{"cpu_time":10.5)"),
                "x.log: results[1].in_place: 'cpu_time' is how long calls take to return, expected 'time'"},
        Refusal{"cut off", json(kDevices, kJsonRows).substr(0, 900),
                "x.log:1: not JSON: syntax error while parsing object key - unexpected end of input; expected string "
                "literal"}));

}  // namespace
}  // namespace mgbench
