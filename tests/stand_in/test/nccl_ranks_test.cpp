// Allreduce among ranks that are processes, and how it ends when one of them does.
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "core/element.h"
#include "test/device_array.h"

namespace {

constexpr int kRanks = 3;

std::vector<float> contribution(int rank, std::size_t count) {
  return random_values(count, 100U + static_cast<unsigned>(rank));
}

/// A sum captured between two streams is one more sum of all ranks in each launch.
void expect_captured_sums(ncclComm_t communicator, cudaStream_t stream) {
  const DeviceArray<> data(std::vector<float>{1, 2});
  cudaStream_t computing;
  cudaEvent_t ready, summed;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&computing, cudaStreamNonBlocking), cudaSuccess);
  for (cudaEvent_t* event : {&ready, &summed}) EXPECT_EQ(cudaEventCreate(event), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(computing, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(ready, computing), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, ready, 0), cudaSuccess);
  for (float* value : {data.data(), data.data() + 1})
    EXPECT_EQ(ncclAllReduce(value, value, 1, ncclFloat, ncclSum, communicator, stream), ncclSuccess);
  EXPECT_EQ(cudaEventRecord(summed, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(computing, summed, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(computing, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (int launch = 0; launch < 3; ++launch) EXPECT_EQ(cudaGraphLaunch(instance, computing), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(computing), cudaSuccess);
  EXPECT_EQ(data.read(), (std::vector<float>{27, 54}));
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  for (const cudaEvent_t event : {ready, summed}) EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(computing), cudaSuccess);
}

/// One rank of a job that a test started; returns its exit status.
int rank_main(int rank, const ncclUniqueId& id) {
  const std::size_t count = 700001;  // several pieces, and a bit
  EXPECT_EQ(cudaSetDevice(rank), cudaSuccess);
  ncclComm_t communicator = nullptr;
  EXPECT_EQ(ncclCommInitRank(&communicator, kRanks, id, rank), ncclSuccess);
  int value = 0;
  EXPECT_EQ(ncclCommCount(communicator, &value), ncclSuccess);
  EXPECT_EQ(value, kRanks);
  EXPECT_EQ(ncclCommUserRank(communicator, &value), ncclSuccess);
  EXPECT_EQ(value, rank);

  cudaStream_t stream;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  const DeviceArray<> data(contribution(rank, count)), small(std::vector<float>{1, static_cast<float>(rank)});
  const DeviceArray<stand_in::BFloat16> narrow(std::vector{stand_in::BFloat16::from(0.5F)});
  EXPECT_EQ(ncclAllReduce(data.data(), data.data(), count, ncclFloat, ncclSum, communicator, stream), ncclSuccess);
  EXPECT_EQ(ncclGroupStart(), ncclSuccess);
  EXPECT_EQ(ncclAllReduce(small.data(), small.data(), 2, ncclFloat, ncclSum, communicator, stream), ncclSuccess);
  EXPECT_EQ(ncclAllReduce(narrow.data(), narrow.data(), 1, ncclBfloat16, ncclSum, communicator, stream), ncclSuccess);
  EXPECT_EQ(ncclGroupEnd(), ncclSuccess);

  std::vector<float> wanted(count);
  for (int other = 0; other < kRanks; ++other) {
    const auto values = contribution(other, count);
    for (std::size_t i = 0; i < count; ++i) wanted[i] += values[i];
  }
  EXPECT_EQ(data.read(), wanted);
  EXPECT_EQ(small.read(), (std::vector<float>{3, 3}));
  EXPECT_EQ(static_cast<float>(narrow.read()[0]), 1.5F);
  expect_captured_sums(communicator, stream);
  ncclResult_t error = ncclInternalError;
  EXPECT_EQ(ncclCommGetAsyncError(communicator, &error), ncclSuccess);
  EXPECT_EQ(error, ncclSuccess);
  EXPECT_EQ(ncclCommFinalize(communicator), ncclSuccess);
  EXPECT_EQ(ncclCommDestroy(communicator), ncclSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  return testing::Test::HasFailure() ? 1 : 0;
}

/// A rank whose peer never joins an allreduce, because it ended.
int survivor_main(const ncclUniqueId& id) {
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  ncclComm_t communicator = nullptr;
  EXPECT_EQ(ncclCommInitRank(&communicator, 2, id, 0), ncclSuccess);
  cudaStream_t stream;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  {
    const DeviceArray<> data(std::vector<float>{1});
    EXPECT_EQ(ncclAllReduce(data.data(), data.data(), 1, ncclFloat, ncclSum, communicator, stream), ncclSuccess);
    ncclResult_t error = ncclSuccess;
    while (error == ncclSuccess) {
      EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
      EXPECT_EQ(ncclCommGetAsyncError(communicator, &error), ncclSuccess);
    }
    EXPECT_EQ(error, ncclRemoteError);
    EXPECT_EQ(ncclCommAbort(communicator), ncclSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }
  return testing::Test::HasFailure() ? 1 : 0;
}

/// Forks processes of one body each, and returns their statuses.
std::vector<int> statuses(const std::vector<std::function<int()>>& bodies) {
  std::vector<pid_t> processes;
  for (const auto& body : bodies) {
    const pid_t process = fork();
    if (process == 0) {
      setenv("MGBENCH_STAND_IN_DEVICES", "3", 1);
      const int status = body();
      std::fflush(nullptr);
      _exit(status);
    }
    processes.push_back(process);
  }
  std::vector<int> results;
  for (const pid_t process : processes) {
    int status = -1;
    waitpid(process, &status, 0);
    results.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return results;
}

ncclUniqueId fresh_id() {
  ncclUniqueId id;
  EXPECT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  return id;
}

// A program of their own: what has used a device cannot be forked.
TEST(NcclRanks, SumsOverProcesses) {
  const ncclUniqueId id = fresh_id();
  EXPECT_EQ(
      statuses({[&] { return rank_main(0, id); }, [&] { return rank_main(1, id); }, [&] { return rank_main(2, id); }}),
      (std::vector<int>{0, 0, 0}));
}

TEST(NcclRanks, SaysThatAPeerIsGoneAndEndsByAbort) {
  const ncclUniqueId id = fresh_id();
  const auto leaver = [&] {
    ncclComm_t communicator = nullptr;
    EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(ncclCommInitRank(&communicator, 2, id, 1), ncclSuccess);
    return 0;
  };
  EXPECT_EQ(statuses({leaver, [&] { return survivor_main(id); }}), (std::vector<int>{0, 0}));
}

TEST(NcclRanks, RefusesTwoRanksOnOneDevice) {
  const ncclUniqueId id = fresh_id();
  const auto rank = [&](int own) {
    ncclComm_t communicator = nullptr;
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    const ncclResult_t result = ncclCommInitRank(&communicator, 2, id, own);
    return communicator == nullptr ? static_cast<int>(result) : -1;
  };
  EXPECT_EQ(statuses({[&] { return rank(0); }, [&] { return rank(1); }}), std::vector<int>(2, ncclInvalidUsage));
}

}  // namespace
