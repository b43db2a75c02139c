#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include "base/units.h"
#include "models/operation.h"

namespace mgbench::onednn {

using Layout = dnnl::memory::desc;
using Dimensions = dnnl::memory::dims;

/// [batch, channels, height, width] without blocking.
Layout plain_layout(const Shape& shape, int batch);
/// Row-major, no blocking.
Layout plain_layout(const Dimensions& dimensions);
/// What lets a primitive choose.
Layout any_layout(const Dimensions& dimensions);

/// Floats that a layout takes, padding of channels included.
std::size_t floats(const Layout& layout);
/// No padding: as many floats as elements.
bool is_dense(const Layout& layout);
/// The same elements at the same places: equal layouts, or vectors (height = width = 1) without padding.
bool interchangeable(const Layout& left, const Layout& right);
/// Whether each image is one run of floats, the images one behind the other.
bool image_major(const Layout& layout);
/// Channels in an innermost block; 1 for plain layouts, 0 when something else than channels is blocked.
int channel_block(const Layout& layout);

/// Memory of a known layout. Copies share it.
struct Buffer {
  dnnl::memory memory;
  std::shared_ptr<float> storage;

  float* data() const { return static_cast<float*>(memory.get_data_handle()); }
  Layout layout() const { return memory.get_desc(); }
  explicit operator bool() const { return static_cast<bool>(storage); }
};

/// Large, aligned, on huge pages where the system has them; zero at first.
class MemoryPool {
 public:
  explicit MemoryPool(const dnnl::engine& engine) : engine_(engine), state_(std::make_shared<State>()) {}

  /// Returns to the pool when the last copy is gone. Tasks run in the order in which they were emitted, so
  /// that memory which one gives back while it is compiled may be taken by the next: the most recently used
  /// first, it may still be in a cache.
  Buffer take(const Layout& layout);

  /// The same memory under another layout.
  Buffer view(const Buffer& buffer, const Layout& layout) const;

  /// Everything that was ever taken and is now the pool's or a user's.
  Bytes bytes() const { return state_->bytes; }

  const dnnl::engine& engine() const { return engine_; }

 private:
  struct Free {
    std::size_t size = 0;  ///< floats
    std::shared_ptr<float> storage;
  };
  struct State {
    std::vector<Free> free;
    Bytes bytes = 0;
  };
  dnnl::engine engine_;
  std::shared_ptr<State> state_;
};

/// Floats aligned to a huge page, zero.
std::shared_ptr<float> allocate_floats(std::size_t size);

}  // namespace mgbench::onednn
