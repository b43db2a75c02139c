#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bench/clock.h"
#include "bench/gpu/device.h"
#include "support/race_detector.h"
#include "support/virtual_capture.h"

namespace mgbench {

/// A device in virtual time, or in that of any clock: work enqueued on a stream takes the time that it is told to. Its
/// memory is the host's, and what is enqueued is done to it at once, in the order of enqueuing (one of the orders that
/// a device might take, if nothing races). What may race is found by who has waited for whom.
class VirtualDevice final : public Device {
 public:
  /// A copy takes `copy_latency` and `copy_rate` a byte.
  explicit VirtualDevice(Clock& clock, Seconds copy_latency = 0, double copy_rate = 0)
      : clock_(clock), copy_latency_(copy_latency), copy_rate_(copy_rate) {}

  Stream make_stream(bool) override {
    const std::scoped_lock lock(mutex_);
    streams_.push_back({.actor = actors_++});
    return {streams_.size() - 1};
  }

  Event record(Stream stream) override {
    const std::scoped_lock lock(mutex_);
    events_.emplace_back();
    const Event event{events_.size()};
    if (capture_) {
      capture_->record(stream, event, [this, event](VirtualQueue& queue) { record_on(queue, event); });
    } else {
      record_on(streams_.at(stream.id), event);
    }
    return event;
  }

  void wait(Stream stream, const Event& event) override {
    const std::scoped_lock lock(mutex_);
    if (event.id == 0) return;
    if (capture_) {
      capture_->wait(stream, event, [this, event](VirtualQueue& queue) { wait_on(queue, event); });
    } else {
      wait_on(streams_.at(stream.id), event);
    }
  }

  std::unique_ptr<Graph> capture(Stream stream, const std::function<void()>& enqueue) override {
    auto capture = std::make_unique<VirtualCapture>(stream);
    capture_ = capture.get();
    enqueue();
    capture_ = nullptr;
    capture->require_joined();
    return std::make_unique<VirtualGraph>(*capture, [this, stream](const std::vector<VirtualCapture::Step>& steps) {
      const std::scoped_lock lock(mutex_);
      replay(steps, streams_.at(stream.id));
    });
  }

  void synchronize(const Event& event) override {
    std::unique_lock lock(mutex_);
    for (const auto& watch : watches_)
      if (const auto health = watch.lock()) (*health)();
    if (event.id == 0) return;
    const Point point = events_.at(event.id - 1);
    thread().knowledge.learn(point.knowledge);
    lock.unlock();
    clock_.sleep_until(point.time);
  }

  Seconds seconds(const Event& event) const override {
    const std::scoped_lock lock(mutex_);
    const Seconds time = events_.at(event.id - 1).time;
    require(time <= clock_.now(), "the time of an event was read before it was reached");
    return time;
  }

  std::shared_ptr<void> allocate(Bytes bytes) override { return memory(bytes); }
  std::shared_ptr<void> allocate_host(Bytes bytes) override { return memory(bytes); }

  void copy(Stream stream, void* to, const void* from, Bytes bytes) override {
    require(capture_ == nullptr, "copies are not captured");
    run(stream, "copy", copy_latency_ + copy_rate_ * static_cast<double>(bytes), {{from, bytes}, {to, bytes, true}});
    const std::scoped_lock lock(mutex_);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }

  std::shared_ptr<void> watch(std::function<void()> health) override {
    const auto watch = std::make_shared<std::function<void()>>(std::move(health));
    const std::scoped_lock lock(mutex_);
    watches_.push_back(watch);
    return watch;
  }

  /// Work on a stream.
  void run(Stream stream, const std::string& what, Seconds duration, const std::vector<Access>& accesses) {
    const std::scoped_lock lock(mutex_);
    const auto work = [=, this](VirtualQueue& queue) {
      queue.free = std::max(queue.free, clock_.now()) + duration;
      queue.knowledge.learn(thread().knowledge);
      act(what, accesses, queue.actor, queue.knowledge);
    };
    if (capture_) {
      capture_->run(stream, work);
    } else {
      work(streams_.at(stream.id));
    }
  }

  /// Work of the calling thread.
  void touch(const std::string& what, const std::vector<Access>& accesses) {
    const std::scoped_lock lock(mutex_);
    Host& host = thread();
    act(what, accesses, host.actor, host.knowledge);
  }

  /// The calling thread has waited for all others, by other means than the device's.
  void meet_threads() {
    const std::scoped_lock lock(mutex_);
    Host& own = thread();
    for (const auto& [id, host] : threads_) own.knowledge.learn(host.knowledge);
  }

  std::vector<std::string> races() const {
    const std::scoped_lock lock(mutex_);
    return {detector_.races().begin(), detector_.races().end()};
  }

 private:
  struct Host {
    std::size_t actor = 0;
    Knowledge knowledge;
  };
  struct Point {
    Seconds time = 0;
    Knowledge knowledge;
  };

  Host& thread() {
    const auto [host, is_new] = threads_.try_emplace(std::this_thread::get_id());
    if (is_new) host->second.actor = actors_++;
    return host->second;
  }

  void record_on(const VirtualQueue& queue, const Event& event) {
    Point& point = events_.at(event.id - 1);
    point.time = std::max(queue.free, clock_.now());
    point.knowledge = queue.knowledge;
    point.knowledge.learn(thread().knowledge);
  }

  void wait_on(VirtualQueue& queue, const Event& event) {
    const Point& point = events_.at(event.id - 1);
    queue.free = std::max(queue.free, point.time);
    queue.knowledge.learn(point.knowledge);
  }

  /// All streams but that of the launch are new: what they held before a launch is no order in it.
  void replay(const std::vector<VirtualCapture::Step>& steps, VirtualQueue& origin) {
    origin.knowledge.learn(thread().knowledge);
    const VirtualQueue at_launch = origin;
    std::map<std::size_t, VirtualQueue> others;
    for (const VirtualCapture::Step& step : steps) {
      VirtualQueue* queue = &origin;
      if (step.stream) {
        const auto [other, is_new] = others.try_emplace(*step.stream, at_launch);
        if (is_new) other->second.actor = actors_++;
        queue = &other->second;
      }
      step.work(*queue);
    }
    for (const auto& [stream, other] : others) {
      origin.free = std::max(origin.free, other.free);
      origin.knowledge.learn(other.knowledge);
    }
  }

  void act(const std::string& what, const std::vector<Access>& accesses, std::size_t actor, Knowledge& knowledge) {
    const std::uint64_t step = knowledge.step(actor);
    for (const Access& access : accesses) detector_.access(what, access, actor, step, knowledge);
  }

  std::shared_ptr<void> memory(Bytes bytes) {
    return {::operator new(static_cast<std::size_t>(bytes)), [this, bytes](void* memory) {
              const std::scoped_lock lock(mutex_);
              detector_.forget(memory, bytes);
              ::operator delete(memory);
            }};
  }

  Clock& clock_;
  const Seconds copy_latency_;
  const double copy_rate_;
  mutable std::mutex mutex_;  ///< guards all that follows
  std::size_t actors_ = 0;
  std::vector<VirtualQueue> streams_;
  VirtualCapture* capture_ = nullptr;  ///< right now
  std::map<std::thread::id, Host> threads_;
  std::vector<Point> events_;
  std::vector<std::weak_ptr<std::function<void()>>> watches_;
  RaceDetector detector_;
};

}  // namespace mgbench
