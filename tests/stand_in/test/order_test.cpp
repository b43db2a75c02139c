// Streams and events leave exactly the order open that they are documented to leave.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "test/device_array.h"

namespace {

class Streams : public testing::Test {
 protected:
  void SetUp() override { create(cudaStreamNonBlocking); }
  void TearDown() override { destroy(); }

  void create(unsigned flags) {
    for (cudaStream_t* stream : {&one_, &two_}) ASSERT_EQ(cudaStreamCreateWithFlags(stream, flags), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned_), 2 * sizeof(float)), cudaSuccess);
  }
  void destroy() {
    for (const cudaStream_t stream : {one_, two_}) ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    ASSERT_EQ(cudaEventDestroy(event_), cudaSuccess);
    ASSERT_EQ(cudaFreeHost(pinned_), cudaSuccess);
  }

  /// Writes on one stream, reads on another after `between`; in how many of 300 times the reader missed the writer.
  template <class Between>
  int misses(Between between, cudaStream_t writer, cudaStream_t reader) {
    const DeviceArray<> array(1);
    int count = 0;
    for (int i = 0; i < 300; ++i) {
      pinned_[0] = static_cast<float>(i);
      pinned_[1] = -1;
      EXPECT_EQ(cudaMemcpyAsync(array.data(), &pinned_[0], sizeof(float), cudaMemcpyHostToDevice, writer), cudaSuccess);
      between();
      EXPECT_EQ(cudaMemcpyAsync(&pinned_[1], array.data(), sizeof(float), cudaMemcpyDeviceToHost, reader), cudaSuccess);
      EXPECT_EQ(cudaStreamSynchronize(reader), cudaSuccess);
      if (pinned_[1] != static_cast<float>(i)) ++count;
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    return count;
  }

  static bool eager() {
    const char* order = std::getenv("MGBENCH_STAND_IN_ORDER");
    return order != nullptr && std::string(order) == "eager";
  }

  cudaStream_t one_{}, two_{};
  cudaEvent_t event_{};
  float* pinned_ = nullptr;
};

TEST_F(Streams, AnEventOrdersThem) {
  const auto wait = [&] {
    EXPECT_EQ(cudaEventRecord(event_, one_), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(two_, event_, 0), cudaSuccess);
  };
  EXPECT_EQ(misses(wait, one_, two_), 0);
}

TEST_F(Streams, AMissingWaitShows) {
  if (eager()) GTEST_SKIP() << "whatever is enqueued has run";
  EXPECT_GT(misses([&] { EXPECT_EQ(cudaEventRecord(event_, one_), cudaSuccess); }, one_, two_), 0);
}

TEST_F(Streams, AWaitForAnEarlierRecordingShows) {
  if (eager()) GTEST_SKIP() << "whatever is enqueued has run";
  const auto late = [&] {
    EXPECT_EQ(cudaStreamWaitEvent(two_, event_, 0), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event_, one_), cudaSuccess);
  };
  EXPECT_GT(misses(late, one_, two_), 0);
}

TEST_F(Streams, TheDefaultStreamDoesNotOrderNonBlockingOnes) {
  if (eager()) GTEST_SKIP() << "whatever is enqueued has run";
  EXPECT_GT(misses([] {}, nullptr, two_), 0);
  EXPECT_GT(misses([] {}, one_, nullptr), 0);
}

TEST_F(Streams, TheDefaultStreamOrdersBlockingOnes) {
  destroy();
  create(cudaStreamDefault);
  EXPECT_EQ(misses([] {}, nullptr, two_), 0);
  EXPECT_EQ(misses([] {}, one_, nullptr), 0);
  EXPECT_TRUE(misses([] {}, one_, two_) > 0 || eager());
}

TEST_F(Streams, PinnedMemoryIsReadLate) {
  if (eager()) GTEST_SKIP() << "whatever is enqueued has run";
  const DeviceArray<> array(1);
  int changed = 0;
  for (int i = 0; i < 100; ++i) {
    pinned_[0] = 1;
    ASSERT_EQ(cudaMemcpyAsync(array.data(), pinned_, sizeof(float), cudaMemcpyHostToDevice, one_), cudaSuccess);
    pinned_[0] = 2;
    if (array.read()[0] == 2) ++changed;
  }
  EXPECT_GT(changed, 0);
}

TEST_F(Streams, QueriesSayWhetherWorkIsLeftAndFinishIt) {
  ASSERT_EQ(cudaMemcpyAsync(pinned_, pinned_ + 1, sizeof(float), cudaMemcpyHostToHost, one_), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event_, one_), cudaSuccess);
  while (cudaEventQuery(event_) != cudaSuccess) ASSERT_EQ(cudaGetLastError(), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(one_), cudaSuccess);
}

TEST_F(Streams, ADestroyedStreamStillFinishes) {
  const DeviceArray<> array(1);
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(array.data(), 0, sizeof(float), stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event_, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  ASSERT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_EQ(array.read()[0], 0);
}

}  // namespace
