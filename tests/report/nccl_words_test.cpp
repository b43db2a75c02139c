// Lines as NCCL 2.28 writes them with NCCL_DEBUG=INFO.
#include "report/nccl_words.h"

#include <gtest/gtest.h>

#include "report/nccl_facts.h"

namespace mgbench {
namespace {

std::string line(const std::string& text) {
  return "node-7:4711:4712 [3] NCCL INFO " + text + "\n";
}

std::string chosen(const std::string& bytes, const std::string& algorithm, const std::string& channels) {
  return line("AllReduce: " + bytes + " Bytes -> Algo " + algorithm + " channel{Lo..Hi}={" + channels + "}");
}

TEST(NcclWords, SayHowAllreduceIsSummedBySize) {
  const NcclWords words =
      nccl_words(chosen("1048576", "NVLS proto SIMPLE", "0..15") + chosen("4", "TREE proto LL", "0..0") +
                 chosen("65536", "RING proto LL128", "2..3"));
  EXPECT_EQ(words.allreduce, (std::vector<NcclChoice>{
                                 {4, "TREE", "LL", 1}, {65536, "RING", "LL128", 2}, {1048576, "NVLS", "SIMPLE", 16}}));
}

TEST(NcclWords, TakeWhatLaterVersionsAppendAndATimeInFront) {
  const NcclWords words = nccl_words(
      "[2026-05-05 06:16:47] node-7:4711:4712 [3] NCCL INFO AllReduce: 8 Bytes -> Algo RING proto LL "
      "channel{Lo..Hi}={0..1} cgaClusterSize 4\n");
  EXPECT_EQ(words.allreduce, (std::vector<NcclChoice>{{8, "RING", "LL", 2}}));
}

TEST(NcclWords, LeaveOutWhatIsNotUnderstoodOrContradictsItself) {
  for (const std::string& text :
       {line("AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={1..0}"),
        line("AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..9999}"),
        line("AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}x"),
        line("AllReduce: 0 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}"),
        line("AllReduce: -8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}"),
        line("AllReduce: 99999999999999999999 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}"),
        line("AllReduce: 8 Bytes -> Algo RI\x01NG proto LL channel{Lo..Hi}={0..1}"),
        line("AllReduce: 8 Bytes -> Algo  proto LL channel{Lo..Hi}={0..1}"),
        line("AllGather: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}"),
        line("AllReduce: opCount 0 sendbuff 0x7f recvbuff 0x7f count 1 datatype 7 op 0 root 0 comm 0x5 [nranks=2]"),
        std::string("AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}\n"),
        std::string("node-7:1:2 [0] NCCL INFO AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}")})
    EXPECT_TRUE(nccl_words(text).allreduce.empty()) << text;
  EXPECT_TRUE(
      nccl_words(chosen("8", "RING proto LL", "0..0") + chosen("8", "TREE proto LL", "0..0")).allreduce.empty());
  EXPECT_EQ(nccl_words(chosen("8", "RING proto LL", "0..0") + chosen("8", "RING proto LL", "0..0")).allreduce.size(),
            1U);
}

TEST(NcclWords, NameTheNetworkThatIsUsedAndItsAdapters) {
  const std::string ib = line("NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.4.2.17<0>");
  const std::string socket = line("NET/Socket : Using [0]eth0:10.4.2.17<0> [1]eth1:fe80::1%eth1<0>");
  using Names = std::vector<std::string>;
  NcclWords words = nccl_words(ib + socket + line("Using network IB"));
  EXPECT_EQ(words.network, "IB");
  EXPECT_EQ(words.adapters, (Names{"mlx5_0:1/RoCE", "mlx5_1:1/RoCE"}));
  words = nccl_words(line("NET/IB : Using [RO]; OOB eth0:10.4.2.17<0>") + socket + line("Using network Socket"));
  EXPECT_EQ(words.network, "Socket");
  EXPECT_EQ(words.adapters, (Names{"eth0", "eth1"})) << "without addresses";
  EXPECT_EQ(nccl_words(ib + line("Using network IBext_v11")).adapters, (Names{"mlx5_0:1/RoCE", "mlx5_1:1/RoCE"}));
  words = nccl_words(socket + line("Using network Libfabric"));
  EXPECT_EQ(words.network, "Libfabric");
  EXPECT_EQ(words.adapters, std::nullopt);
}

TEST(NcclWords, CountChannelsAndKnowOfNvls) {
  NcclWords words = nccl_words(
      line("NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)") +
      line("24 coll channels, 0 collnet channels, 16 nvls channels, 32 p2p channels, 32 p2p channels per peer"));
  EXPECT_EQ(words.nvls, true);
  EXPECT_EQ(words.channels, 24);
  EXPECT_EQ(words.nvls_channels, 16);
  words = nccl_words(line("NVLS multicast support is not available on dev 0 (NVLS_NCHANNELS 0)"));
  EXPECT_EQ(words.nvls, false);
  EXPECT_EQ(words.channels, std::nullopt);
  EXPECT_EQ(nccl_words(line("NVLS multicast support is hardly available on dev 0")).nvls, std::nullopt);
}

TEST(NcclWords, TellWhatTheVariablesForce) {
  const NcclWords words =
      nccl_words(line("NCCL_ALGO set by environment to ^Tree") + line("NCCL_LAUNCH_MODE set by environment to GROUP"));
  EXPECT_EQ(words.forced, (std::map<std::string, std::string>{{"NCCL_ALGO", "^Tree"}}));
}

/// The second part of the table has one algorithm, and protocols for three.
std::string table(const std::string& first_row, const std::string& second_row) {
  const std::string protocols = line(
      "  Protocol    |             LL |          LL128 |         Simple |             LL |          LL128 |      "
      "   Simple |             LL |          LL128 |         Simple |");
  return line(
             "  Algorithm   |                            Tree                  |                            Ring       "
             "           |                   CollNetDirect                  |") +
         protocols + line(" Max NThreads |            512 |            640 |            512 |            512 |") +
         line("    Broadcast |     0.0/   0.0 |     0.0/   0.0 |     0.0/   0.0 |     6.3/  60.0 |") + line(first_row) +
         line("  Algorithm   |                             PAT                  |") + protocols + line(second_row);
}

TEST(NcclWords, ListWhatIsOfferedInEachPartOfTheTable) {
  const NcclWords words = nccl_words(
      table("    AllReduce |     6.4/  80.0 |    14.0/   0.0 |     8.4/ 240.0 |     6.6/  60.0 |    14.0/   0.0 |     "
            "8.4/ 240.0 |     0.0/   0.0 |     0.0/   0.0 |    16.0/   0.0 |",
            "    AllReduce |     0.0/   0.0 |     0.0/   0.0 |     0.0/   0.0 |"));
  ASSERT_EQ(words.offers.size(), 12U);
  EXPECT_EQ(words.offers[0], (NcclOffer{"Tree", "LL", 80}));
  EXPECT_EQ(words.offers[4], (NcclOffer{"Ring", "LL128", 0}));
  EXPECT_EQ(words.offers[5], (NcclOffer{"Ring", "Simple", 240}));
  EXPECT_EQ(words.offers[11], (NcclOffer{"PAT", "Simple", 0}));
}

TEST(NcclWords, OfferNothingWhereATableIsNotUnderstood) {
  EXPECT_TRUE(nccl_words(table("    AllReduce |     6.4/  80.0 |", "    AllReduce |     0.0/   0.0 |")).offers.empty());
  EXPECT_TRUE(nccl_words(line("    AllReduce |     6.4/  80.0 |")).offers.empty());
  const NcclWords words =
      nccl_words(table("no row", "    AllReduce |     0.0/   0.0 |     fast/slow |     0.0/   0.0 |"));
  EXPECT_TRUE(words.offers.empty());
}

TEST(NcclNames, AreTheSameInLogAndVariables) {
  EXPECT_TRUE(is_same_nccl_name("NVLS_TREE", "NVLSTree"));
  EXPECT_TRUE(is_same_nccl_name("COLLNET_DIRECT", "CollNetDirect"));
  EXPECT_TRUE(is_same_nccl_name("SIMPLE", "Simple"));
  EXPECT_FALSE(is_same_nccl_name("LL", "LL128"));
  EXPECT_FALSE(is_same_nccl_name("NVLS", "NVLSTree"));
}

using Facts = std::map<std::string, std::string>;

TEST(NcclFacts, GatherNeighbouringSizes) {
  NcclWords words;
  words.allreduce = {{4, "TREE", "LL", 1},        {1024, "TREE", "LL", 1},       {4096, "TREE", "LL", 2},
                     {65536, "RING", "LL128", 8}, {131072, "RING", "SIMPLE", 8}, {262144, "RING", "SIMPLE", 8},
                     {1048576, "TREE", "LL", 1}};
  words.network = "IB";
  words.adapters = {"mlx5_0:1/RoCE", "mlx5_1:1/RoCE"};
  words.nvls = true;
  words.channels = 24;
  words.nvls_channels = 16;
  EXPECT_EQ(nccl_facts(words),
            (Facts{{"nccl.allreduce",
                    "TREE/LL, 1 to 2 channels: 4 B to 4.0 KiB; RING/LL128, 8 channels: 64.0 KiB; RING/SIMPLE, 8 "
                    "channels: 128.0 KiB to 256.0 KiB; TREE/LL, 1 channel: 1.0 MiB"},
                   {"nccl.network", "IB: mlx5_0:1/RoCE, mlx5_1:1/RoCE"},
                   {"nccl.nvls", "available"},
                   {"nccl.channels", "24, of NVLS 16"}}));
}

TEST(NcclFacts, AreNeverGuessed) {
  for (const auto& [key, value] : nccl_facts({})) EXPECT_EQ(value, "NCCL did not say") << key;
  EXPECT_EQ(nccl_facts({}, "it hung").at("nccl.nvls"), "NCCL did not say: it hung");
  NcclWords words;
  words.network = "Libfabric";
  EXPECT_EQ(nccl_facts(words).at("nccl.network"), "Libfabric: its adapters were not said");
}

}  // namespace
}  // namespace mgbench
