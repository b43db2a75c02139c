#include "bench/backends/onednn/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace mgbench::onednn {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr std::size_t kCacheLine = 64;

}  // namespace

Layout plain_layout(const Shape& shape, int batch) {
  return plain_layout({batch, shape.channels, shape.height, shape.width});
}

Layout plain_layout(const Dimensions& dimensions) {
  Dimensions strides(dimensions.size(), 1);
  for (std::size_t i = dimensions.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dimensions[i];
  return {dimensions, dnnl::memory::data_type::f32, strides};
}

Layout any_layout(const Dimensions& dimensions) {
  return {dimensions, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

std::size_t floats(const Layout& layout) {
  return layout.get_size() / sizeof(float);
}

bool is_dense(const Layout& layout) {
  std::size_t elements = 1;
  for (const auto dimension : layout.dims()) elements *= static_cast<std::size_t>(dimension);
  return elements == floats(layout);
}

bool interchangeable(const Layout& left, const Layout& right) {
  if (left == right) return true;
  const auto is_vector = [](const Layout& layout) {
    const Dimensions dimensions = layout.dims();
    return is_dense(layout) && std::all_of(dimensions.begin() + 2, dimensions.end(), [](auto d) { return d == 1; });
  };
  return left.dims() == right.dims() && is_vector(left) && is_vector(right) && image_major(left) && image_major(right);
}

bool image_major(const Layout& layout) {
  const auto& blocking = layout.data.format_desc.blocking;
  const auto batch = static_cast<std::size_t>(layout.data.dims[0]);
  const bool batch_blocked = std::find(blocking.inner_idxs, blocking.inner_idxs + blocking.inner_nblks, 0) !=
                             blocking.inner_idxs + blocking.inner_nblks;
  return !batch_blocked && (batch == 1 || static_cast<std::size_t>(blocking.strides[0]) * batch == floats(layout));
}

int channel_block(const Layout& layout) {
  const auto& blocking = layout.data.format_desc.blocking;
  const Dimensions dimensions = layout.dims();
  const bool plain = blocking.inner_nblks == 0 && layout == plain_layout(dimensions);
  if (plain) return 1;
  return blocking.inner_nblks == 1 && blocking.inner_idxs[0] == 1 ? static_cast<int>(blocking.inner_blks[0]) : 0;
}

std::shared_ptr<float> allocate_floats(std::size_t size) {
  std::size_t bytes = std::max<std::size_t>(size, 1) * sizeof(float);
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kCacheLine;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);  // advice: no matter if it is refused
  std::memset(memory, 0, bytes);
  return {static_cast<float*>(memory), [](float* pointer) { std::free(pointer); }};
}

Buffer MemoryPool::take(const Layout& layout) {
  const std::size_t size = floats(layout);
  auto& free = state_->free;
  // The smallest that is large enough; among equals the last one given back. Nothing more than twice as
  // large.
  auto best = free.end();
  for (auto candidate = free.begin(); candidate != free.end(); ++candidate)
    if (candidate->size >= size && candidate->size <= 2 * size && (best == free.end() || candidate->size <= best->size))
      best = candidate;
  Free block;
  if (best != free.end()) {
    block = *best;
    free.erase(best);
  } else {
    block = {size, allocate_floats(size)};
    state_->bytes += static_cast<Bytes>(size * sizeof(float));
  }
  float* data = block.storage.get();
  std::shared_ptr<float> lease(data, [state = state_, block](float*) { state->free.push_back(block); });
  return {dnnl::memory(layout, engine_, data), std::move(lease)};
}

Buffer MemoryPool::view(const Buffer& buffer, const Layout& layout) const {
  return {dnnl::memory(layout, engine_, buffer.data()), buffer.storage};
}

}  // namespace mgbench::onednn
