// Products of matrices: c = alpha op(a) op(b) + beta c.
#include <algorithm>

#include "core/gemm.h"
#include "cublas/call.h"

namespace stand_in {

namespace {

std::size_t extent(int value, const char* name) {
  require_valid(value >= 0, std::string(name) + " is " + std::to_string(value));
  return static_cast<std::size_t>(value);
}

bool transposes(cublasOperation_t operation) {
  require_valid(operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C, "no such operation");
  return operation != CUBLAS_OP_N;
}

/// A matrix as it lies in memory, so that it is rows x columns once the operation was applied.
Columns operand(cudaDataType type, bool transpose, std::size_t rows, std::size_t columns, int leading,
                const char* name) {
  if (transpose) std::swap(rows, columns);
  require_valid(leading >= 1 && static_cast<std::size_t>(leading) >= rows,
                std::string(name) + " is " + std::to_string(leading) + " where a column has " + std::to_string(rows));
  return {type, rows, columns, static_cast<std::size_t>(leading)};
}

/// The combinations documented for scalars in float.
void require_types(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute) {
  const auto known = [](cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF; };
  const bool plain = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC;
  const bool fast = compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                    compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  require(plain || fast, CUBLAS_STATUS_NOT_SUPPORTED, "compute type " + std::to_string(compute));
  require(known(a) && a == b && (c == a || c == CUDA_R_32F) && (plain || a == CUDA_R_32F), CUBLAS_STATUS_NOT_SUPPORTED,
          "types " + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + " with compute type " +
              std::to_string(compute));
}

void multiply(cublasHandle_t handle, cublasOperation_t operation_a, cublasOperation_t operation_b, int m, int n, int k,
              const float* alpha_at, const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
              int ldb, const float* beta_at, void* c, cudaDataType c_type, int ldc) {
  require_handle(handle);
  const std::size_t rows = extent(m, "m"), columns = extent(n, "n"), depth = extent(k, "k");
  const bool transpose_a = transposes(operation_a), transpose_b = transposes(operation_b);
  const Columns left = operand(a_type, transpose_a, rows, depth, lda, "lda");
  const Columns right = operand(b_type, transpose_b, depth, columns, ldb, "ldb");
  const Columns out = operand(c_type, false, rows, columns, ldc, "ldc");
  const float alpha = host_scalar(alpha_at, "alpha"), beta = host_scalar(beta_at, "beta");
  require_memory(left, a, "A");
  require_memory(right, b, "B");
  require_memory(out, c, "C");
  run(handle, [=] {
    std::vector<float> result(rows * columns);
    if (alpha != 0 && depth > 0) {
      // One column after the other is one row after the other of the transposed: c' = op(b)' op(a)'.
      std::vector<float> factors = load(left, a);
      if (transpose_a) factors = transposed(left.rows, left.columns, factors);
      for (float& factor : factors) factor *= alpha;
      const std::vector<float> others = load(right, b);
      const Matrix of_right = transpose_b ? Matrix{others.data(), 1, columns} : Matrix{others.data(), depth, 1};
      gemm(columns, rows, depth, of_right, factors.data(), result.data());
    }
    store(out, c, result, beta);
  });
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t operation_a, cublasOperation_t operation_b, int m,
                           int n, int k, const float* alpha, const float* a, int lda, const float* b, int ldb,
                           const float* beta, float* c, int ldc) {
  return call(__func__, [&] {
    multiply(handle, operation_a, operation_b, m, n, k, alpha, a, CUDA_R_32F, lda, b, CUDA_R_32F, ldb, beta, c,
             CUDA_R_32F, ldc);
  });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t operation_a, cublasOperation_t operation_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  return call(__func__, [&] {
    require_types(a_type, b_type, c_type, compute);
    multiply(handle, operation_a, operation_b, m, n, k, static_cast<const float*>(alpha), a, a_type, lda, b, b_type,
             ldb, static_cast<const float*>(beta), c, c_type, ldc);
  });
}

// y = alpha op(a) x + beta y.
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t operation, int m, int n, const float* alpha_at,
                           const float* a, int lda, const float* x, int x_step, const float* beta_at, float* y,
                           int y_step) {
  return call(__func__, [&] {
    require_handle(handle);
    const std::size_t rows = extent(m, "m"), columns = extent(n, "n");
    const bool transpose = transposes(operation);
    const Columns matrix = operand(CUDA_R_32F, false, rows, columns, lda, "lda");
    require_valid(x_step != 0 && y_step != 0, "a step of 0");
    const Strided in{transpose ? rows : columns, x_step}, out{transpose ? columns : rows, y_step};
    const float alpha = host_scalar(alpha_at, "alpha"), beta = host_scalar(beta_at, "beta");
    require_memory(matrix, a, "A");
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] {
      const std::vector<float> factors = load(matrix, a), values = load(in, x);
      std::vector<float> result(out.count);
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
          result[transpose ? j : i] += alpha * factors[j * rows + i] * values[transpose ? i : j];
        }
      }
      if (beta != 0) {
        const std::vector<float> before = load(out, y);
        for (std::size_t i = 0; i < out.count; ++i) result[i] += beta * before[i];
      }
      store(out, y, result);
    });
  });
}

}  // extern "C"
