#pragma once

#include <memory>
#include <string>

#include "core/scheduler.h"
#include "nccl/call.h"
#include "nccl/rendezvous.h"
#include "nccl/tuning.h"

/// The library's opaque type. Operations in streams keep it alive.
struct ncclComm {
  ncclComm(const std::string& name, int ranks, int own_rank, int own_device, bool blocks)
      : rendezvous(name, ranks), rank(own_rank), device(own_device), blocking(blocks), tuning(own_rank) {}

  stand_in::Rendezvous rendezvous;
  int rank;
  int device;
  bool blocking;
  stand_in::Tuning tuning;
  bool ready = false;  // all ranks are there
  bool finalized = false;
  bool aborted = false;
  ncclResult_t error = ncclSuccess;  // that came up after the calls
  std::string last_error{};
  std::uint64_t issued = 0, finished = 0;  // operations
  std::uint64_t round = 1;                 // of the rendezvous
};

namespace stand_in {

using Communicator = ncclComm;

std::shared_ptr<Communicator> communicator_of(ncclComm_t handle);

/// Says loudly what went wrong, once.
void fail(Communicator& communicator, ncclResult_t error, const std::string& reason);

/// A sum over the ranks as an operation of a stream.
struct Allreduce {
  const void* from;
  void* to;
  std::size_t count;
  ncclDataType_t type;
};
bool sums(ncclDataType_t type);
std::size_t bytes_of(ncclDataType_t type);
Operation allreduce(std::shared_ptr<Communicator> communicator, const Allreduce& message, Stream& stream);

/// Puts off what is called between ncclGroupStart and ncclGroupEnd.
bool in_group();
void when_group_ends(std::function<void()> action);

}  // namespace stand_in
