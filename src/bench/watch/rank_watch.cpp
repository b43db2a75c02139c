#include "bench/watch/rank_watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace mgbench {
namespace {

constexpr Seconds kLeast = 30;
constexpr double kTimesExpected = 5;
constexpr double kTimesWaiting = 10;
constexpr std::size_t kNamed = 3;

/// Sequence numbers wrap: newer is what is less than half of the numbers ahead (RFC 1982).
bool is_newer(std::uint32_t sequence, std::uint32_t known) {
  return static_cast<std::int32_t>(sequence - known) > 0;
}

Seconds turn_of(int rank) {
  return 0.5 * std::clamp(rank, 0, 10);
}

bool has_moved(const Heartbeat& before, const Heartbeat& now) {
  return before.position != now.position || before.pulse != now.pulse;
}

}  // namespace

Seconds Patience::silent() const {
  return given_.value_or(kLeast);
}

Seconds Patience::still(Seconds expected) const {
  return given_.value_or(std::max(kLeast, kTimesExpected * expected));
}

void AwakeTime::look(Seconds now) {
  if (last_) awake_ += std::clamp(now - *last_, 0.0, longest_);
  last_ = now;
}

RankWatch::RankWatch(std::vector<std::string> hosts, std::optional<Seconds> patience, Seconds interval)
    : ranks_(hosts.size()), patience_(patience), time_(interval) {
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) ranks_[rank].host = std::move(hosts[rank]);
}

void RankWatch::hear(const Heartbeat& beat) {
  Rank& rank = ranks_.at(static_cast<std::size_t>(beat.rank));
  if (rank.known && !is_newer(beat.sequence, rank.last.sequence)) return;
  const bool moved = !rank.known || has_moved(rank.last, beat);
  rank.last = beat;
  rank.known = true;
  rank.heard_at = time_.now();
  if (!rank.answered) --missing_;
  rank.answered = true;
  if (!moved) return;
  longest_ = std::max(longest_, time_.now() - moved_at_);
  moved_at_ = time_.now();
}

std::optional<Finding> RankWatch::check(Seconds now) {
  time_.look(now);
  if (auto silent = find_silent()) return silent;
  Seconds expected = longest_;
  for (const Rank& rank : ranks_) expected = std::max(expected, rank.last.expected);
  const Seconds still = time_.now() - moved_at_;
  if (still <= patience_.still(expected)) return std::nullopt;
  return find_laggards(still);
}

/// "rank 1 on node7", "rank 1 on node7, rank 2 on node8, rank 3 on node8 and 12 more".
std::string RankWatch::names(const std::vector<int>& ranks) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(ranks.size(), kNamed); ++i)
    names.push_back(fmt::format("rank {} on {}", ranks[i], ranks_[static_cast<std::size_t>(ranks[i])].host));
  const std::size_t more = ranks.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

/// A rank's word is up to an interval old: where rank 0 is tells how far the job has come.
std::string RankWatch::last_words(int rank) const {
  const Rank& silent = ranks_[static_cast<std::size_t>(rank)];
  return fmt::format("{}; rank 0 is in {}", silent.known ? "its last word: " + silent.last.doing : "never heard",
                     ranks_.front().last.doing);
}

std::optional<Finding> RankWatch::find_silent() const {
  Finding finding;
  Seconds longest = 0;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const Seconds silent = time_.now() - ranks_[rank].heard_at;
    if (silent <= patience_.silent()) continue;
    finding.ranks.push_back(static_cast<int>(rank));
    longest = std::max(longest, silent);
  }
  if (finding.ranks.empty()) return std::nullopt;
  finding.text = fmt::format("{}: silent for {:.0f} s: killed, stopped, or its node or network is gone ({})",
                             names(finding.ranks), longest, last_words(finding.ranks.front()));
  return finding;
}

Finding RankWatch::find_laggards(Seconds still) const {
  // Of ranks at the same point those that work, rather than wait, keep the others waiting.
  const auto place = [](const Rank& rank) { return std::pair(rank.last.position, rank.last.waiting); };
  const auto least = place(*std::min_element(
      ranks_.begin(), ranks_.end(), [&](const Rank& left, const Rank& right) { return place(left) < place(right); }));
  Finding finding;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    if (place(ranks_[rank]) == least) finding.ranks.push_back(static_cast<int>(rank));
  const std::string& doing = ranks_[static_cast<std::size_t>(finding.ranks.front())].last.doing;
  if (finding.ranks.size() == ranks_.size() && ranks_.size() > 1)
    finding.text = fmt::format(
        "{}: no rank has made progress for {:.0f} s in {}: MPI or the network has stopped delivering, or all hang",
        names(finding.ranks), still, doing);
  else
    finding.text = fmt::format("{}: no progress for {:.0f} s in {}{}", names(finding.ranks), still, doing,
                               ranks_.size() > 1 ? ", and the others wait for it" : "");
  return finding;
}

void RankWatch::begin_roll_call() {
  for (std::size_t rank = 1; rank < ranks_.size(); ++rank) ranks_[rank].answered = false;
  missing_ = ranks_.size() - 1;
}

std::optional<Finding> RankWatch::end_roll_call() const {
  Finding finding;
  for (std::size_t rank = 1; rank < ranks_.size(); ++rank)
    if (!ranks_[rank].answered) finding.ranks.push_back(static_cast<int>(rank));
  if (finding.ranks.empty()) return std::nullopt;
  finding.text = fmt::format("{}: does not answer any more: it has ended, or its node or network is gone ({})",
                             names(finding.ranks), last_words(finding.ranks.front()));
  return finding;
}

RootWatch::RootWatch(int rank, std::string host_of_root, std::optional<Seconds> patience, Seconds interval)
    : host_(std::move(host_of_root)), limit_(Patience(patience).silent() + turn_of(rank - 1)), time_(interval) {}

std::optional<std::string> RootWatch::check(Seconds now) {
  time_.look(now);
  const Seconds silent = time_.now() - heard_at_;
  if (silent <= limit_) return std::nullopt;
  return fmt::format("rank 0 on {}: silent for {:.0f} s: killed, stopped, or its node or network is gone", host_,
                     silent);
}

SelfWatch::SelfWatch(int rank, const std::string& host, std::optional<Seconds> patience, Seconds interval, Waits waits)
    : name_(fmt::format("rank {} on {}", rank, host)),
      patience_(patience),
      time_(interval),
      waits_(waits),
      turn_(turn_of(rank)) {}

std::optional<std::string> SelfWatch::check(Seconds now, const Heartbeat& own) {
  time_.look(now);
  const Seconds still = time_.now() - moved_at_;
  if (has_moved(last_, own)) {
    longest_ = std::max(longest_, still);
    moved_at_ = time_.now();
    last_ = own;
    return std::nullopt;
  }
  const double times = own.waiting && waits_ == Waits::long_ones ? kTimesWaiting : 1;
  const Seconds limit = times * patience_.still(std::max(longest_, own.expected));
  if (still <= limit + turn_) return std::nullopt;
  return fmt::format("{}: no progress for {:.0f} s in {}", name_, still, own.doing);
}

}  // namespace mgbench
