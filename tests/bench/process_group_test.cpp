#include "bench/mpi/process_group.h"

#include <gtest/gtest.h>

#include "bench/communicators/mpi_chunks.h"

namespace mgbench {
namespace {

/// Runs at several numbers of ranks; every value differs by rank.
class ProcessGroupTest : public testing::Test {
 protected:
  ProcessGroup group_{MPI_COMM_WORLD};
  const int rank_ = group_.rank();
  const int size_ = group_.size();
};

TEST_F(ProcessGroupTest, HasItsOwnCommunicator) {
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(group_.handle(), MPI_COMM_WORLD, &relation);
  EXPECT_EQ(relation, MPI_CONGRUENT);
  EXPECT_EQ(group_.is_root(), rank_ == 0);
  group_.barrier();
  group_.quiet_barrier();
}

TEST_F(ProcessGroupTest, BroadcastsRankZerosValuesAndSizes) {
  std::string text = rank_ == 0 ? "the plan" : "something else that is longer";
  group_.broadcast(text);
  EXPECT_EQ(text, "the plan");

  std::string from_last = rank_ == size_ - 1 ? "from the last rank" : "";
  group_.broadcast(from_last, size_ - 1);
  EXPECT_EQ(from_last, "from the last rank");

  std::string empty = rank_ == 0 ? "" : "x";
  group_.broadcast(empty);
  EXPECT_EQ(empty, "");

  std::vector<double> numbers(static_cast<std::size_t>(rank_), 1.0);
  if (rank_ == 0) numbers = {0.5, 0.25};
  group_.broadcast(numbers);
  EXPECT_EQ(numbers, (std::vector<double>{0.5, 0.25}));

  std::vector<std::uint64_t> ends{static_cast<std::uint64_t>(rank_)};
  if (rank_ == 0) ends = {1, 2, UINT64_MAX};
  group_.broadcast(ends);
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{1, 2, UINT64_MAX}));
}

TEST_F(ProcessGroupTest, ReducesOverAllRanks) {
  EXPECT_EQ(group_.maximum(rank_), size_ - 1);
  EXPECT_EQ(group_.minimum(rank_ + 1), 1);
  EXPECT_EQ(group_.sum(rank_ + 1), size_ * (size_ + 1) / 2);
  EXPECT_TRUE(group_.all(true));
  EXPECT_FALSE(group_.all(rank_ != size_ - 1));

  const std::vector<double> own{static_cast<double>(rank_), static_cast<double>(-rank_)};
  EXPECT_EQ(group_.maximum(own), (std::vector<double>{size_ - 1.0, 0.0}));
  EXPECT_EQ(group_.minimum(own), (std::vector<double>{0.0, 1.0 - size_}));

  const std::vector<double> ranked{static_cast<double>(rank_), static_cast<double>(-rank_), 5.0};
  EXPECT_EQ(group_.rank_of_maximum(ranked), (std::vector<int>{size_ - 1, 0, 0}));

  std::vector<double> sums{1.0, static_cast<double>(rank_)};
  group_.sum(sums);
  EXPECT_EQ(sums, (std::vector<double>{static_cast<double>(size_), size_ * (size_ - 1) / 2.0}));
}

TEST_F(ProcessGroupTest, GathersByRankOnRankZeroOnly) {
  const auto text_of = [](int rank) {
    return std::string(static_cast<std::size_t>(rank) * 100000, static_cast<char>('a' + rank));
  };
  const auto texts = group_.gather(text_of(rank_));
  const auto values = group_.gather(std::vector<double>{static_cast<double>(rank_), 7.0});
  if (rank_ != 0) {
    EXPECT_TRUE(texts.empty());
    EXPECT_TRUE(values.empty());
    return;
  }
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(size_));
  ASSERT_EQ(values.size(), static_cast<std::size_t>(size_) * 2);
  for (int rank = 0; rank < size_; ++rank) {
    EXPECT_EQ(texts[static_cast<std::size_t>(rank)], text_of(rank));
    EXPECT_EQ(values[static_cast<std::size_t>(rank) * 2], rank);
    EXPECT_EQ(values[static_cast<std::size_t>(rank) * 2 + 1], 7);
  }
}

TEST_F(ProcessGroupTest, GivesTheTextsOfSomeRanksToAll) {
  const auto last = static_cast<std::uint64_t>(size_ - 1);
  const std::vector<std::uint64_t> wanted =
      rank_ == 0 ? std::vector<std::uint64_t>{last, 0} : std::vector<std::uint64_t>{};
  EXPECT_EQ(group_.texts_of(wanted, fmt::format("rank {}", rank_)),
            (std::vector<std::string>{fmt::format("rank {}", last), "rank 0"}));
  EXPECT_TRUE(group_.texts_of({}, "x").empty());
}

TEST_F(ProcessGroupTest, FailedCallsThrowMpisOwnText) {
  int value = 0;
  try {
    check_mpi(MPI_Bcast(&value, 1, MPI_INT, size_, group_.handle()), "MPI_Bcast");
    FAIL() << "no rank has this number";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::not_measured);
    // Open MPI: "MPI_ERR_ROOT: invalid root"; MPICH: "Invalid root, error stack: ...".
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("MPI_Bcast failed: ")) << text;
    EXPECT_NE(text.find("nvalid root"), std::string::npos) << text;
  }
}

TEST(Chunks, CoverEverythingOnceInOrder) {
  for (std::size_t total = 0; total < 40; ++total) {
    std::size_t next = 0;
    const auto call = [&](std::size_t offset, int count) {
      EXPECT_EQ(offset, next);
      EXPECT_GE(count, 1);
      EXPECT_LE(count, 7);
      next += static_cast<std::size_t>(count);
    };
    for_each_chunk(total, call, 7);
    EXPECT_EQ(next, total);
  }
}

}  // namespace
}  // namespace mgbench
