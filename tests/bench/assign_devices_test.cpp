#include "bench/gpu/assign_devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>

namespace mgbench {
namespace {

using Ranks = std::vector<std::vector<SeenDevice>>;
using Indices = std::vector<std::size_t>;

/// Distances, and then squares of how far ranks are from their usual devices.
struct Sums {
  std::int64_t distances = 0;
  std::int64_t squares = 0;
  auto operator<=>(const Sums&) const = default;
};

Sums sums_of(const Ranks& ranks, const Indices& indices) {
  Sums sums;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto usual = static_cast<std::int64_t>(rank % ranks[rank].size());
    const std::int64_t apart = static_cast<std::int64_t>(indices[rank]) - usual;
    sums.distances += ranks[rank][indices[rank]].distance;
    sums.squares += apart * apart;
  }
  return sums;
}

bool distinct(const Ranks& ranks, const Indices& indices) {
  std::set<std::string> taken;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (!taken.insert(ranks[rank].at(indices[rank]).bus_id).second) return false;
  return true;
}

/// The least sums of all assignments there are; none where there is no assignment.
std::optional<Sums> least(const Ranks& ranks) {
  std::optional<Sums> best;
  Indices indices(ranks.size());
  for (bool more = true; more;) {
    if (distinct(ranks, indices)) best = std::min(best.value_or(sums_of(ranks, indices)), sums_of(ranks, indices));
    std::size_t rank = 0;
    while (rank < ranks.size() && ++indices[rank] == ranks[rank].size()) indices[rank++] = 0;
    more = rank < ranks.size();
  }
  return best;
}

/// Up to five ranks that see some of up to six devices, in any order.
Ranks random_ranks(std::mt19937& random) {
  const auto below = [&](int limit) {
    return static_cast<std::size_t>(std::uniform_int_distribution(0, limit - 1)(random));
  };
  std::vector<int> devices(1 + below(6));
  std::iota(devices.begin(), devices.end(), 0);
  Ranks ranks(1 + below(5));
  for (auto& seen : ranks) {
    std::shuffle(devices.begin(), devices.end(), random);
    const std::size_t count = below(2) == 0 ? devices.size() : 1 + below(static_cast<int>(devices.size()));
    for (std::size_t i = 0; i < count; ++i)
      seen.push_back({.bus_id = std::to_string(devices[i]), .distance = static_cast<int>(below(3))});
  }
  return ranks;
}

TEST(AssignDevices, IsTheBestOfAllAssignments) {
  std::mt19937 random(1);
  int assigned = 0;
  int too_few = 0;
  for (int i = 0; i < 3000; ++i) {
    const Ranks ranks = random_ranks(random);
    const std::optional<Sums> expected = least(ranks);
    const std::optional<Indices> actual = assign_devices(ranks);
    ASSERT_EQ(actual.has_value(), expected.has_value());
    if (!actual) {
      ++too_few;
      continue;
    }
    ++assigned;
    ASSERT_TRUE(distinct(ranks, *actual));
    ASSERT_EQ(sums_of(ranks, *actual), *expected);
  }
  EXPECT_GT(assigned, 1000);
  EXPECT_GT(too_few, 300);
}

/// Devices 0, 1, ... at the given distances from each rank, which sees all.
Ranks ranks_at(const std::vector<std::vector<int>>& distances) {
  Ranks ranks;
  for (const auto& row : distances) {
    ranks.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i)
      ranks.back().push_back({.bus_id = std::to_string(i), .distance = row[i]});
  }
  return ranks;
}

TEST(AssignDevices, RanksThatDistancesDoNotTellApartKeepTheirOrder) {
  for (std::size_t devices = 1; devices <= 16; ++devices)
    for (std::size_t ranks = 1; ranks <= devices; ++ranks) {
      Indices order(ranks);
      std::iota(order.begin(), order.end(), std::size_t{0});
      for (const int distance : {0, 2})
        EXPECT_EQ(assign_devices(ranks_at(std::vector(ranks, std::vector(devices, distance)))), order);
    }
  // Packages the other way round: pairs stay in order.
  EXPECT_EQ(assign_devices(ranks_at({{2, 2, 0, 0}, {2, 2, 0, 0}, {0, 0, 2, 2}, {0, 0, 2, 2}})), (Indices{2, 3, 0, 1}));
}

TEST(AssignDevices, TheOnlyDeviceThatARankSeesIsItsOwn) {
  EXPECT_EQ(assign_devices({{{"b", 2}}, {{"a", 2}}, {{"c", 0}}}), (Indices{0, 0, 0}));
  // The second would rather have it.
  EXPECT_EQ(assign_devices({{{"a", 2}}, {{"a", 0}, {"b", 2}}}), (Indices{0, 1}));
  EXPECT_EQ(assign_devices({{{"a", 0}}, {{"a", 0}}}), std::nullopt);
}

TEST(AssignDevices, PartsOfADeviceAreOneDevice) {
  EXPECT_EQ(assign_devices({{{"a", 0}, {"a", 0}}}), (Indices{0}));
  EXPECT_EQ(assign_devices({{{"a", 0}, {"a", 0}}, {{"a", 0}, {"a", 0}}}), std::nullopt);
}

TEST(AssignDevices, FewerDevicesThanRanksAreTooFew) {
  EXPECT_EQ(assign_devices(ranks_at({{0, 0}, {0, 0}, {0, 0}})), std::nullopt);
}

}  // namespace
}  // namespace mgbench
