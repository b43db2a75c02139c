#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/backends/onednn/memory.h"
#include "bench/network.h"
#include "models/execution_order.h"

namespace mgbench::onednn {

/// Parameters, momentum and gradients: three arenas of one layout, tensors in ready order and without gaps,
/// so that a message is a span of one of them and the update is one loop. A tensor lies in the layout that
/// its weight-gradient primitive writes, where that has no padding; else it lies plain, and the layer
/// reorders.
class Parameters {
 public:
  Parameters(const ModelSpec& model, const dnnl::engine& engine);

  /// Decides how a tensor lies, seen as `preferred.dims()` (a grouped weight has five dimensions). Once a
  /// tensor, before its memory is used; tensors that are not laid out are plain.
  void lay_out(int layer, std::size_t parameter, const Layout& preferred);

  dnnl::memory value(int layer, std::size_t parameter) const;
  dnnl::memory gradient(int layer, std::size_t parameter) const;

  std::span<float> values() const { return {values_, size_}; }
  std::span<float> momentum() const { return {momentum_, size_}; }
  std::span<float> gradients() const { return {gradients_, size_}; }

  /// The update of stochastic gradient descent with momentum, in one pass over the three arenas.
  void descend(const SgdOptions& options, int ranks);

  std::vector<float> to_plain(std::span<const float> arena) const;
  void from_plain(std::span<const float> plain, std::span<float> arena) const;

 private:
  struct Tensor {
    ArenaTensor place;
    Layout layout;
  };
  const Tensor& find(int layer, std::size_t parameter) const;
  float* carve(std::size_t misalignment);

  dnnl::engine engine_;
  std::vector<Tensor> tensors_;
  std::size_t size_ = 0;
  std::vector<std::shared_ptr<float>> storage_;
  float* values_ = nullptr;
  float* momentum_ = nullptr;
  float* gradients_ = nullptr;
};

}  // namespace mgbench::onednn
