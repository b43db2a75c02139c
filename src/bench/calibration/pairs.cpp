#include "bench/calibration/pairs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/clock.h"
#include "bench/watch/activity.h"
#include "bench/watch/interruption.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

constexpr int kLatencyBytes = 8;
constexpr int kBandwidthBytes = 4 << 20;
constexpr int kMostTrips = 100;
constexpr int kSamples = 7;
constexpr Seconds kSample = 10e-3;  // of as many trips as fit, at least one

/// The fastest interface that is up, in bytes a second; 0 where none tells.
double link_rate() {
  double fastest = 0;
  std::error_code ignored;
  for (const auto& interface : fs::directory_iterator("/sys/class/net", ignored)) {
    std::string state;
    double megabits = 0;
    std::ifstream(interface.path() / "operstate") >> state;
    if (interface.path().filename() != "lo" && state == "up" && std::ifstream(interface.path() / "speed") >> megabits)
      fastest = std::max(fastest, megabits * 1e6 / 8);
  }
  return fastest;
}

/// Median time of one way of a ping-pong with `peer`, after two trips that do not count.
Seconds one_way(MPI_Comm communicator, int peer, bool first, std::vector<char>& buffer) {
  const int bytes = static_cast<int>(buffer.size());
  const auto trip = [&] {
    const auto send = [&] { check_mpi(MPI_Send(buffer.data(), bytes, MPI_CHAR, peer, 0, communicator), "MPI_Send"); };
    const auto receive = [&] {
      check_mpi(MPI_Recv(buffer.data(), bytes, MPI_CHAR, peer, 0, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
    };
    if (first) send();
    receive();
    if (!first) send();
    activity().advance();
  };
  trip();
  const Seconds warm = steady_clock().now();
  trip();
  const int own = static_cast<int>(std::clamp(kSample / (steady_clock().now() - warm), 1.0, double{kMostTrips}));
  int other = 0;
  check_mpi(MPI_Sendrecv(&own, 1, MPI_INT, peer, 1, &other, 1, MPI_INT, peer, 1, communicator, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  const int trips = std::min(own, other);
  std::vector<double> samples;
  for (int sample = 0; sample < kSamples; ++sample) {
    const Seconds begin = steady_clock().now();
    for (int i = 0; i < trips; ++i) trip();
    samples.push_back((steady_clock().now() - begin) / (2.0 * trips));
  }
  return median(samples);
}

/// The ranks that stand for nodes, the same on every rank.
std::vector<int> node_ranks(ProcessGroup& group, const std::string& host) {
  std::vector<std::uint64_t> ranks;
  const std::vector<std::string> hosts = group.gather(host);
  std::map<std::string, int> lowest;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) lowest.try_emplace(hosts[rank], static_cast<int>(rank));
  for (const auto& [name, rank] : lowest) ranks.push_back(static_cast<std::uint64_t>(rank));
  if (ranks.size() == 1) {
    ranks.clear();
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) ranks.push_back(rank);
  }
  std::sort(ranks.begin(), ranks.end());
  group.broadcast(ranks);
  return {ranks.begin(), ranks.end()};
}

}  // namespace

std::vector<std::vector<std::pair<int, int>>> pair_rounds(int nodes) {
  // One node stands still, the others move on by one place a round; an odd number gets a free place.
  const int places = nodes + nodes % 2;
  const int all = places - 1;
  const int taken = std::min(all, static_cast<int>(kMostNodesInFull) - 1);
  std::vector<std::vector<std::pair<int, int>>> rounds;
  for (int i = 0; i < taken; ++i) {
    const auto round = static_cast<int>(static_cast<std::int64_t>(i) * all / taken);
    const auto node_at = [&](int place) { return place == 0 ? 0 : 1 + (place - 1 + round) % all; };
    std::vector<std::pair<int, int>> pairs;
    for (int place = 0; place < places / 2; ++place) {
      const auto [one, other] = std::minmax({node_at(place), node_at(places - 1 - place)});
      if (other < nodes) pairs.emplace_back(one, other);
    }
    rounds.push_back(std::move(pairs));
  }
  return rounds;
}

PairMatrix measure_pairs(ProcessGroup& group, const std::string& host, Progress& progress) {
  require(group.size() >= 2, "--pairs: one rank has no pair; start at least two");
  const std::vector<int> ranks = node_ranks(group, host);
  const auto found = std::find(ranks.begin(), ranks.end(), group.rank());
  const int node = found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());

  PairMatrix matrix;
  matrix.link_rates.resize(ranks.size());
  if (node >= 0) matrix.link_rates[static_cast<std::size_t>(node)] = link_rate();
  // By pair in the order of rounds: of the pairs whose first node this is, zeros elsewhere.
  std::vector<double> latencies;
  std::vector<double> bandwidths;
  std::vector<char> small(kLatencyBytes);
  std::vector<char> large(kBandwidthBytes);
  const auto rounds = pair_rounds(static_cast<int>(ranks.size()));
  progress.stage("pairs");
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    progress.advance(static_cast<double>(round) / static_cast<double>(rounds.size()),
                     fmt::format("round {} of {}", round + 1, rounds.size()));
    for (const auto& [one, other] : rounds[round]) {
      latencies.push_back(0);
      bandwidths.push_back(0);
      if (node != one && node != other) continue;
      const bool first = node == one;
      const int peer = ranks[static_cast<std::size_t>(first ? other : one)];
      const Seconds latency = one_way(group.handle(), peer, first, small);
      const Seconds transfer = one_way(group.handle(), peer, first, large);
      if (!first) continue;  // both measure the same trips
      latencies.back() = latency;
      bandwidths.back() = kBandwidthBytes / transfer;
    }
    group.quiet_barrier();
    stop_if_told(group, fmt::format("round {} of {} of pairs", round + 2, rounds.size()));
  }
  group.sum(latencies);
  group.sum(bandwidths);
  group.sum(matrix.link_rates);
  std::size_t index = 0;
  for (const auto& round : rounds)
    for (const auto& [one, other] : round) {
      matrix.pairs.push_back({.one = static_cast<std::size_t>(one),
                              .other = static_cast<std::size_t>(other),
                              .latency = latencies[index],
                              .bandwidth = bandwidths[index]});
      ++index;
    }
  std::sort(matrix.pairs.begin(), matrix.pairs.end(), [](const PairTime& left, const PairTime& right) {
    return std::pair(left.one, left.other) < std::pair(right.one, right.other);
  });
  const std::vector<std::string> hosts = group.gather(host);
  if (group.is_root())
    for (const int rank : ranks)
      matrix.nodes.push_back(fmt::format("{} (rank {})", hosts[static_cast<std::size_t>(rank)], rank));
  return matrix;
}

}  // namespace mgbench
