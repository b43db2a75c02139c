// Captures and graphs.
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
  cudaEvent_t outside, inside;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaEventCreate(&outside), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&inside), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(outside, nullptr), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, outside, 0), cudaErrorStreamCaptureIsolation);
  ASSERT_EQ(cudaEventRecord(inside, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, inside, 0), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(inside), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, inside, 0), cudaErrorNotSupported);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (const cudaEvent_t event : {outside, inside}) ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
