// Who is found to have died, to hang, or to be cut off; in times that the tests make up.
#include "bench/watch/rank_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mgbench {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A job of ranks that are heard once a second as long as they live.
class Job {
 public:
  explicit Job(int ranks, std::optional<Seconds> patience = {}) : watch_(hosts(ranks), patience, 1) {
    for (int rank = 0; rank < ranks; ++rank) beats_.push_back({.rank = rank, .doing = "measuring: forward"});
    alive_.assign(static_cast<std::size_t>(ranks), true);
  }

  Heartbeat& rank(int rank) { return beats_.at(static_cast<std::size_t>(rank)); }
  void silence(int rank, bool silent = true) { alive_.at(static_cast<std::size_t>(rank)) = !silent; }
  RankWatch& watch() { return watch_; }

  /// All that are neither waiting nor in `hanging` work on.
  std::optional<Finding> second(const std::vector<int>& hanging = {}) {
    now_ += 1;
    for (Heartbeat& beat : beats_) {
      ++beat.sequence;
      const bool hangs = std::find(hanging.begin(), hanging.end(), beat.rank) != hanging.end();
      if (!beat.waiting && !hangs) ++beat.pulse;
      if (alive_[static_cast<std::size_t>(beat.rank)]) watch_.hear(beat);
    }
    return watch_.check(now_);
  }

  /// What is found within so many seconds, and after how many.
  std::optional<Finding> seconds(int count, const std::vector<int>& hanging = {}) {
    for (passed_ = 1; passed_ <= count; ++passed_)
      if (auto finding = second(hanging)) return finding;
    return std::nullopt;
  }
  int passed() const { return passed_; }
  void jump(Seconds seconds) { now_ += seconds; }

 private:
  static std::vector<std::string> hosts(int ranks) {
    std::vector<std::string> names;
    for (int rank = 0; rank < ranks; ++rank) names.push_back("node" + std::to_string(rank));
    return names;
  }

  RankWatch watch_;
  std::vector<Heartbeat> beats_;
  std::vector<bool> alive_;
  Seconds now_ = 1000;
  int passed_ = 0;
};

TEST(RankWatch, FindsNothingWhereAllWork) {
  Job job(3);
  EXPECT_FALSE(job.seconds(1000));
}

TEST(RankWatch, NamesARankThatIsSilent) {
  Job job(3);
  job.seconds(10);
  job.rank(1).doing = "measuring, round 3: wfbp: backward";
  job.second();
  job.silence(1);
  const auto finding = job.seconds(100);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->ranks, std::vector<int>{1});
  EXPECT_EQ(job.passed(), 30) << "30 s are given, and it was last heard a second before";
  EXPECT_TRUE(holds(finding->text,
                    "rank 1 on node1: silent for 31 s: killed, stopped, or its node or network is gone (its "
                    "last word: measuring, round 3: wfbp: backward; rank 0 is in measuring: forward)"))
      << finding->text;
}

TEST(RankWatch, TakesThePatienceThatItIsGiven) {
  Job job(2, 3);
  job.seconds(10);
  job.silence(1);
  ASSERT_TRUE(job.seconds(100));
  EXPECT_EQ(job.passed(), 3);
}

TEST(RankWatch, NamesTheRankThatHangsWhileOthersWaitForIt) {
  Job job(3);
  job.seconds(10);
  for (const int waiting : {0, 2}) {
    job.rank(waiting).waiting = true;
    job.rank(waiting).position = 8;
  }
  job.rank(1).position = 7;
  const auto finding = job.seconds(100, {1});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->ranks, std::vector<int>{1});
  EXPECT_TRUE(holds(finding->text, "rank 1 on node1: no progress for 31 s in measuring: forward")) << finding->text;
}

TEST(RankWatch, NamesTheRankWhoseMessageIsMissingThoughAllWait) {
  Job job(3);
  job.seconds(10);
  for (int rank = 0; rank < 3; ++rank) {
    job.rank(rank).waiting = true;
    job.rank(rank).position = rank == 2 ? 6 : 7;
  }
  const auto finding = job.seconds(100);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->ranks, std::vector<int>{2});
}

