#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace stand_in {

/// Memory of the devices and pinned memory of the host. Not safe for threads; guarded by the lock of the library.
///
/// The device's lies in one range of addresses that no process may touch but while an operation runs, so that a host
/// that follows a pointer of the device crashes; addresses are never used again, so that what was freed stays out of
/// reach. Memory is filled with bytes 0xFF, a NaN of every floating type: what nobody has written spoils every sum.
class Memory {
 public:
  Memory();

  /// Null where the device has less left.
  void* allocate(int device, std::size_t bytes);
  bool release(void* pointer);
  void* allocate_pinned(std::size_t bytes);
  bool release_pinned(void* pointer);

  /// Whether all bytes lie in one live allocation of a device.
  bool on_device(const void* pointer, std::size_t bytes) const;
  /// The same, or in pinned memory, which devices reach at the same addresses.
  bool reachable_by_device(const void* pointer, std::size_t bytes) const;
  /// Whether the host may touch the address: anything but the device's range.
  bool is_host(const void* pointer) const;
  std::size_t free_bytes(int device) const;

  void open();  // for operations; calls nest
  void close();

 private:
  struct Block {
    std::size_t bytes;     // as asked for
    std::size_t reserved;  // whole pages
    int device;
  };

  void protect(int protection) const;

  std::byte* range_;
  std::byte* next_;
  int opened_ = 0;
  std::map<const std::byte*, Block> blocks_;
  std::map<const std::byte*, std::size_t> pinned_;
  std::vector<std::size_t> used_;  // by device
};

Memory& memory();

/// What an operation leaves in a workspace: NaN, which nobody should read. Of a large one only both ends, for the sake
/// of time.
void spoil(void* workspace, std::size_t bytes);

/// Opens the device's memory while it lives.
class OpenMemory {
 public:
  OpenMemory() { memory().open(); }
  ~OpenMemory() { memory().close(); }
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;
};

}  // namespace stand_in
