#pragma once

#include "base/units.h"
#include "models/model.h"

namespace mgbench::onednn {

/// Whether Winograd's F(4x4, 3x3) is the faster way to compute a convolution. It multiplies 36 numbers a tile of 16
/// outputs instead of 144, and transforms the weights each time, which enough tiles must share. Measured on one core
/// with AVX-512, 64 to 512 channels, all three passes: 0.4 of the direct time from 200 tiles on, 0.7 at 64, the same at
/// about 30, 4 times as long at 4. oneDNN's own choice (convolution_auto) takes it only from about batch 16 on. A rule
/// and not a measurement, so that all ranks and all runs compute alike.
bool prefers_winograd(const Convolution& convolution, const Shape& output, int batch);

/// About what it takes for the transformed input, output and weights.
Bytes winograd_scratch(const Convolution& convolution, const Shape& input, const Shape& output, int batch);

}  // namespace mgbench::onednn
