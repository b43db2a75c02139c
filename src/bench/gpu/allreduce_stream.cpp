#include "bench/gpu/allreduce_stream.h"

#include <exception>
#include <utility>

#include "base/error.h"
#include "bench/gpu/left_behind.h"

namespace mgbench {

AllreduceStream::AllreduceStream(Device& device, std::unique_ptr<StreamAllreduce> allreduce)
    : device_(device),
      allreduce_(std::move(allreduce)),
      watch_(device.watch([this] { allreduce_->health(); })),
      stream_(device, true),
      exceptions_(std::uncaught_exceptions()) {}

AllreduceStream::~AllreduceStream() {
  if (std::uncaught_exceptions() > exceptions_) return;
  try {
    device_.synchronize(record());
  } catch (const Error&) {
    leave_behind(std::move(allreduce_));
  }
}

}  // namespace mgbench
