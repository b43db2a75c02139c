#pragma once

#include <cublas_v2.h>

#include <functional>
#include <string>
#include <vector>

#include "core/refusal.h"

namespace stand_in {

inline void require_valid(bool condition, const std::string& reason) {
  require(condition, CUBLAS_STATUS_INVALID_VALUE, reason);
}

template <class Body>
cublasStatus_t call(const char* function, Body body) {
  return answer<cublasStatus_t>(function, body);
}

/// A matrix in memory, one column after the other, each `leading` elements from the one before.
struct Columns {
  cudaDataType type;
  std::size_t rows;
  std::size_t columns;
  std::size_t leading;
};

/// A vector's elements are |step| apart; a negative step runs through memory backwards, as in BLAS.
struct Strided {
  std::size_t count;
  int step;
};

void require_handle(cublasHandle_t handle);
float host_scalar(const float* value, const char* name);
void require_memory(const Columns& matrix, const void* data, const char* name);
void require_memory(const Strided& vector, const float* data, const char* name);
/// Enqueues in the handle's stream, which may use the handle's workspace for it.
void run(cublasHandle_t handle, std::function<void()> operation);
void finish(cublasHandle_t handle);

/// Values one column after the other without gaps, as floats.
std::vector<float> load(const Columns& matrix, const void* data);
/// data = values + beta * data, where beta = 0 does not read what was there.
void store(const Columns& matrix, void* data, const std::vector<float>& values, float beta);
std::vector<float> load(const Strided& vector, const float* data);
void store(const Strided& vector, float* data, const std::vector<float>& values);

/// Transposes values of a matrix without gaps.
std::vector<float> transposed(std::size_t rows, std::size_t columns, const std::vector<float>& values);

}  // namespace stand_in
