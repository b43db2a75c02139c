// NCCL's calls within one process; nccl_ranks_test.cpp has more.
#include <nccl.h>

#include <cmath>

#include "test/device_array.h"

namespace {

TEST(Nccl, OneRankAndRefusals) {
  ncclComm_t communicator = nullptr;
  ncclUniqueId id;
  ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  EXPECT_EQ(ncclCommInitRank(&communicator, 2, id, 2), ncclInvalidArgument);
  EXPECT_EQ(ncclCommInitRank(&communicator, 1, ncclUniqueId{}, 0), ncclInvalidArgument);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ASSERT_EQ(ncclCommInitRankConfig(&communicator, 1, id, 0, &config), ncclInProgress);
  ncclResult_t error = ncclInProgress;
  while (error == ncclInProgress) ASSERT_EQ(ncclCommGetAsyncError(communicator, &error), ncclSuccess);
  ASSERT_EQ(error, ncclSuccess);
  const DeviceArray<> from(std::vector<float>{4, 5}), to(2);
  ASSERT_EQ(ncclAllReduce(from.data(), to.data(), 2, ncclFloat, ncclSum, communicator, nullptr), ncclSuccess);
  EXPECT_EQ(to.read(), (std::vector<float>{4, 5}));

  const DeviceArray<> grouped(2);
  ASSERT_EQ(ncclGroupStart(), ncclSuccess);
  ASSERT_EQ(ncclAllReduce(from.data(), grouped.data(), 2, ncclFloat, ncclSum, communicator, nullptr), ncclSuccess);
  EXPECT_TRUE(std::isnan(grouped.read()[0]));  // not enqueued yet
  ASSERT_EQ(ncclGroupEnd(), ncclSuccess);
  EXPECT_EQ(grouped.read(), (std::vector<float>{4, 5}));

  EXPECT_EQ(ncclAllReduce(from.data(), to.data(), 3, ncclFloat, ncclSum, communicator, nullptr), ncclInvalidArgument);
  EXPECT_EQ(ncclAllReduce(from.data(), from.data() + 1, 1, ncclFloat, ncclMax, communicator, nullptr),
            ncclInvalidUsage);
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
  ASSERT_EQ(ncclCommDestroy(communicator), ncclSuccess);
  EXPECT_EQ(ncclCommDestroy(communicator), ncclInvalidArgument);
}

}  // namespace
