// Communicators, from their making to their end.
#include "nccl/communicator.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <thread>

#include "core/context.h"
#include "core/memory.h"
#include "core/settings.h"
#include "nccl/log.h"

namespace stand_in {

namespace {

constexpr const char* kPrefix = "/mgbench-stand-in-";

std::map<ncclComm_t, std::shared_ptr<Communicator>>& communicators() {
  static auto* all = new std::map<ncclComm_t, std::shared_ptr<Communicator>>;
  return *all;
}

std::string& last_error() {
  static auto* words = new std::string;
  return *words;
}

void let_others_go_on() {
  const Unlocked unlocked;
  std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Refuses two ranks on one device, as the library does.
void check_devices(Communicator& communicator) {
  Rendezvous& rendezvous = communicator.rendezvous;
  rendezvous.forget_name();
  for (int left = 0; left < rendezvous.size(); ++left) {
    for (int right = 0; right < left; ++right) {
      if (rendezvous.rank(left).device == rendezvous.rank(right).device) {
        communicator.last_error = "ranks " + std::to_string(right) + " and " + std::to_string(left) +
                                  " are both on device " + std::to_string(rendezvous.rank(left).device);
        throw Refusal<ncclResult_t>{ncclInvalidUsage, communicator.last_error};
      }
    }
  }
  communicator.ready = true;
}

void wait_for_all(Communicator& communicator) {
  while (!communicator.rendezvous.all_arrived()) {
    require(communicator.rendezvous.lost_process() == 0, ncclRemoteError, "a process of the communicator is gone");
    let_others_go_on();
  }
  check_devices(communicator);
}

void join(ncclComm_t* place, int ranks, const ncclUniqueId& id, int rank, bool blocking) {
  require_argument(place != nullptr, "comm is null");
  require_argument(ranks > 0 && ranks <= Rendezvous::kMostRanks, std::to_string(ranks) + " ranks");
  require_argument(rank >= 0 && rank < ranks, "rank " + std::to_string(rank) + " of " + std::to_string(ranks));
  require_argument(std::memcmp(id.internal, kPrefix, std::strlen(kPrefix)) == 0,
                   "an id that ncclGetUniqueId did not make");
  require(settings().devices > 0 && settings().driver_version >= 13000, ncclUnhandledCudaError,
          "no device, or a driver that is too old");
  const int device = thread_context().device;
  const auto communicator = std::make_shared<Communicator>(id.internal, ranks, rank, device, blocking);
  Rendezvous::Rank& own = communicator->rendezvous.rank(rank);
  require_argument(own.process == 0, "rank " + std::to_string(rank) + " is there already");
  own.device = device;
  own.process = getpid();
  communicators()[communicator.get()] = communicator;
  *place = communicator.get();
  if (!blocking) return;
  // Several ranks of one thread meet at the end of their group.
  when_group_ends([communicator, place] {
    try {
      wait_for_all(*communicator);
    } catch (const Refusal<ncclResult_t>&) {
      communicators().erase(communicator.get());
      *place = NCCL_COMM_NULL;
      throw;
    }
  });
}

void choose(Communicator& communicator, std::size_t bytes) {
  try {
    communicator.tuning.choose(bytes);
  } catch (const Refusal<ncclResult_t>& refusal) {
    communicator.last_error = last_error() = refusal.reason;
    throw;
  }
}

/// Everything that was issued has run.
void flush(Communicator& communicator) {
  if (!communicator.aborted && communicator.finished < communicator.issued) scheduler().synchronize_all();
}

}  // namespace

std::shared_ptr<Communicator> communicator_of(ncclComm_t handle) {
  const auto found = communicators().find(handle);
  require_argument(found != communicators().end(), "no such communicator");
  return found->second;
}

void fail(Communicator& communicator, ncclResult_t error, const std::string& reason) {
  if (communicator.error != ncclSuccess) return;
  communicator.error = error;
  communicator.last_error = last_error() = reason;
  std::fprintf(stderr, "stand-in: NCCL, rank %d: %s\n", communicator.rank, reason.c_str());
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  return call(__func__, [&] {
    require_argument(version != nullptr, "version is null");
    *version = NCCL_VERSION_CODE;
  });
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  return call(__func__, [&] {
    require_argument(id != nullptr, "uniqueId is null");
    unsigned long long number = 0;
    require(getrandom(&number, sizeof number, 0) == sizeof number, ncclSystemError, "no random numbers");
    info("BOOTSTRAP", "Bootstrap: Using lo:127.0.0.1<0>");
    *id = {};
    std::snprintf(id->internal, sizeof id->internal, "%s%016llx", kPrefix, number);
  });
}

ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank) {
  return call(__func__, [&] { join(communicator, ranks, id, rank, true); });
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  const bool blocking = config == nullptr || config->blocking != 0;
  const ncclResult_t result = call(__func__, [&] {
    const ncclConfig_t fresh = NCCL_CONFIG_INITIALIZER;
    require_argument(config == nullptr || (config->magic == fresh.magic && config->size == fresh.size),
                     "config was not made by NCCL_CONFIG_INITIALIZER");
    join(communicator, ranks, id, rank, blocking);
  });
  return result == ncclSuccess && !blocking ? ncclInProgress : result;
}

ncclResult_t ncclCommCount(ncclComm_t handle, int* count) {
  return call(__func__, [&] {
    require_argument(count != nullptr, "count is null");
    *count = communicator_of(handle)->rendezvous.size();
  });
}

ncclResult_t ncclCommUserRank(ncclComm_t handle, int* rank) {
  return call(__func__, [&] {
    require_argument(rank != nullptr, "rank is null");
    *rank = communicator_of(handle)->rank;
  });
}

ncclResult_t ncclCommCuDevice(ncclComm_t handle, int* device) {
  return call(__func__, [&] {
    require_argument(device != nullptr, "device is null");
    *device = communicator_of(handle)->device;
  });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t handle, ncclResult_t* error) {
  return call(__func__, [&] {
    require_argument(error != nullptr, "asyncError is null");
    const auto communicator = communicator_of(handle);
    if (!communicator->ready && communicator->error == ncclSuccess && communicator->rendezvous.all_arrived()) {
      try {
        check_devices(*communicator);
      } catch (const Refusal<ncclResult_t>& refusal) {
        fail(*communicator, refusal.status, refusal.reason);
      }
    }
    *error = communicator->error != ncclSuccess ? communicator->error
             : communicator->ready              ? ncclSuccess
                                                : ncclInProgress;
  });
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t handle, cudaStream_t stream) {
  return call(__func__, [&] {
    const auto communicator = communicator_of(handle);
    require_argument(!communicator->aborted && !communicator->finalized, "the communicator was ended");
    require(communicator->ready || in_group(), ncclInvalidUsage, "the communicator is not ready");
    require_argument(type >= 0 && type < ncclNumTypes, "no such type");
    require(sums(type) && operation == ncclSum, ncclInvalidUsage,
            "type " + std::to_string(type) + ", operation " + std::to_string(operation) + ": not in the stand-in");
    require_argument(scheduler().find(stream) != nullptr, "no such stream");
    const std::size_t bytes = count * bytes_of(type);
    for (const void* buffer : {from, static_cast<const void*>(to)}) {
      require_argument(memory().reachable_by_device(buffer, bytes), "a buffer is not within memory of the device");
    }
    const auto* first = static_cast<const std::byte*>(from);
    const auto* second = static_cast<const std::byte*>(to);
    require_argument(from == to || first + bytes <= second || second + bytes <= first, "the buffers overlap in part");
    when_group_ends([=] {
      Stream& where = *scheduler().find(stream);
      if (communicator->rendezvous.size() > 1) choose(*communicator, bytes);
      scheduler().enqueue(where, [=](Stream& each) { return allreduce(communicator, {from, to, count, type}, each); });
    });
  });
}

ncclResult_t ncclCommFinalize(ncclComm_t handle) {
  return call(__func__, [&] {
    if (handle == NCCL_COMM_NULL) return;
    const auto communicator = communicator_of(handle);
    require_argument(!communicator->finalized, "finalized before");
    flush(*communicator);
    communicator->finalized = true;
  });
}

// Waits for the others, so that none of them loses what it still reads.
ncclResult_t ncclCommDestroy(ncclComm_t handle) {
  return call(__func__, [&] {
    if (handle == NCCL_COMM_NULL) return;
    const auto communicator = communicator_of(handle);
    flush(*communicator);
    communicators().erase(handle);
    communicator->rendezvous.rank(communicator->rank).left = 1;
    while (communicator->error == ncclSuccess && !communicator->aborted && !communicator->rendezvous.all_left() &&
           communicator->rendezvous.lost_process() == 0) {
      let_others_go_on();
    }
  });
}

ncclResult_t ncclCommAbort(ncclComm_t handle) {
  return call(__func__, [&] {
    if (handle == NCCL_COMM_NULL) return;
    const auto communicator = communicator_of(handle);
    communicator->aborted = true;
    communicator->rendezvous.rank(communicator->rank).left = 1;
    communicators().erase(handle);
  });
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "a call of CUDA failed";
    case ncclSystemError:
      return "a call of the system failed";
    case ncclInternalError:
      return "internal error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclRemoteError:
      return "a remote process failed";
    case ncclInProgress:
      return "in progress";
    default:
      return "unknown result code";
  }
}

const char* ncclGetLastError(ncclComm_t) {
  return last_error().c_str();
}

}  // extern "C"
