#include "core/gemm.h"

#include <algorithm>

namespace stand_in {

void gemm(std::size_t rows, std::size_t columns, std::size_t depth, Matrix a, const float* b, float* c) {
  constexpr std::size_t kColumns = 512;  // of four rows of b: they stay in the nearest cache
  constexpr std::size_t kDepth = 64;
  for (std::size_t from = 0; from < depth; from += kDepth) {
    const std::size_t to = std::min(depth, from + kDepth);
    for (std::size_t first = 0; first < columns; first += kColumns) {
      const std::size_t width = std::min(kColumns, columns - first);
      for (std::size_t row = 0; row < rows; ++row) {
        float* __restrict out = c + row * columns + first;
        const auto factor = [&](std::size_t k) { return a.data[row * a.row_step + k * a.column_step]; };
        std::size_t k = from;
        for (; k + 4 <= to; k += 4) {
          const float* __restrict b0 = b + k * columns + first;
          const float *b1 = b0 + columns, *b2 = b1 + columns, *b3 = b2 + columns;
          const float a0 = factor(k), a1 = factor(k + 1), a2 = factor(k + 2), a3 = factor(k + 3);
          for (std::size_t j = 0; j < width; ++j) out[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
        }
        for (; k < to; ++k) {
          const float* row_of_b = b + k * columns + first;
          const float a0 = factor(k);
          for (std::size_t j = 0; j < width; ++j) out[j] += a0 * row_of_b[j];
        }
      }
    }
  }
}

}  // namespace stand_in
