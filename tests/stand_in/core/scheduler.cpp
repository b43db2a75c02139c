#include "core/scheduler.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "core/lock.h"
#include "core/memory.h"
#include "core/settings.h"

namespace stand_in {

namespace {

thread_local bool host_function = false;

void let_others_go_on() {
  const Unlocked unlocked;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace

bool in_host_function() {
  return host_function;
}

Scheduler& scheduler() {
  static auto* one = new Scheduler;  // never destroyed: threads of the program may outlive static objects
  return *one;
}

Scheduler::Scheduler() : random_(settings().seed) {
  streams_.emplace_back().is_default = true;
}

Stream* Scheduler::create(bool blocking, int priority) {
  Stream& stream = streams_.emplace_back();
  stream.blocking = blocking;
  stream.priority = priority;
  return &stream;
}

void Scheduler::destroy(Stream& stream) {
  stream.destroyed = true;
  forget_finished();
}

Stream* Scheduler::find(Stream* handle) {
  const auto legacy = reinterpret_cast<Stream*>(1);  // cudaStreamLegacy
  if (handle == nullptr || handle == legacy) return &streams_.front();
  for (Stream& stream : streams_) {
    if (&stream == handle && !stream.destroyed) return &stream;
  }
  return nullptr;
}

void Scheduler::enqueue(Stream& stream, Operation operation) {
  if (stream.capture != nullptr) return capture(stream, [operation](Stream&) { return operation; });
  operation.number = ++enqueued_;
  ++calls_;
  if (operation.awaited && !helped_) {
    helped_ = true;
    std::thread([this] { help(); }).detach();
  }
  stream.queue.push_back(std::move(operation));

  std::size_t some = 0;
  if (settings().order == Order::kEager) some = SIZE_MAX;
  if (settings().order == Order::kRandom && draw(64) == 0) some = draw(128);  // seldom: opening memory takes time
  if (some == 0) return;
  const OpenMemory open;
  for (; some > 0; --some) {
    Stream* ready = any();
    if (ready == nullptr) break;
    execute(*ready);
  }
}

void Scheduler::enqueue(Stream& stream, Maker make) {
  if (stream.capture != nullptr) return capture(stream, std::move(make));
  enqueue(stream, make(stream));
}

void Scheduler::capture(Stream& stream, Maker make) {
  auto& nodes = stream.capture->graph.nodes;
  nodes.push_back({std::move(make), stream.lane, std::exchange(stream.front, {nodes.size()})});
}

std::shared_ptr<Record> Scheduler::record(Stream& stream) {
  auto record = std::make_shared<Record>(Record{&stream, stream.capture, stream.front});
  if (record->capture != nullptr) return record;
  enqueue(stream, [record] {
    record->time = std::chrono::steady_clock::now();
    record->executed = true;
  });
  return record;
}

void Scheduler::wait(Stream& stream, std::shared_ptr<Record> record) {
  if (record->capture != nullptr) {
    if (stream.capture == nullptr) enter(stream, record->capture);
    for (const std::size_t node : record->front) {
      if (std::find(stream.front.begin(), stream.front.end(), node) == stream.front.end()) stream.front.push_back(node);
    }
    return;
  }
  enqueue(stream, Operation{[] {}, [record] { return record->executed ? nullptr : record->stream; }});
}

void Scheduler::enter(Stream& stream, std::shared_ptr<Capture> capture) {
  stream.lane = capture->graph.lanes++;
  stream.capture = std::move(capture);
  stream.front.clear();
}

void Scheduler::begin(Stream& stream, CaptureMode mode) {
  enter(stream, std::make_shared<Capture>(Capture{mode, std::this_thread::get_id(), &stream}));
}

std::shared_ptr<Capture> Scheduler::end(Stream& stream) {
  const auto capture = stream.capture;
  capture->ended = true;
  for (Stream& other : streams_) {
    if (other.capture == capture) other.capture = nullptr;
  }
  return capture;
}

Stream* Scheduler::captured(const std::function<bool(const Stream&)>& matters) {
  for (Stream& stream : streams_) {
    if (stream.capture != nullptr && matters(stream)) return &stream;
  }
  return nullptr;
}

void Scheduler::launch(const Graph& graph, Stream& stream) {
  struct Progress {
    bool begun = false;
    std::vector<Stream*> unfinished;  // by node its lane; null: it has run
  };
  std::vector<Stream*> lanes;
  for (std::size_t i = 0; i < graph.lanes; ++i) lanes.push_back(create(false, stream.priority));
  const auto progress = std::make_shared<Progress>();
  for (const Graph::Node& node : graph.nodes) progress->unfinished.push_back(lanes[node.lane]);

  enqueue(stream, [progress] { progress->begun = true; });
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Stream& lane = *lanes[graph.nodes[i].lane];
    Operation operation = graph.nodes[i].make(lane);
    operation.blocker = [progress, after = graph.nodes[i].after, own = operation.blocker, &stream]() -> Stream* {
      if (!progress->begun) return &stream;
      for (const std::size_t node : after) {
        if (progress->unfinished[node] != nullptr) return progress->unfinished[node];
      }
      return own ? own() : nullptr;
    };
    enqueue(lane, std::move(operation));
    enqueue(lane, [progress, i] { progress->unfinished[i] = nullptr; });
  }
  enqueue(stream, Operation{[] {},
                            [progress]() -> Stream* {
                              const auto& nodes = progress->unfinished;
                              const auto left = std::find_if(nodes.begin(), nodes.end(), [](Stream* l) { return l; });
                              return left == nodes.end() ? nullptr : *left;
                            }});
  for (Stream* lane : lanes) destroy(*lane);
}

void Scheduler::synchronize(Stream& stream) {
  const std::uint64_t last = enqueued_;
  run_until([&] { return stream.queue.empty() || stream.queue.front().number > last; }, [&] { return &stream; });
}

void Scheduler::synchronize(const Record& record) {
  run_until([&] { return record.executed; }, [&] { return record.stream; });
}

void Scheduler::synchronize_all() {
  const std::uint64_t last = enqueued_;
  const auto unfinished = [&]() -> Stream* {
    for (Stream& stream : streams_) {
      if (!stream.queue.empty() && stream.queue.front().number <= last) return &stream;
    }
    return nullptr;
  };
  run_until([&] { return unfinished() == nullptr; }, unfinished);
}

void Scheduler::advance(Stream& target) {
  ++calls_;
  const OpenMemory open;
  const std::size_t some = settings().order == Order::kRandom ? draw(64) : 32;
  for (std::size_t i = 0; i < some; ++i) {
    Stream* ready = next(&target);
    if (ready == nullptr) return;
    execute(*ready);
  }
}

/// What keeps the stream's first operation from running.
Stream* Scheduler::blocker(Stream& stream) {
  if (stream.running) return &stream;
  const std::uint64_t number = stream.queue.front().number;
  if (stream.is_default) {
    for (Stream& other : streams_) {
      if (other.blocking && !other.queue.empty() && other.queue.front().number < number) return &other;
    }
  } else if (stream.blocking) {
    Stream& legacy = streams_.front();
    if (!legacy.queue.empty() && legacy.queue.front().number < number) return &legacy;
  }
  return stream.queue.front().blocker ? stream.queue.front().blocker() : nullptr;
}

/// A stream that may go on: late, one that the target waits for; else any. Null: all wait for something outside.
Stream* Scheduler::next(Stream* target) {
  if (settings().order == Order::kLate && target != nullptr && !target->queue.empty()) {
    for (Stream* candidate = target;;) {
      Stream* before = blocker(*candidate);
      if (before == nullptr) return candidate;
      if (before == candidate) break;
      candidate = before;
    }
  }
  return any();
}

Stream* Scheduler::any() {
  std::vector<Stream*> ready;
  for (Stream& stream : streams_) {
    if (!stream.queue.empty() && blocker(stream) == nullptr) ready.push_back(&stream);
  }
  if (ready.empty()) return nullptr;
  // Bursts: one stream runs far ahead of the others, as devices do.
  if (std::find(ready.begin(), ready.end(), favourite_) == ready.end() || draw(16) == 0) {
    favourite_ = ready[draw(ready.size())];
  }
  return favourite_;
}

void Scheduler::execute(Stream& stream) {
  Operation& operation = stream.queue.front();  // stays where it is while others are appended
  stream.running = true;
  if (operation.on_host) {
    memory().close();
    {
      const Unlocked unlocked;
      host_function = true;
      operation.run();
      host_function = false;
    }
    memory().open();
  } else {
    operation.run();
  }
  stream.running = false;
  stream.queue.pop_front();
  if (stream.destroyed) forget_finished();
}

void Scheduler::forget_finished() {
  streams_.remove_if([](const Stream& stream) { return stream.destroyed && stream.queue.empty(); });
}

/// Runs what there is whenever the program has made no call for a while.
void Scheduler::help() {
  for (std::uint64_t seen = 0;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (;;) {
      const Locked locked;
      if (std::exchange(seen, calls_) != calls_) break;
      const OpenMemory open;
      Stream* ready = any();
      if (ready == nullptr) break;
      execute(*ready);
    }
  }
}

void Scheduler::run_until(const std::function<bool()>& done, const std::function<Stream*()>& target) {
  ++calls_;
  const OpenMemory open;
  while (!done()) {
    if (Stream* ready = next(target())) {
      execute(*ready);
    } else {
      let_others_go_on();
    }
  }
}

std::size_t Scheduler::draw(std::size_t below) {
  return random_() % below;
}

}  // namespace stand_in
