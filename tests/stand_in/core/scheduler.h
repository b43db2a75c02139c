#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <random>
#include <thread>
#include <vector>

struct CUstream_st;

namespace stand_in {

using Stream = CUstream_st;

/// One recording of an event: what later waits and timings refer to.
struct Record {
  Stream* stream;
  bool captured = false;  // never executed: what it orders is in a graph
  bool executed = false;
  std::chrono::steady_clock::time_point time{};
};

/// One piece of work in a stream.
struct Operation {
  std::function<void()> run;
  /// The stream that has to go on before this may run; null: none. Its own stream: it waits for something outside of
  /// the process. Called when the operation is the first of its stream.
  std::function<Stream*()> blocker{};
  bool on_host = false;  // runs without the lock, and without the device's memory
  bool awaited = false;  // by other threads or processes, which do not wait by a call of this one
  std::uint64_t number = 0;
};

/// What goes into a stream while it is captured, instead of being run.
struct Capture {
  bool relaxed;  // permits calls that might not be safe
  std::thread::id thread;
  bool invalid = false;
  std::vector<Operation> operations{};
};

}  // namespace stand_in

/// The runtime's opaque type of a stream.
struct CUstream_st {
  std::deque<stand_in::Operation> queue{};
  bool is_default = false;  // the legacy default stream
  bool blocking = true;     // orders itself with the default stream
  int priority = 0;
  bool running = false;
  bool destroyed = false;
  std::unique_ptr<stand_in::Capture> capture{};
};

namespace stand_in {

/// Runs the operations of all streams, one at a time, in an order that streams and events allow and nothing else
/// decides. Calls need the lock (core/lock.h).
class Scheduler {
 public:
  Scheduler();

  Stream* create(bool blocking, int priority);
  void destroy(Stream& stream);  // what it holds still runs
  /// The stream of a handle, 0 for the default one; null where there is no such stream.
  Stream* find(Stream* handle);

  void enqueue(Stream& stream, Operation operation);
  void enqueue(Stream& stream, std::function<void()> run) { enqueue(stream, Operation{std::move(run)}); }
  std::shared_ptr<Record> record(Stream& stream);
  void wait(Stream& stream, std::shared_ptr<Record> record);

  /// A stream that is being captured and for which `matters` holds; null: none.
  Stream* captured(const std::function<bool(const Stream&)>& matters);

  void synchronize(Stream& stream);
  void synchronize(const Record& record);
  void synchronize_all();
  /// A few operations, as they go on while a program asks again and again.
  void advance(Stream& target);

 private:
  Stream* blocker(Stream& stream);
  Stream* next(Stream* target);
  Stream* any();
  void execute(Stream& stream);
  void forget_finished();
  void help();
  void run_until(const std::function<bool()>& done, const std::function<Stream*()>& target);
  std::size_t draw(std::size_t below);

  std::list<Stream> streams_;  // the first is the default stream
  std::uint64_t enqueued_ = 0;
  std::mt19937_64 random_;
  Stream* favourite_ = nullptr;
  std::uint64_t calls_ = 0;
  bool helped_ = false;  // by a thread that goes on while the program makes no call
};

Scheduler& scheduler();

/// Whether this thread runs a function that the program gave to cudaLaunchHostFunc, which must not call CUDA.
bool in_host_function();

}  // namespace stand_in