TEST(RankWatch, BlamesTheNetworkWhereAllHaveEnteredTheSame) {
  Job job(2);
  job.seconds(10);
  for (int rank = 0; rank < 2; ++rank) job.rank(rank).waiting = true;
  const auto finding = job.seconds(100);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->ranks.size(), 2U);
  EXPECT_TRUE(holds(finding->text, "MPI or the network")) << finding->text;
}

TEST(RankWatch, LetsSlowRanksBe) {
  Job job(3);
  job.seconds(10);
  for (int step = 0; step < 20; ++step) {
    for (const int waiting : {0, 2}) {
      job.rank(waiting).waiting = true;
      job.rank(waiting).position = 8;
    }
    EXPECT_FALSE(job.seconds(20, {1})) << "one step of the slow rank";
    ++job.rank(1).pulse;
  }
}

TEST(RankWatch, GivesLongWorkFiveTimesWhatIsExpectedOfIt) {
  Job job(2);
  job.seconds(10);
  job.rank(1).expected = 20;
  job.rank(0).waiting = true;
  job.rank(0).position = 1;
  ASSERT_TRUE(job.seconds(200, {1}));
  EXPECT_EQ(job.passed(), 101);
}

TEST(RankWatch, LearnsWhatIsExpectedFromWhatTookLongBefore) {
  Job job(2);
  job.seconds(10);
  job.rank(0).waiting = true;
  job.rank(0).position = 1;
  EXPECT_FALSE(job.seconds(25, {1}));
  ++job.rank(1).pulse;
  ASSERT_TRUE(job.seconds(300, {1}));
  EXPECT_GT(job.passed(), 120);
  EXPECT_LT(job.passed(), 140);
}

TEST(RankWatch, WaitsForRanksThatStartLate) {
  Job job(2);
  job.silence(1);
  EXPECT_FALSE(job.seconds(29));
  job.silence(1, false);
  EXPECT_FALSE(job.seconds(100));
  Job without(2);
  without.silence(1);
  const auto finding = without.seconds(100);
  ASSERT_TRUE(finding);
  EXPECT_TRUE(holds(finding->text,
                    "rank 1 on node1: silent for 31 s: killed, stopped, or its node or network is gone "
                    "(never heard; rank 0 is in measuring: forward)"))
      << finding->text;
}

TEST(RankWatch, ForgivesAJobThatWasSuspendedAsAWhole) {
  Job job(3);
  job.seconds(10);
  for (int times = 0; times < 5; ++times) {
    job.jump(3600);
    EXPECT_FALSE(job.watch().check(4600 + 3600 * times)) << "before anybody could speak";
    EXPECT_FALSE(job.seconds(10));
  }
}

TEST(RankWatch, GivesTheContinuedTimeBeforeItAccuses) {
  Job job(2);
  job.seconds(10);
  job.silence(1);
  job.jump(3600);
  EXPECT_FALSE(job.seconds(28)) << "two seconds of the pause count";
  EXPECT_TRUE(job.seconds(10));
}

TEST(RankWatch, IgnoresWhatIsRepeatedOrLate) {
  RankWatch watch({"a", "b"}, 10, 1);
  Heartbeat old{.rank = 1, .sequence = 5, .pulse = 1};
  for (Seconds now = 0; now < 9; ++now) {
    watch.hear({.rank = 0, .sequence = static_cast<std::uint32_t>(now) + 1, .pulse = static_cast<std::uint64_t>(now)});
    watch.hear(old);
    --old.sequence;
    ++old.pulse;
    EXPECT_FALSE(watch.check(now));
  }
  watch.hear({.rank = 0, .sequence = 100, .pulse = 100});
  watch.hear(old);
  watch.check(9);
  watch.check(10);
  const auto finding = watch.check(11);
  ASSERT_TRUE(finding) << "only the first of those counted as a sign of life";
  EXPECT_EQ(finding->ranks, std::vector<int>{1});
}

