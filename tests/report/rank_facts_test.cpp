#include "report/rank_facts.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace mgbench {
namespace {

/// Two ranks on each of `hosts` hosts, all alike.
std::vector<RankFacts> healthy(int hosts) {
  std::vector<RankFacts> facts;
  for (int rank = 0; rank < 2 * hosts; ++rank) {
    const std::string number = std::to_string(rank / 2 + 1);
    facts.push_back({.host = "n" + number,
                     .program = "mgbench 1 (abc, Release, GNU)",
                     .mpi = "Open MPI v4.1.4",
                     .processor = "EPYC",
                     .clock = 1.7e9 + 0.01 * rank,
                     .open_files = 1024,
                     .locked_memory = -1,
                     .has_infiniband = true,
                     .interfaces = {{"eth0", "10.0.0." + number}},
                     .carriers = {"eth0", "eth1"}});
  }
  return facts;
}

/// The only thing found.
std::string found_in(const std::vector<RankFacts>& facts) {
  const std::vector<std::string> found = find_oddities(facts);
  return found.size() == 1 ? found[0] : std::to_string(found.size()) + " findings";
}

TEST(RankFacts, AreReadAsTheyWereWritten) {
  const RankFacts facts = healthy(1)[1];
  const RankFacts read = rank_facts_from_json(to_json(facts));
  EXPECT_EQ(read.host, facts.host);
  EXPECT_EQ(read.program, facts.program);
  EXPECT_EQ(read.mpi, facts.mpi);
  EXPECT_EQ(read.processor, facts.processor);
  EXPECT_EQ(read.clock, facts.clock);
  EXPECT_EQ(read.open_files, facts.open_files);
  EXPECT_EQ(read.locked_memory, facts.locked_memory);
  EXPECT_EQ(read.has_infiniband, facts.has_infiniband);
  ASSERT_EQ(read.interfaces.size(), 1U);
  EXPECT_EQ(read.interfaces[0].name, "eth0");
  EXPECT_EQ(read.interfaces[0].address, "10.0.0.1");
  EXPECT_EQ(read.carriers, facts.carriers);
  EXPECT_THROW(rank_facts_from_json("{}"), Error);
}

TEST(RankFacts, OfAlikeHostsHoldNothingOdd) {
  EXPECT_TRUE(find_oddities({}).empty());
  EXPECT_TRUE(find_oddities(healthy(1)).empty());
  EXPECT_TRUE(find_oddities(healthy(8)).empty());
}

TEST(RankFacts, TellWhatDiffersAndWhere) {
  std::vector<RankFacts> facts = healthy(3);
  facts[5].program = "mgbench 2";
  EXPECT_EQ(
      found_in(facts),
      "ranks run different mgbench programs: mgbench 1 (abc, Release, GNU) on n1, n2, n3; mgbench 2 on n3; install one "
      "on all hosts");
  facts = healthy(3);
  facts[0].mpi = facts[1].mpi = "MPICH 4.0";
  EXPECT_EQ(found_in(facts),
            "ranks use different MPI libraries: MPICH 4.0 on n1; Open MPI v4.1.4 on n2, n3; load one on all hosts");
  facts = healthy(7);
  facts[0].processor = facts[1].processor = "Xeon";
  EXPECT_EQ(
      found_in(facts),
      "processors differ: EPYC on n2, n3, n4, n5 and 2 more; Xeon on n1; every iteration waits for the slowest, so ask "
      "for nodes of one kind");
}

TEST(RankFacts, TellOfUnlikeInterfacesThatMessagesTake) {
  std::vector<RankFacts> facts = healthy(3);
  facts[2].carriers.clear();
  EXPECT_TRUE(find_oddities(facts).empty()) << "a driver that counts late tells nothing";
  facts[4].carriers = {"wlan0"};
  facts[5].carriers = {"wlan0"};
  EXPECT_EQ(found_in(facts),
            "messages between hosts take unlike interfaces: eth0 and eth1 on n1, n2; wlan0 on n3; name one of the fast "
            "network that all have, with Open MPI: --mca btl_tcp_if_include INTERFACE");
}

TEST(RankFacts, TellOfVirtualInterfacesThatMessagesTake) {
  std::vector<RankFacts> facts = healthy(2);
  for (RankFacts& each : facts) each.carriers = {"eth0", "flannel.1"};
  EXPECT_EQ(found_in(facts),
            "messages between hosts go through flannel.1 on n1, n2, a virtual interface, which costs time; name the "
            "hosts' own, with Open MPI: --mca btl_tcp_if_include INTERFACE");
}

TEST(RankFacts, TellOfClocksThatDiffer) {
  std::vector<RankFacts> facts = healthy(3);
  facts[2].clock -= 7.5;
  facts[3].clock -= 7.5;
  EXPECT_NE(found_in(facts).find("the clock of n3 is 7.5 s ahead of n2's"), std::string::npos) << found_in(facts);
}

TEST(RankFacts, TellOfBridgesThatLookLikeNetworks) {
  std::vector<RankFacts> facts = healthy(3);
  for (RankFacts& each : facts) each.interfaces.push_back({"docker0", "172.17.0.1"});
  EXPECT_NE(found_in(facts).find("docker0 has the address 172.17.0.1 on n1, n2, n3: "), std::string::npos);
  EXPECT_NE(found_in(facts).find("--mca btl_tcp_if_exclude lo,docker0"), std::string::npos);
  // Of one host alone it is nobody's trouble.
  EXPECT_TRUE(find_oddities({facts[0], facts[1]}).empty());
}

TEST(RankFacts, TellOfLimitsThatAreTooLow) {
  std::vector<RankFacts> facts = healthy(2);
  facts[0].open_files = 67;
  EXPECT_NE(found_in(facts).find("on n1 a process may have fewer than the 68 open files"), std::string::npos)
      << found_in(facts);
  facts[0].open_files = 68;
  EXPECT_TRUE(find_oddities(facts).empty());
  facts[0].open_files = -1;
  EXPECT_TRUE(find_oddities(facts).empty());
  facts[3].locked_memory = 65536;
  EXPECT_NE(found_in(facts).find("on n2 locked memory is limited"), std::string::npos);
  facts[3].has_infiniband = false;
  EXPECT_TRUE(find_oddities(facts).empty());
}

TEST(RankFacts, OfThousandsOfRanksAreAFewShortRemarks) {
  std::vector<RankFacts> facts = healthy(2048);
  for (std::size_t rank = 0; rank < facts.size(); ++rank) {
    facts[rank].clock = 1.7e9;
    facts[rank].interfaces.push_back({"docker0", "172.17.0.1"});
    if (rank % 2 == 1) facts[rank].processor = "another processor";
  }
  const std::vector<std::string> remarks = find_oddities(facts);
  EXPECT_EQ(remarks.size(), 3U);  // processors, addresses, open files
  for (const std::string& remark : remarks) EXPECT_LT(remark.size(), 500U) << remark;
}

}  // namespace
}  // namespace mgbench
