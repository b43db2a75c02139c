#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bench/communicator.h"
#include "bench/gpu/own_stream.h"

namespace mgbench {

/// Memory for gradients without a network, wherever they lie and whatever their type: zeros at first.
class GradientBuffer {
 public:
  explicit GradientBuffer(const GradientArena& arena);
  /// Where an exception is on its way the memory is left behind: messages may be in flight, which write into it.
  ~GradientBuffer();
  GradientBuffer(const GradientBuffer&) = delete;
  GradientBuffer& operator=(const GradientBuffer&) = delete;

  std::size_t count() const { return count_; }
  GradientView part(std::size_t begin, std::size_t count) const;

  /// Rounded to the type. Complete on return, as is read(); outside of timed regions.
  void write(std::size_t begin, std::span<const float> values);
  std::vector<float> read(std::size_t begin, std::size_t count);

 private:
  std::byte* address(std::size_t element) const;
  void copy(void* to, const void* from, Bytes bytes);

  const GradientArena arena_;
  const std::size_t count_;
  int exceptions_;  ///< in flight at construction
  std::shared_ptr<void> memory_;
  std::shared_ptr<void> piece_;  ///< of the host, from and to which the device copies
  std::optional<OwnStream> stream_;
};

}  // namespace mgbench
