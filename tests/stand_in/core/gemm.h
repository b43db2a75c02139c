#pragma once

#include <cstddef>

namespace stand_in {

/// A matrix read at data[row * row_step + column * column_step].
struct Matrix {
  const float* data;
  std::size_t row_step;
  std::size_t column_step;
};

/// c (rows x columns, rows one after the other) += a (rows x depth) * b (depth x columns, rows one after the other).
void gemm(std::size_t rows, std::size_t columns, std::size_t depth, Matrix a, const float* b, float* c);

}  // namespace stand_in
