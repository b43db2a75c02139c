#include "core/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "core/settings.h"

namespace stand_in {

namespace {

constexpr std::size_t kRange = std::size_t{1} << 40;  // addresses only; a program frees and allocates for long

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// The entry of `map` whose range, as long as `length` says, holds all bytes.
template <class Map, class Length>
bool holds(const Map& map, const void* pointer, std::size_t bytes, Length length) {
  const auto* first = static_cast<const std::byte*>(pointer);
  const auto after = map.upper_bound(first);
  if (after == map.begin()) return false;
  const auto& [begin, value] = *std::prev(after);
  return first + bytes <= begin + length(value);
}

}  // namespace

Memory::Memory() : used_(static_cast<std::size_t>(settings().devices)) {
  void* range = mmap(nullptr, kRange, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    std::perror("stand-in: mmap");
    std::abort();
  }
  range_ = next_ = static_cast<std::byte*>(range);
}

void* Memory::allocate(int device, std::size_t bytes) {
  const std::size_t reserved = whole_pages(bytes);
  if (reserved > free_bytes(device) || next_ + reserved > range_ + kRange) return nullptr;
  std::byte* block = next_;
  if (mprotect(block, reserved, PROT_READ | PROT_WRITE) != 0) return nullptr;
  next_ += reserved;
  std::memset(block, 0xFF, reserved);
  if (opened_ == 0) mprotect(block, reserved, PROT_NONE);
  blocks_[block] = {bytes, reserved, device};
  used_[static_cast<std::size_t>(device)] += reserved;
  return block;
}

bool Memory::release(void* pointer) {
  const auto found = blocks_.find(static_cast<std::byte*>(pointer));
  if (found == blocks_.end()) return false;
  madvise(pointer, found->second.reserved, MADV_DONTNEED);
  mprotect(pointer, found->second.reserved, PROT_NONE);
  used_[static_cast<std::size_t>(found->second.device)] -= found->second.reserved;
  blocks_.erase(found);
  return true;
}

void* Memory::allocate_pinned(std::size_t bytes) {
  void* block = std::aligned_alloc(4096, whole_pages(bytes));
  if (block == nullptr) return nullptr;
  std::memset(block, 0xFF, bytes);
  pinned_[static_cast<std::byte*>(block)] = bytes;
  return block;
}

bool Memory::release_pinned(void* pointer) {
  if (pinned_.erase(static_cast<std::byte*>(pointer)) == 0) return false;
  std::free(pointer);
  return true;
}

bool Memory::on_device(const void* pointer, std::size_t bytes) const {
  return holds(blocks_, pointer, bytes, [](const Block& block) { return block.bytes; });
}

bool Memory::reachable_by_device(const void* pointer, std::size_t bytes) const {
  return on_device(pointer, bytes) || holds(pinned_, pointer, bytes, [](std::size_t length) { return length; });
}

bool Memory::is_host(const void* pointer) const {
  return pointer != nullptr && (pointer < range_ || pointer >= range_ + kRange);
}

std::size_t Memory::free_bytes(int device) const {
  return settings().memory - used_[static_cast<std::size_t>(device)];
}

void Memory::open() {
  if (opened_++ == 0) protect(PROT_READ | PROT_WRITE);
}

void Memory::close() {
  if (--opened_ == 0) protect(PROT_NONE);
}

void Memory::protect(int protection) const {
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    std::byte* begin = const_cast<std::byte*>(block->first);
    std::byte* end = begin;
    for (; block != blocks_.end() && block->first == end; ++block)
      end += block->second.reserved;  // one call for neighbours
    mprotect(begin, static_cast<std::size_t>(end - begin), protection);
  }
}

Memory& memory() {
  static auto* one = new Memory;  // never destroyed: threads of the program may outlive static objects
  return *one;
}

}  // namespace stand_in
