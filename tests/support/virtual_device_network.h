#pragma once

#include <utility>
#include <vector>

#include "bench/gpu/stream_allreduce.h"
#include "support/fake_network.h"
#include "support/virtual_device.h"

namespace mgbench {

/// A network whose calls enqueue on one stream of a virtual device and return at once: backward writes a step's
/// gradients, the update reads them all and writes the parameters, forward reads those.
class VirtualDeviceNetwork : public FakeNetwork {
 public:
  VirtualDeviceNetwork(Profile profile, VirtualDevice& device)
      : FakeNetwork(std::move(profile)), device_(device), ranges_(steps()), parameters_(steps()) {
    Bytes offset = 0;
    for (std::size_t index = steps(); index-- > 0;) {
      ranges_[index].begin = offset;
      for (const Tensor& tensor : step(index).tensors) offset += tensor.bytes;
      ranges_[index].end = offset;
    }
  }

  void forward(std::size_t index) override { forward_on(stream_, index); }
  /// A network that computes on several streams could err.
  void forward_on(Stream stream, std::size_t index) {
    device_.run(stream, "forward", step(index).forward, {{&parameters_[index], 1}});
  }

  void backward(std::size_t index) override {
    const GradientView view = gradients(ranges_[index]);
    device_.run(stream_, "backward", step(index).backward,
                {{&parameters_[index], 1}, {view.data, ranges_[index].size(), true}});
  }

  void update() override {
    const GradientView view = gradients({0, outline().bytes()});
    device_.run(stream_, "update", update_time(),
                {{view.data, outline().bytes()}, {parameters_.data(), static_cast<Bytes>(parameters_.size()), true}});
  }

  GradientView gradients(ByteRange range) override {
    GradientView view = FakeNetwork::gradients(range);
    view.space = MemorySpace::device;
    return view;
  }

  Event record() override { return device_.record(stream_); }
  void wait(const Event& event) override { device_.wait(stream_, event); }
  Mark mark() override { return {static_cast<std::int64_t>(record().id)}; }
  void synchronize() override { device_.synchronize(record()); }
  std::unique_ptr<Graph> capture(const std::function<void()>& enqueue) override {
    return device_.capture(stream_, enqueue);
  }
  Seconds seconds(Mark mark) const override { return device_.seconds({static_cast<std::uint64_t>(mark.value)}); }

 private:
  VirtualDevice& device_;
  Stream stream_ = device_.make_stream(false);
  std::vector<ByteRange> ranges_;  ///< of each step's gradients in the arena
  std::vector<char> parameters_;   ///< that stand for each step's
};

/// Takes the time of a cost model, and leaves the gradients as they are.
class VirtualStreamAllreduce final : public StreamAllreduce {
 public:
  VirtualStreamAllreduce(VirtualDevice& device, const CostModel& cost) : device_(device), cost_(cost) {}

  void enqueue(Stream stream, const GradientView& gradients) override {
    const Bytes bytes = static_cast<Bytes>(gradients.count) * size_of(gradients.type);
    device_.run(stream, "allreduce", cost_.time(Collective::allreduce, bytes), {{gradients.data, bytes, true}});
  }
  void health() override {}

 private:
  VirtualDevice& device_;
  const CostModel& cost_;
};

}  // namespace mgbench
