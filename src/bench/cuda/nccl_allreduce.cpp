#include "bench/cuda/nccl_allreduce.h"

#include <algorithm>
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

std::string nccl_id() {
  ncclUniqueId id{};
  check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  return {id.internal, sizeof id.internal};
}

NcclAllreduce::NcclAllreduce(CudaDevice& device, const NcclPlace& place)
    : device_(device), exceptions_(std::uncaught_exceptions()) {
  ncclUniqueId id{};
  std::memcpy(id.internal, place.id.data(), std::min(sizeof id.internal, place.id.size()));
  check(ncclCommInitRank(&communicator_, place.ranks, id, place.rank), "ncclCommInitRank");
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
