#include "core/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "core/settings.h"

namespace stand_in {

namespace {

// Opening and closing takes time by pages: large blocks lie on large ones.
constexpr std::size_t kLargePage = std::size_t{2} << 20;
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
  void* range = mmap(nullptr, kRange + kLargePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    std::perror("stand-in: mmap");
    std::abort();
  }
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(range) % kLargePage;
  range_ = next_ = static_cast<std::byte*>(range) + (misplaced == 0 ? 0 : kLargePage - misplaced);
  madvise(range_, kRange, MADV_HUGEPAGE);
}

void* Memory::allocate(int device, std::size_t bytes) {
  const std::size_t reserved = whole_pages(bytes);
  const auto begin = static_cast<std::size_t>(next_ - range_);
  const std::size_t offset = reserved < kLargePage ? begin : (begin + kLargePage - 1) / kLargePage * kLargePage;
  if (reserved > free_bytes(device) || offset + reserved > kRange) return nullptr;
  std::byte* block = range_ + offset;
  if (mprotect(block, reserved, PROT_READ | PROT_WRITE) != 0) return nullptr;
  next_ = block + reserved;
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

void spoil(void* workspace, std::size_t bytes) {
  constexpr std::size_t kEnd = std::size_t{1} << 19;
  if (bytes == 0) return;
  std::memset(workspace, 0xFF, std::min(bytes, kEnd));
  if (bytes > kEnd) {
    const std::size_t rest = std::min(bytes - kEnd, kEnd);
    std::memset(static_cast<std::byte*>(workspace) + bytes - rest, 0xFF, rest);
  }
}

Memory& memory() {
  static auto* one = new Memory;  // never destroyed: threads of the program may outlive static objects
  return *one;
}

}  // namespace stand_in
