#include "report/interconnect.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "source_folder.h"

namespace mgbench {
namespace {

const std::string kExample = "name: 10GbE\nsource: a paper\nallreduce:\n  8: {a: 5.230e-4, b: 8.571e-10}\n";

std::string error_of(const std::string& text) {
  try {
    interconnect_from_yaml(text, "x.yaml");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

Interconnect shipped(const std::string& name) {
  const auto path = std::filesystem::path(kSourceFolder) / "configs/interconnects" / (name + ".yaml");
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return interconnect_from_yaml(text.str(), path.string());
}

TEST(Interconnect, ReadsEveryFileThatIsShipped) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(kSourceFolder) / "configs/interconnects")) {
    const Interconnect interconnect = shipped(entry.path().stem());
    EXPECT_EQ(interconnect.name, entry.path().stem());
    EXPECT_FALSE(interconnect.source.empty());
    EXPECT_FALSE(interconnect.allreduce.empty());
    ++files;
  }
  EXPECT_GE(files, 4U);
}

TEST(Interconnect, HasThePublishedLines) {
  const Line ethernet = shipped("10GbE").cost(64).line();
  EXPECT_EQ(ethernet.a, 2.348e-3);
  EXPECT_EQ(ethernet.b, 9.643e-10);
  const Line infiniband = shipped("56Gb-InfiniBand").cost(16).line();
  EXPECT_EQ(infiniband.a, 2.358e-4);
  EXPECT_EQ(infiniband.b, 4.059e-10);
  EXPECT_EQ(shipped("1GbE").cost(2).line().a, 1.6e-3);
  EXPECT_EQ(shipped("K80-10GbE").cost(8).line().b, 1.97e-9);
  EXPECT_TRUE(shipped("10GbE").cost(8).is_line());
}

TEST(Interconnect, LeavesOutRowsInsideOneNode) {
  for (const char* name : {"10GbE", "56Gb-InfiniBand"})
    for (const int ranks : {2, 4}) EXPECT_THROW(shipped(name).cost(ranks), Error);
}

TEST(Interconnect, NamesTheRanksThatThereAre) {
  try {
    shipped("10GbE").cost(12);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "10GbE has no allreduce cost for 12 ranks, expected one of 8, 16, 32, 64");
  }
}

TEST(Interconnect, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(kExample), "no error");
  EXPECT_EQ(error_of(replaced(kExample, "source", "sources")),
            "x.yaml:2: sources: unknown key; did you mean 'source'? choices: name, source, allreduce, doubts, "
            "reduce_scatter, all_gather");
  EXPECT_EQ(error_of(replaced(kExample, "source: a paper\n", "")), "x.yaml:1: missing key: source");
  EXPECT_EQ(error_of(replaced(kExample, "8:", "eight:")),
            "x.yaml:4: allreduce.eight: 'eight' is not a number of ranks, expected 2 to 1000000");
  EXPECT_EQ(error_of(replaced(kExample, "8:", "1:")),
            "x.yaml:4: allreduce.1: '1' is not a number of ranks, expected 2 to 1000000");
  EXPECT_EQ(error_of(replaced(kExample, "5.230e-4", "fast")),
            "x.yaml:4: allreduce.8.a: 'fast' is not valid, expected a number from 0 to 1e+09");
  EXPECT_EQ(error_of(replaced(kExample, "8.571e-10", "0")),
            "x.yaml:4: allreduce.8.b: 0 is not valid, expected a number above 0");
  EXPECT_EQ(error_of(replaced(kExample, "8.571e-10", "-1e-9")),
            "x.yaml:4: allreduce.8.b: '-1e-9' is not valid, expected a number from 0 to 1e+09");
  EXPECT_EQ(error_of(kExample + "  8: {a: 1e-4, b: 1e-9}\n"), "x.yaml:4: the key '8' is there twice");
  EXPECT_EQ(error_of(kExample + "  08: {a: 1e-4, b: 1e-9}\n"),
            "x.yaml:5: allreduce.08: this number of ranks is there twice");
  EXPECT_EQ(error_of("name: x\nsource: y\nallreduce: {}\n"),
            "x.yaml:3: allreduce: no number of ranks, expected at least one");
}

TEST(Interconnect, KnowsOtherCollectivesWhereTheyWereMeasured) {
  const std::string head = "name: x\nsource: y\nallreduce:\n  2: {a: 2e-5, b: 2e-9}\n  4: {a: 4e-5, b: 4e-9}\n";
  const Interconnect known = interconnect_from_yaml(head + "all_gather:\n  4: {a: 3e-5, b: 1e-9}\n", "f");
  EXPECT_DOUBLE_EQ(known.cost(4).time(Collective::all_gather, 1000), 3e-5 + 1e-6);
  EXPECT_DOUBLE_EQ(known.cost(4).time(Collective::reduce_scatter, 1000), (4e-5 + 4e-6) / 2);
  EXPECT_DOUBLE_EQ(known.cost(2).time(Collective::all_gather, 1000), (2e-5 + 2e-6) / 2);
  EXPECT_THROW(interconnect_from_yaml(head + "all_gather:\n  8: {a: 3e-5, b: 1e-9}\n", "f"), Error);
  EXPECT_THROW(interconnect_from_yaml(head + "all_gather: {}\n", "f"), Error);
}

}  // namespace
}  // namespace mgbench
