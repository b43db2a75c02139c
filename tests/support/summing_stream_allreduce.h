#pragma once

#include <mpi.h>

#include <functional>
#include <utility>
#include <vector>

#include "bench/communicators/half_precision.h"
#include "bench/gpu/stream_allreduce.h"
#include "bench/mpi/process_group.h"
#include "support/virtual_device.h"

namespace mgbench {

/// Sums over the ranks in a virtual device's memory, which is the host's, and takes the time that it is told to.
class SummingStreamAllreduce final : public StreamAllreduce {
 public:
  SummingStreamAllreduce(VirtualDevice& device, const ProcessGroup& group, std::function<Seconds(Bytes)> time)
      : device_(device), group_(group.handle()), time_(std::move(time)) {}

  void enqueue(Stream stream, const GradientView& gradients) override {
    const Bytes bytes = static_cast<Bytes>(gradients.count) * size_of(gradients.type);
    device_.run(stream, "allreduce", time_(bytes), {{gradients.data, bytes, true}});
    if (gradients.type == ElementType::float32) return sum(static_cast<float*>(gradients.data), gradients.count);
    std::vector<float> values(gradients.count);
    widen(gradients.type, gradients.data, values.size(), values.data());
    sum(values.data(), values.size());
    narrow(gradients.type, values.data(), values.size(), gradients.data);
  }
  void health() override {}

 private:
  void sum(float* values, std::size_t count) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_FLOAT, MPI_SUM, group_.handle()),
              "MPI_Allreduce");
  }

  VirtualDevice& device_;
  ProcessGroup group_;
  std::function<Seconds(Bytes)> time_;
};

}  // namespace mgbench
