#include "nccl/rendezvous.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "nccl/call.h"

namespace stand_in {

namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

constexpr std::size_t kHeader = 8192;
static_assert(sizeof(Rendezvous::Rank) * Rendezvous::kMostRanks <= kHeader);

template <class Test>
bool all(const Rendezvous::Rank* ranks, int size, Test test) {
  return std::all_of(ranks, ranks + size, test);
}

}  // namespace

Rendezvous::Rendezvous(const std::string& name, int ranks)
    : name_(name), size_(ranks), bytes_(kHeader + static_cast<std::size_t>(ranks) * kSlotBytes) {
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT, 0600);
  void* memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes_)) == 0) {
    memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  const int error = errno;
  if (file >= 0) close(file);
  require(memory != MAP_FAILED, ncclSystemError, "shared memory " + name + ": " + std::strerror(error));
  ranks_ = static_cast<Rank*>(memory);  // zeros are the state in which nobody is there
  slots_ = static_cast<std::byte*>(memory) + kHeader;
}

Rendezvous::~Rendezvous() {
  forget_name();
  munmap(ranks_, bytes_);
}

bool Rendezvous::all_arrived() const {
  return all(ranks_, size_, [](const Rank& rank) { return rank.process != 0; });
}

bool Rendezvous::all_published(std::uint64_t round) const {
  return all(ranks_, size_, [&](const Rank& rank) { return rank.published >= round; });
}

bool Rendezvous::all_consumed(std::uint64_t round) const {
  return all(ranks_, size_, [&](const Rank& rank) { return rank.consumed >= round; });
}

bool Rendezvous::all_left() const {
  return all(ranks_, size_, [](const Rank& rank) { return rank.left != 0; });
}

int Rendezvous::lost_process() const {
  for (int i = 0; i < size_; ++i) {
    const int process = ranks_[i].process;
    if (process != 0 && ranks_[i].left == 0 && kill(process, 0) != 0 && errno == ESRCH) return process;
  }
  return 0;
}

void Rendezvous::forget_name() const {
  shm_unlink(name_.c_str());
}

}  // namespace stand_in
