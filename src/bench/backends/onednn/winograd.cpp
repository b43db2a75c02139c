#include "bench/backends/onednn/winograd.h"

namespace mgbench::onednn {
namespace {

/// Tiles of 4x4 outputs in a batch.
std::int64_t tiles(const Shape& output, int batch) {
  constexpr int kTile = 4;
  const std::int64_t rows = (output.height + kTile - 1) / kTile;
  const std::int64_t columns = (output.width + kTile - 1) / kTile;
  return batch * rows * columns;
}

}  // namespace

bool prefers_winograd(const Convolution& convolution, const Shape& output, int batch) {
  constexpr std::int64_t kEnough = 40;
  return convolution.kernel == 3 && convolution.stride == 1 && convolution.groups == 1 &&
         tiles(output, batch) >= kEnough;
}

Bytes winograd_scratch(const Convolution& convolution, const Shape& input, const Shape& output, int batch) {
  if (!prefers_winograd(convolution, output, batch)) return 0;
  const std::int64_t inputs = input.channels;
  const std::int64_t outputs = output.channels;
  const std::int64_t floats = 36 * (tiles(output, batch) * (inputs + outputs) + 2 * inputs * outputs);
  return floats * static_cast<Bytes>(sizeof(float)) * 3 / 2;
}

}  // namespace mgbench::onednn
