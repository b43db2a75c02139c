// mgbench with one more backend and one more communicator, both called 'faulty', in which MGBENCH_FAULT plants a fault:
//
//   MGBENCH_FAULT="ACTION RANK PLACE COUNT DOING"
//
// happens on RANK (-1: on all) at the COUNT-th time at which PLACE is reached while activity() begins with DOING.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "bench/clock.h"
#include "bench/command_line.h"
#include "bench/communicators/background_communicator.h"
#include "bench/communicators/nonblocking_carrier.h"
#include "bench/launch/launcher.h"
#include "bench/network.h"
#include "bench/watch/activity.h"

namespace mgbench {
namespace {

void sleep(Seconds seconds) {
  std::this_thread::sleep_for(std::chrono::duration<Seconds>(seconds));
}

/// Stopped for six seconds, as by a scheduler.
void suspend() {
  const pid_t parent = getpid();
  if (fork() == 0) {
    ::sleep(6);
    kill(parent, SIGCONT);
    _exit(0);
  }
  std::raise(SIGSTOP);
}

/// From "PID (NAME) STATE PARENT ...".
pid_t parent_of(pid_t process) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), text);
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  char state = 0;
  pid_t parent = 0;
  fields >> state >> parent;
  return parent;
}

/// No file can grow beyond so many bytes from now on.
void limit_files(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

class Fault {
 public:
  Fault() {
    if (const char* text = std::getenv("MGBENCH_FAULT")) {
      std::istringstream words(text);
      words >> action_ >> rank_ >> place_ >> count_ >> std::ws;
      std::getline(words, doing_);
    }
    const auto launcher = find_launcher(std::getenv);
    here_ = launcher && (rank_ == -1 || launcher->rank == rank_);
  }

  void reached(const char* place) {
    if (!here_ || place_ != place || activity().read().doing.rfind(doing_, 0) != 0) return;
    if (++reached_ == count_) happen();
    if (action_ == "slow" && reached_ >= count_) sleep(2e-3);
  }

  /// Whether messages take longer than they may from now on.
  bool overruns() const { return action_ == "overrun" && reached_ >= count_; }

 private:
  void happen() const {
    if (action_ == "kill") std::raise(SIGKILL);
    if (action_ == "stop") std::raise(SIGSTOP);
    if (action_ == "suspend") suspend();
    if (action_ == "exit") std::_Exit(0);
    if (action_ == "orphan") kill(getppid(), SIGKILL);
    if (action_ == "ask") kill(parent_of(getppid()), SIGINT);
    if (action_ == "hang")
      for (;;) sleep(1);
    if (action_ == "throw") throw std::runtime_error("a planted fault");
    if (action_ == "exhaust") throw std::bad_alloc();
    if (action_ == "SIGTERM") std::raise(SIGTERM);
    if (action_ == "SIGINT") std::raise(SIGINT);
    if (action_ == "SIGUSR1") std::raise(SIGUSR1);
    if (action_ == "twice") {
      std::raise(SIGTERM);
      sleep(1.2);
      std::raise(SIGTERM);
    }
    if (action_ == "vanish") std::filesystem::remove_all("results");
    if (action_ == "full") {
      std::signal(SIGXFSZ, SIG_IGN);
      limit_files(1000);
    }
    if (action_ == "die-writing") {
      std::signal(SIGXFSZ, SIG_DFL);
      limit_files(1000);
    }
  }

  std::string action_;
  int rank_ = -2;
  std::string place_;
  int count_ = 1;
  std::string doing_;
  bool here_ = false;
  std::atomic<int> reached_ = 0;
};

Fault& fault() {
  static Fault the_fault;
  return the_fault;
}

/// The network that it is given. Its times change from round to round, so that no run ends early for being certain.
class FaultyNetwork final : public Network {
 public:
  explicit FaultyNetwork(std::unique_ptr<Network> network) : network_(std::move(network)) {}
  ~FaultyNetwork() override {
    if (std::uncaught_exceptions() > 0) fmt::print(stderr, "gradients are gone while messages may be in flight\n");
  }

  void forward(std::size_t step) override {
    if (step == 0) fault().reached("iteration");
    fault().reached("forward");
    network_->forward(step);
  }
  void backward(std::size_t step) override {
    fault().reached("backward");
    network_->backward(step);
  }
  void update() override {
    fault().reached("update");
    const std::string doing = activity().read().doing;
    const std::size_t round = doing.find("round ");
    if (round != std::string::npos && std::atoi(doing.c_str() + round + 6) % 2 == 1) sleep(200e-6);
    network_->update();
  }
  GradientView gradients(ByteRange range) override { return network_->gradients(range); }
  Event record() override { return network_->record(); }
  void wait(const Event& event) override { network_->wait(event); }
  Mark mark() override { return network_->mark(); }
  void synchronize() override { network_->synchronize(); }
  Seconds seconds(Mark mark) const override { return network_->seconds(mark); }
  const Profile& outline() const override { return network_->outline(); }
  double loss() const override { return network_->loss(); }
  NetworkState save() const override { return network_->save(); }
  void restore(const NetworkState& state) override { network_->restore(state); }
  std::vector<float> plain_parameters() const override { return network_->plain_parameters(); }
  void set_plain_parameters(std::span<const float> values) override { network_->set_plain_parameters(values); }
  std::vector<float> plain_gradients() const override { return network_->plain_gradients(); }

 private:
  std::unique_ptr<Network> network_;
};

/// In the communication thread.
class FaultyCarrier final : public Carrier {
 public:
  explicit FaultyCarrier(std::unique_ptr<Carrier> carrier) : carrier_(std::move(carrier)) {}
  void carry(const GradientView& gradients, MessageTimes& times) override {
    fault().reached("carry");
    carrier_->carry(gradients, times);
  }
  std::size_t overruns() const override { return fault().overruns() ? 1 : 0; }

 private:
  std::unique_ptr<Carrier> carrier_;
};

void add_faulty_backend() {
  BackendEntry entry = backends().find("onednn");
  entry.name = "faulty";
  entry.make = [make = entry.make](const NetworkRequest& request) -> std::unique_ptr<Network> {
    fault().reached("build");
    return std::make_unique<FaultyNetwork>(make(request));
  };
  backends().add(std::move(entry));
}

void add_faulty_communicator() {
  CommunicatorEntry entry = communicators().find("mpi-async");
  entry.name = "faulty";
  entry.make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
    return std::make_unique<BackgroundCommunicator>(
        *request.clock,
        std::make_unique<FaultyCarrier>(std::make_unique<NonblockingCarrier>(*request.group, *request.clock)));
  };
  communicators().add(std::move(entry));
}

}  // namespace
}  // namespace mgbench

/// Takes the place of the C library's for the whole program: every file that is written comes here.
extern "C" int fsync(int descriptor) {
  mgbench::fault().reached("fsync");
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

int main(int argc, char** argv) {
  mgbench::fault().reached("main");
  mgbench::add_faulty_backend();
  mgbench::add_faulty_communicator();
  return mgbench::run_command_line(argc, argv);
}
