// On a machine as hwloc reads it from a file: two NUMA nodes of a processor each in one package, a third one in
// another; a device beside each, and one that firmware does not place.
#include "bench/host/device_distance.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

namespace mgbench {
namespace {

class DeviceDistances : public testing::Test {
 protected:
  void SetUp() override {
    sched_getaffinity(0, sizeof before_, &before_);
    if (!CPU_ISSET(0, &before_)) GTEST_SKIP() << "processor 0 is not this test's";
    bind({0});
    setenv("HWLOC_XMLFILE", MGBENCH_TWO_PACKAGES, 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);  // bindings are this process's
  }
  void TearDown() override {
    unsetenv("HWLOC_XMLFILE");
    unsetenv("HWLOC_THISSYSTEM");
    sched_setaffinity(0, sizeof before_, &before_);
  }

  static void bind(std::initializer_list<int> processors) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int processor : processors) CPU_SET(processor, &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
  }

  static std::optional<DeviceDistance> to(const std::string& bus_id) { return distances_to_devices({bus_id}).front(); }

  cpu_set_t before_{};
};

TEST_F(DeviceDistances, AreByNumaNodeAndPackage) {
  EXPECT_EQ(to("0000:11:00.0"), DeviceDistance::same_numa_node);
  EXPECT_EQ(to("0000:10:00.0"), DeviceDistance::same_package);
  EXPECT_EQ(to("0000:12:00.0"), DeviceDistance::other_package);
  EXPECT_EQ(
      distances_to_devices({"0000:12:00.0", "0000:11:00.0"}),
      (std::vector<std::optional<DeviceDistance>>{DeviceDistance::other_package, DeviceDistance::same_numa_node}));
}

TEST_F(DeviceDistances, AreNotKnownWhereTheMachineDoesNotTell) {
  EXPECT_EQ(to("0000:13:00.0"), std::nullopt);
  EXPECT_EQ(to("0000:99:00.0"), std::nullopt);
  EXPECT_EQ(to("no bus id"), std::nullopt);
}

TEST_F(DeviceDistances, AProcessBesideSeveralNodesIsNearThemAll) {
  if (!CPU_ISSET(1, &before_)) GTEST_SKIP() << "processor 1 is not this test's";
  bind({0, 1});
  EXPECT_EQ(to("0000:11:00.0"), DeviceDistance::same_numa_node);
  EXPECT_EQ(to("0000:10:00.0"), DeviceDistance::same_numa_node);
  EXPECT_EQ(to("0000:12:00.0"), DeviceDistance::other_package);
}

TEST(DeviceDistance, HasWords) {
  EXPECT_STREQ(name_of(DeviceDistance::same_numa_node), "the same NUMA node");
  EXPECT_STREQ(name_of(DeviceDistance::same_package), "the same package");
  EXPECT_STREQ(name_of(DeviceDistance::other_package), "another package");
}

}  // namespace
}  // namespace mgbench
