// Operations on vectors.
#include "core/memory.h"
#include "cublas/call.h"

namespace stand_in {

namespace {

/// Nothing where n is not positive, as in BLAS.
Strided strided(int n, int step) {
  return {static_cast<std::size_t>(n > 0 ? n : 0), step};
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

// y = alpha x + y.
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha_at, const float* x, int x_step, float* y,
                           int y_step) {
  return call(__func__, [&] {
    require_handle(handle);
    const float alpha = host_scalar(alpha_at, "alpha");
    const Strided in = strided(n, x_step), out = strided(n, y_step);
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] {
      const std::vector<float> values = load(in, x);
      std::vector<float> result = load(out, y);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] += alpha * values[i];
      store(out, y, result);
    });
  });
}

cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha_at, float* x, int step) {
  return call(__func__, [&] {
    require_handle(handle);
    const float alpha = host_scalar(alpha_at, "alpha");
    const Strided vector = strided(n, step);
    require_memory(vector, x, "x");
    run(handle, [=] {
      std::vector<float> values = load(vector, x);
      for (float& value : values) value *= alpha;
      store(vector, x, values);
    });
  });
}

cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float* x, int x_step, float* y, int y_step) {
  return call(__func__, [&] {
    require_handle(handle);
    const Strided in = strided(n, x_step), out = strided(n, y_step);
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] { store(out, y, load(in, x)); });
  });
}

// The result is on the host: the call waits for it.
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int x_step, const float* y, int y_step,
                          float* result) {
  return call(__func__, [&] {
    require_handle(handle);
    require_valid(memory().is_host(result), "result is not in host memory, where the pointer mode has it");
    const Strided left = strided(n, x_step), right = strided(n, y_step);
    require_memory(left, x, "x");
    require_memory(right, y, "y");
    run(handle, [=] {
      const std::vector<float> values = load(left, x), others = load(right, y);
      double sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) sum += double{values[i]} * others[i];
      *result = static_cast<float>(sum);
    });
    finish(handle);
  });
}

}  // extern "C"
