#pragma once

#include "bench/communicator.h"

namespace mgbench {

/// The data plane of iterations without messages.
class NoCommunication final : public Communicator {
 public:
  void prepare(std::size_t) override {}
  void start(const Message&, const GradientView&, const Event&) override {}
  Event join() override { return {}; }
  std::span<const MessageTimes> spans() const override { return {}; }
};

}  // namespace mgbench
