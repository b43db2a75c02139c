// Captures and graphs.
#include <cstdlib>
#include <thread>

#include "test/device_array.h"

namespace {

class Graphs : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  void TearDown() override { ASSERT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }
  cudaStream_t stream_{};
};

TEST_F(Graphs, RunWhatWasCapturedAsOftenAsLaunched) {
  const DeviceArray<> counter(std::vector<float>{1, 2, 3});
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  // The array moves up by one.
  ASSERT_EQ(cudaMemcpyAsync(counter.data() + 2, counter.data() + 1, 4, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(counter.data() + 1, counter.data(), 4, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
  cudaStreamCaptureStatus status{};
  ASSERT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(counter.read(), (std::vector<float>{1, 2, 3}));
  ASSERT_EQ(cudaGraphLaunch(instance, stream_), cudaSuccess);
  EXPECT_EQ(counter.read(), (std::vector<float>{1, 1, 2}));
  ASSERT_EQ(cudaGraphLaunch(instance, stream_), cudaSuccess);
  EXPECT_EQ(counter.read(), (std::vector<float>{1, 1, 1}));
  ASSERT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, stream_), cudaErrorInvalidValue);
}

TEST_F(Graphs, AreSpoiltByCallsThatWaitOrAllocate) {
  cudaGraph_t graph = nullptr;
  void* pointer = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureUnmatched);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  cudaGetLastError();
}

TEST_F(Graphs, DependOnNothingOutside) {
  cudaEvent_t outside;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaEventCreate(&outside), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(outside, nullptr), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, outside, 0), cudaErrorStreamCaptureIsolation);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaEventDestroy(outside), cudaSuccess);
  cudaGetLastError();
}

/// Two streams, and two events for the way there and back.
class Forks : public Graphs {
 protected:
  void SetUp() override {
    Graphs::SetUp();
    ASSERT_EQ(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking), cudaSuccess);
    for (cudaEvent_t* event : {&fork_, &join_}) ASSERT_EQ(cudaEventCreate(event), cudaSuccess);
  }
  void TearDown() override {
    for (const cudaEvent_t event : {fork_, join_}) ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
    ASSERT_EQ(cudaStreamDestroy(other_), cudaSuccess);
    Graphs::TearDown();
    cudaGetLastError();
  }

  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
    ASSERT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
  }
  static void order(cudaStream_t before, cudaEvent_t event, cudaStream_t after) {
    ASSERT_EQ(cudaEventRecord(event, before), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(after, event, 0), cudaSuccess);
  }
  static void copy(const DeviceArray<>& array, int to, int from, cudaStream_t stream) {
    ASSERT_EQ(cudaMemcpyAsync(array.data() + to, array.data() + from, 4, cudaMemcpyDeviceToDevice, stream),
              cudaSuccess);
  }
  cudaGraphExec_t end() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    return instance;
  }
  cudaStreamCaptureStatus status(cudaStream_t stream) {
    cudaStreamCaptureStatus result{};
    EXPECT_EQ(cudaStreamIsCapturing(stream, &result), cudaSuccess);
    return result;
  }

  cudaStream_t other_{};
  cudaEvent_t fork_{}, join_{};
};

