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

struct Capture;

/// One recording of an event: what later waits and timings refer to.
struct Record {
  Stream* stream;
  std::shared_ptr<Capture> capture{};  // never executed: what it orders is in a graph
  std::vector<std::size_t> front{};    // of the stream in the capture
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

/// Makes an operation of a stream anew each time that it is to run.
using Maker = std::function<Operation(Stream&)>;

/// Work as it was captured. What one stream captured is a lane, and runs in order.
struct Graph {
  struct Node {
    Maker make;
    std::size_t lane;
    std::vector<std::size_t> after;  // nodes before it, of any lane
  };
  std::vector<Node> nodes{};
  std::size_t lanes = 0;
};

/// Which calls that might not be safe it forbids: everyone's, those of its own thread, none.
enum class CaptureMode { kGlobal, kThreadLocal, kRelaxed };

/// What goes into streams while they are captured, instead of being run.
struct Capture {
  CaptureMode mode;
  std::thread::id thread;
  Stream* origin;
  bool invalid = false;
  bool ended = false;
  Graph graph{};
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
  std::shared_ptr<stand_in::Capture> capture{};  // that it takes part in, as what lane, and the nodes that go before
  std::size_t lane = 0;                          // what comes next
  std::vector<std::size_t> front{};
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
  /// For what is not the same each time that it runs.
  void enqueue(Stream& stream, Maker make);
  std::shared_ptr<Record> record(Stream& stream);
  /// Of a captured event: the stream takes part in that capture, which must be its own if it has one.
  void wait(Stream& stream, std::shared_ptr<Record> record);

  void begin(Stream& stream, CaptureMode mode);
  /// Ends the capture that began at `stream` in all streams that take part.
  std::shared_ptr<Capture> end(Stream& stream);
  /// A stream that is being captured and for which `matters` holds; null: none.
  Stream* captured(const std::function<bool(const Stream&)>& matters);
  /// All of a graph after what the stream holds, and before what comes: its lanes beside each other.
  void launch(const Graph& graph, Stream& stream);

  void synchronize(Stream& stream);
  void synchronize(const Record& record);
  void synchronize_all();
  /// A few operations, as they go on while a program asks again and again.
  void advance(Stream& target);

 private:
  void capture(Stream& stream, Maker make);
  void enter(Stream& stream, std::shared_ptr<Capture> capture);
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
