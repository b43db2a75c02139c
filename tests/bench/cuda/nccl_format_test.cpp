// The formats of the installed NCCL's log are in the library: what they write is what report/nccl_words reads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "report/nccl_words.h"

namespace mgbench {
namespace {

constexpr char kChoice[] = "%s: %ld Bytes -> Algo %s proto %s channel{Lo..Hi}={%d..%d}";
constexpr char kNetwork[] = "Using network %s";
constexpr char kInfiniBand[] = "NET/IB : Using%s %s; OOB %s:%s";
constexpr char kSocket[] = "NET/Socket : Using%s";
constexpr char kNvls[] = "NVLS multicast support is %savailable on dev %d (NVLS_NCHANNELS %d)";
constexpr char kChannels[] =
    "%d coll channels, %d collnet channels, %d nvls channels, %d p2p channels, %d p2p channels per peer";
constexpr char kAlgorithm[] = "NCCL_ALGO set by environment to %s";
constexpr char kProtocol[] = "NCCL_PROTO set by environment to %s";
constexpr char kPrefix[] = "%s:%d:%d ";
constexpr char kInfo[] = "[%d] NCCL INFO ";
constexpr char kRow[] = "%13s |";
constexpr char kCell[] = "%8.1f/%6.1f |";
constexpr char kAlgorithmCell[] = " %14s   %14s   %14s |";
constexpr char kProtocolCell[] = " %14s |";

template <typename... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 1024> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string line(const std::string& text) {
  return printed(kPrefix, "node", 1, 2) + printed(kInfo, 0) + text + "\n";
}

class NcclFormats : public testing::Test {
 protected:
  NcclFormats() : size_(std::filesystem::file_size(MGBENCH_NCCL_LIBRARY)) {
    const int file = open(MGBENCH_NCCL_LIBRARY, O_RDONLY | O_CLOEXEC);
    memory_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
  }
  ~NcclFormats() override { munmap(memory_, size_); }

  void SetUp() override {
    ASSERT_NE(memory_, MAP_FAILED);
    if (!holds("NCCL version 2.28.")) GTEST_SKIP() << "the words are those of NCCL 2.28";
  }

  /// Whether it is a whole text of the library's.
  bool holds(const std::string& text) const {
    return std::string_view(static_cast<const char*>(memory_), size_).find(text) != std::string_view::npos;
  }
  bool holds_whole(const char* format) const { return holds(std::string(format) + '\0'); }

  std::size_t size_;
  void* memory_ = MAP_FAILED;
};

TEST_F(NcclFormats, AreThoseThatAreRead) {
  for (const char* format : {kChoice, kNetwork, kInfiniBand, kSocket, kNvls, kChannels, kAlgorithm, kProtocol, kPrefix,
                             kRow, kCell, kAlgorithmCell, kProtocolCell})
    EXPECT_TRUE(holds_whole(format)) << format;
  EXPECT_TRUE(holds(kInfo));
  for (const char* name : {"RING", "TREE", "NVLS_TREE", "LL128", "SIMPLE", "AllReduce", "Ring", "NVLSTree", "Simple"})
    EXPECT_TRUE(holds_whole(name)) << name;
}

TEST(NcclWordsByFormat, AreRead) {
  const std::string cells = printed(kCell, 6.4, 80.0) + printed(kCell, 14.0, 0.0) + printed(kCell, 8.4, 240.0);
  std::string protocols = "  Protocol    |";
  for (const char* protocol : {"LL", "LL128", "Simple"}) protocols += printed(kProtocolCell, protocol);
  const NcclWords words =
      nccl_words(line(printed(kChoice, "AllReduce", 4096L, "NVLS_TREE", "SIMPLE", 0, 15)) +
                 line(printed(kInfiniBand, " [0]mlx5_0:1/IB", "[RO]", "eth0", "192.0.2.2<0>")) +
                 line(printed(kNetwork, "IB")) + line(printed(kNvls, "not ", 0, 0)) +
                 line(printed(kChannels, 24, 0, 16, 32, 32)) + line(printed(kAlgorithm, "Ring")) +
                 line(printed(kProtocol, "LL")) + line("  Algorithm   |" + printed(kAlgorithmCell, "", "Ring", "")) +
                 line(protocols) + line(printed(kRow, "AllReduce") + cells));
  EXPECT_EQ(words.allreduce, (std::vector<NcclChoice>{{4096, "NVLS_TREE", "SIMPLE", 16}}));
  EXPECT_EQ(words.network, "IB");
  EXPECT_EQ(words.adapters, std::vector<std::string>{"mlx5_0:1/IB"});
  EXPECT_EQ(words.nvls, false);
  EXPECT_EQ(words.channels, 24);
  EXPECT_EQ(words.nvls_channels, 16);
  EXPECT_EQ(words.forced, (std::map<std::string, std::string>{{"NCCL_ALGO", "Ring"}, {"NCCL_PROTO", "LL"}}));
  EXPECT_EQ(words.offers, (std::vector<NcclOffer>{{"Ring", "LL", 80}, {"Ring", "LL128", 0}, {"Ring", "Simple", 240}}));
  EXPECT_EQ(nccl_words(line(printed(kSocket, " [0]eth0:192.0.2.2<0>")) + line(printed(kNetwork, "Socket"))).adapters,
            std::vector<std::string>{"eth0"});
}

}  // namespace
}  // namespace mgbench