TEST_F(Forks, AreTakenInAndRunInTheOrderOfTheirEvents) {
  const DeviceArray<> array(std::vector<float>{1, 2, 3, 4});
  begin();
  copy(array, 1, 0, stream_);
  order(stream_, fork_, other_);
  EXPECT_EQ(status(other_), cudaStreamCaptureStatusActive);
  copy(array, 2, 1, other_);
  order(other_, join_, stream_);
  copy(array, 3, 2, stream_);
  cudaGraphExec_t instance = end();
  EXPECT_EQ(status(other_), cudaStreamCaptureStatusNone);
  for (int i = 0; i < 50; ++i) {
    const auto first = static_cast<float>(i);
    ASSERT_EQ(cudaMemcpyAsync(array.data(), &first, 4, cudaMemcpyHostToDevice, stream_), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instance, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    ASSERT_EQ(array.read(), (std::vector<float>(4, first)));
  }
  ASSERT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

TEST_F(Forks, WithoutAnEventAreInNoOrder) {
  if (std::getenv("MGBENCH_STAND_IN_ORDER") != nullptr) GTEST_SKIP() << "one order, in which nothing is missed";
  const DeviceArray<> array(std::vector<float>{1, 2, 3});
  begin();
  order(stream_, fork_, other_);
  copy(array, 1, 0, stream_);
  copy(array, 2, 1, other_);  // has not waited for it
  order(other_, join_, stream_);
  cudaGraphExec_t instance = end();
  int missed = 0;
  for (int i = 3; i < 300; ++i) {
    const auto first = static_cast<float>(i);
    ASSERT_EQ(cudaMemcpyAsync(array.data(), &first, 4, cudaMemcpyHostToDevice, stream_), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instance, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    if (array.read()[2] != first) ++missed;
  }
  EXPECT_GT(missed, 0);
  ASSERT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

TEST_F(Forks, ThatAreNotJoinedEndInAnError) {
  const DeviceArray<> array(std::vector<float>{1, 2});
  cudaGraph_t graph = nullptr;
  begin();
  order(stream_, fork_, other_);
  copy(array, 1, 0, other_);
  EXPECT_EQ(cudaStreamEndCapture(other_, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(status(other_), cudaStreamCaptureStatusNone);
  EXPECT_EQ(array.read(), (std::vector<float>{1, 2}));
}

TEST_F(Forks, DoNotJoinTwoCaptures) {
  cudaGraph_t graph = nullptr;
  begin();
  ASSERT_EQ(cudaStreamBeginCapture(other_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork_, other_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, fork_, 0), cudaErrorStreamCaptureMerge);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, fork_, 0), cudaErrorStreamCaptureUnsupported);
  for (const cudaStream_t stream : {stream_, other_})
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, fork_, 0), cudaErrorCapturedEvent) << "of a capture that has ended";
}

TEST_F(Forks, EventsAreNotReadWhileTheyAreCaptured) {
  cudaGraph_t graph = nullptr;
  begin();
  ASSERT_EQ(cudaEventRecord(fork_, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(fork_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventSynchronize(fork_), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Forks, AThreadLocalCaptureLeavesOtherThreadsAlone) {
  const auto elsewhere = [] {
    cudaError_t result{};
    std::thread([&result] {
      void* pointer = nullptr;
      result = cudaMalloc(&pointer, 4);
      cudaFree(pointer);
    }).join();
    return result;
  };
  begin();
  EXPECT_EQ(elsewhere(), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(end()), cudaSuccess);
  cudaGraph_t graph = nullptr;
  begin(cudaStreamCaptureModeGlobal);
  EXPECT_EQ(elsewhere(), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Forks, ExternalEventsAreRecordedByEachLaunch) {
  float milliseconds = 0;
  EXPECT_EQ(cudaEventRecordWithFlags(fork_, stream_, cudaEventRecordExternal), cudaErrorInvalidValue);
  begin();
  ASSERT_EQ(cudaEventRecordWithFlags(fork_, stream_, cudaEventRecordExternal), cudaSuccess);
  ASSERT_EQ(cudaEventRecordWithFlags(join_, stream_, cudaEventRecordExternal), cudaSuccess);
  cudaGraphExec_t instance = end();
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, fork_, join_), cudaErrorInvalidResourceHandle) << "not launched yet";
  cudaEvent_t before;
  ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaEventRecord(before, stream_), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instance, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    ASSERT_EQ(cudaEventElapsedTime(&milliseconds, before, fork_), cudaSuccess);
    EXPECT_GT(milliseconds, 0) << "of this launch, not of the one before";
    ASSERT_EQ(cudaEventElapsedTime(&milliseconds, fork_, join_), cudaSuccess);
    EXPECT_GE(milliseconds, 0);
  }
  ASSERT_EQ(cudaEventDestroy(before), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

}  // namespace