TEST(RankWatch, GoesOnWhereSequenceNumbersWrap) {
  RankWatch watch({"a", "b"}, 10, 1);
  std::uint32_t sequence = 0xfffffff0;
  for (Seconds now = 0; now < 100; ++now) {
    ++sequence;
    watch.hear({.rank = 0, .sequence = sequence, .pulse = sequence});
    watch.hear({.rank = 1, .sequence = sequence, .pulse = sequence});
    EXPECT_FALSE(watch.check(now)) << now;
  }
}

TEST(RankWatch, NamesThreeOfMany) {
  Job job(20);
  job.seconds(10);
  for (int rank = 1; rank < 20; ++rank) job.silence(rank);
  const auto finding = job.seconds(100);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->ranks.size(), 19U);
  EXPECT_TRUE(holds(finding->text, "rank 1 on node1, rank 2 on node2, rank 3 on node3 and 16 more: silent"))
      << finding->text;
}

TEST(RankWatch, CallsTheRoll) {
  Job job(3);
  job.seconds(10);
  job.watch().begin_roll_call();
  EXPECT_FALSE(job.watch().all_have_answered());
  job.silence(1);
  job.second();
  EXPECT_FALSE(job.watch().all_have_answered());
  const auto finding = job.watch().end_roll_call();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->ranks, std::vector<int>{1});
  EXPECT_TRUE(holds(finding->text,
                    "rank 1 on node1: does not answer any more: it has ended, or its node or network is gone (its "
                    "last word: measuring: forward; rank 0 is in measuring: forward)"))
      << finding->text;
  job.silence(1, false);
  job.second();
  EXPECT_TRUE(job.watch().all_have_answered());
  EXPECT_FALSE(job.watch().end_roll_call());
}

TEST(RankWatch, TakesConstantWorkForAHeartbeatOfManyRanks) {
  Job job(4096);
  EXPECT_FALSE(job.seconds(5));
}

TEST(RootWatch, NoticesThatRankZeroIsSilent) {
  RootWatch watch(1, "node0", {}, 1);
  for (Seconds now = 0; now < 100; ++now) {
    watch.hear();
    EXPECT_FALSE(watch.check(now));
  }
  for (Seconds now = 100; now < 129; ++now) EXPECT_FALSE(watch.check(now));
  const auto why = watch.check(129);
  ASSERT_TRUE(why);
  EXPECT_TRUE(holds(*why, "rank 0 on node0: silent for 31 s")) << *why;
}

TEST(RootWatch, LetsTheFirstRanksSpeakFirst) {
  RootWatch first(1, "node0", 3, 0.25);
  RootWatch later(4, "node0", 3, 0.25);
  Seconds found = 0;
  for (Seconds now = 0; now < 10 && found == 0; now += 0.25) {
    const bool by_first = first.check(now).has_value();
    EXPECT_FALSE(later.check(now)) << now;
    if (by_first) found = now;
  }
  EXPECT_GT(found, 3);
}

TEST(RootWatch, ForgivesAPauseOfItsOwn) {
  RootWatch watch(1, "node0", {}, 1);
  watch.check(0);
  EXPECT_FALSE(watch.check(5000));
}

TEST(SelfWatch, NoticesItsOwnStandstillAndIsPatientWithWaits) {
  SelfWatch watch(0, "node1", {}, 1, Waits::long_ones);
  Heartbeat own{.rank = 1, .pulse = 5, .doing = "building"};
  Seconds now = 0;
  for (; now < 31; ++now) EXPECT_FALSE(watch.check(now, own)) << now;
  const auto why = watch.check(now, own);
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "rank 0 on node1: no progress for 31 s in building");

  SelfWatch waiting(0, "node1", {}, 1, Waits::long_ones);
  own.waiting = true;
  for (now = 0; now < 301; ++now) EXPECT_FALSE(waiting.check(now, own)) << now;
  EXPECT_TRUE(waiting.check(now, own));
}

TEST(SelfWatch, LetsWorkBe) {
  SelfWatch watch(0, "node1", 3, 1, Waits::long_ones);
  Heartbeat own{.rank = 1};
  for (Seconds now = 0; now < 1000; ++now) {
    if (static_cast<int>(now) % 3 == 0) ++own.pulse;
    EXPECT_FALSE(watch.check(now, own));
  }
}

}  // namespace
}  // namespace mgbench
