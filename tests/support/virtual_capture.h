#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bench/gpu/device.h"
#include "support/race_detector.h"

namespace mgbench {

/// A stream of a virtual device.
struct VirtualQueue {
  std::size_t actor = 0;
  Seconds free = 0;  ///< when all that was enqueued has ended
  Knowledge knowledge;
};

/// What is enqueued on a virtual device while it captures, with CUDA's rules: a stream is drawn in by waiting for an
/// event of the capture, nothing waits for what is outside, and the first stream has waited for all others in the end.
class VirtualCapture {
 public:
  using Work = std::function<void(VirtualQueue&)>;
  struct Step {
    std::optional<std::size_t> stream;  ///< none: the first one
    Work work;
  };

  explicit VirtualCapture(Stream origin) : origin_(origin) { known_[origin.id]; }

  void run(Stream stream, Work work) {
    require(known_.contains(stream.id), "what is enqueued on a stream outside of the capture is not captured");
    known_[stream.id].step(stream.id);
    keep(stream, std::move(work));
  }
  void record(Stream stream, const Event& event, Work work) {
    run(stream, std::move(work));
    events_[event.id] = known_[stream.id];
  }
  void wait(Stream stream, const Event& event, Work work) {
    const auto found = events_.find(event.id);
    require(found != events_.end(), "what is captured waits for an event outside of the capture");
    known_[stream.id].learn(found->second);
    keep(stream, std::move(work));
  }
  void require_joined() {
    for (auto& [stream, knowledge] : known_)
      require(stream == origin_.id || known_[origin_.id].knows(stream, knowledge.step(stream) - 1),
              "a stream of the capture was not joined");
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void keep(Stream stream, Work work) {
    steps_.push_back({stream.id == origin_.id ? std::nullopt : std::optional(stream.id), std::move(work)});
  }

  Stream origin_;
  std::map<std::size_t, Knowledge> known_;     ///< by stream: of the steps of others
  std::map<std::uint64_t, Knowledge> events_;  ///< recorded in the capture
  std::vector<Step> steps_;
};

class VirtualGraph final : public Graph {
 public:
  using Replay = std::function<void(const std::vector<VirtualCapture::Step>&)>;
  VirtualGraph(const VirtualCapture& capture, Replay replay) : steps_(capture.steps()), replay_(std::move(replay)) {}
  void launch() override { replay_(steps_); }

 private:
  std::vector<VirtualCapture::Step> steps_;
  Replay replay_;
};

}  // namespace mgbench
