#include "bench/cuda/nccl_allreduce.h"

#include <cstring>
#include <exception>

#include "bench/watch/activity.h"

namespace mgbench::cuda {
namespace {

void check(ncclResult_t result, const char* call) {
  if (result != ncclSuccess)
    fail(ExitCode::not_measured, "{}: {} ({})", call, ncclGetErrorString(result), ncclGetLastError(nullptr));
}

ncclDataType_t nccl_type(ElementType type) {
  if (type == ElementType::float16) return ncclFloat16;
  return type == ElementType::bfloat16 ? ncclBfloat16 : ncclFloat32;
}

}  // namespace

NcclAllreduce::NcclAllreduce(CudaDevice& device, ProcessGroup& group)
    : device_(device), exceptions_(std::uncaught_exceptions()) {
  ncclUniqueId id{};
  if (group.is_root()) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  std::string bytes(id.internal, sizeof id.internal);
  group.broadcast(bytes);
  std::memcpy(id.internal, bytes.data(), sizeof id.internal);
  check(ncclCommInitRank(&communicator_, group.size(), id, group.rank()), "ncclCommInitRank");
}

NcclAllreduce::~NcclAllreduce() {
  if (std::uncaught_exceptions() > exceptions_)
    ncclCommAbort(communicator_);
  else
    ncclCommDestroy(communicator_);
}

void NcclAllreduce::enqueue(Stream stream, const GradientView& gradients) {
  check(ncclAllReduce(gradients.data, gradients.data, gradients.count, nccl_type(gradients.type), ncclSum,
                      communicator_, device_.handle(stream)),
        "ncclAllReduce");
  activity().pass();
}

void NcclAllreduce::health() {
  ncclResult_t state = ncclSuccess;
  check(ncclCommGetAsyncError(communicator_, &state), "ncclCommGetAsyncError");
  if (state != ncclInProgress) check(state, "an allreduce of NCCL");
}

}  // namespace mgbench::cuda
