#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stand_in {

/// Memory that the ranks of one communicator share: processes of this machine, or threads of one. Every rank fills its
/// slot with a piece of its message, round after round, and reads those of the others.
class Rendezvous {
 public:
  static constexpr std::size_t kSlotBytes = std::size_t{1} << 20;
  static constexpr int kMostRanks = 64;

  /// Numbers of rounds count from 1; what a rank says of its round is there once `published` is its number.
  struct Rank {
    std::atomic<int> process;  // 0: not there yet
    std::atomic<int> device;
    std::atomic<std::uint64_t> published;
    std::atomic<std::uint64_t> consumed;
    std::atomic<int> left;
    std::uint64_t count;  // of the whole message, in elements
    int type;
  };

  /// Ends the program's call with an Error's words where the memory cannot be had.
  Rendezvous(const std::string& name, int ranks);
  ~Rendezvous();
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  Rank& rank(int index) { return ranks_[index]; }
  std::byte* slot(int index) { return slots_ + static_cast<std::size_t>(index) * kSlotBytes; }
  int size() const { return size_; }

  bool all_arrived() const;
  bool all_published(std::uint64_t round) const;
  bool all_consumed(std::uint64_t round) const;
  bool all_left() const;
  /// A process that is there no more, or 0.
  int lost_process() const;
  /// Nobody can join from now on, and nothing is left behind whatever becomes of the processes.
  void forget_name() const;

 private:
  std::string name_;
  int size_;
  std::size_t bytes_;
  Rank* ranks_;
  std::byte* slots_;
};

}  // namespace stand_in
