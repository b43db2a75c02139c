#include <cublas_v2.h>

#include <cmath>

#include "core/element.h"
#include "test/device_array.h"

namespace {

class Cublas : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cublasCreate(&handle_), CUBLAS_STATUS_SUCCESS); }
  void TearDown() override { ASSERT_EQ(cublasDestroy(handle_), CUBLAS_STATUS_SUCCESS); }
  cublasHandle_t handle_ = nullptr;
};

TEST_F(Cublas, MultipliesColumnMajorMatricesInAllOperations) {
  constexpr int m = 3, n = 4, k = 5, lda = 7, ldb = 6, ldc = 5;
  const auto a = random_values(lda * 7, 1), b = random_values(ldb * 6, 2), before = random_values(ldc * n, 3);
  const DeviceArray<> a_on(a), b_on(b);
  for (const auto first : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    for (const auto second : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      for (const float beta : {0.0F, 0.5F}) {
        const float alpha = 2;
        const auto at = [&](int i, int l) {
          return a[static_cast<std::size_t>(first == CUBLAS_OP_N ? l * lda + i : i * lda + l)];
        };
        const auto bt = [&](int l, int j) {
          return b[static_cast<std::size_t>(second == CUBLAS_OP_N ? j * ldb + l : l * ldb + j)];
        };
        auto wanted = before;
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < m; ++i) {
            float& value = wanted[static_cast<std::size_t>(j * ldc + i)];
            value *= beta;
            for (int l = 0; l < k; ++l) value += alpha * at(i, l) * bt(l, j);
          }
        }
        const DeviceArray<> c_on(before);
        ASSERT_EQ(cublasSgemm(handle_, first, second, m, n, k, &alpha, a_on.data(), lda, b_on.data(), ldb, &beta,
                              c_on.data(), ldc),
                  CUBLAS_STATUS_SUCCESS);
        expect_near(c_on.read(), wanted, 1e-5F);
      }
    }
  }
}

TEST_F(Cublas, MixesTypesAsDocumented) {
  const float one = 1, zero = 0;
  const auto half = [](float value) { return stand_in::Half::from(value); };
  const DeviceArray<stand_in::Half> a(std::vector{half(2), half(3)}), b(std::vector{half(5), half(7)});
  const DeviceArray<> c(1);
  const auto multiply = [&](cudaDataType b_type, cublasComputeType_t compute) {
    return cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, a.data(), CUDA_R_16F, 1, b.data(), b_type, 2,
                        &zero, c.data(), CUDA_R_32F, 1, compute, CUBLAS_GEMM_DEFAULT);
  };
  ASSERT_EQ(multiply(CUDA_R_16F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.read()[0], 31);
  EXPECT_EQ(multiply(CUDA_R_16BF, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(CUDA_R_16F, CUBLAS_COMPUTE_32F_FAST_TF32), CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_F(Cublas, Vectors) {
  const DeviceArray<> x(std::vector<float>{1, 2, 3}), y(std::vector<float>{10, 20, 30}),
      a(std::vector<float>{1, 2, 3, 4, 5, 6});
  const float two = 2, zero = 0;
  float dot = 0;
  ASSERT_EQ(cublasSdot(handle_, 3, x.data(), 1, y.data(), -1, &dot), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dot, 100);
  ASSERT_EQ(cublasSaxpy(handle_, 3, &two, x.data(), 1, y.data(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.read(), (std::vector<float>{12, 24, 36}));
  ASSERT_EQ(cublasSscal(handle_, 2, &two, y.data(), 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.read(), (std::vector<float>{24, 24, 72}));
  ASSERT_EQ(cublasScopy(handle_, 3, x.data(), 1, y.data(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.read(), (std::vector<float>{1, 2, 3}));
  const DeviceArray<> result(2);
  ASSERT_EQ(cublasSgemv(handle_, CUBLAS_OP_N, 2, 3, &two, a.data(), 2, x.data(), 1, &zero, result.data(), 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result.read(), (std::vector<float>{44, 56}));
}

TEST_F(Cublas, RefusesWhatContradictsItself) {
  const DeviceArray<> a(4);
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data(), 1, a.data(), 2, &zero, a.data(), 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(
      cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, nullptr, a.data(), 2, a.data(), 2, &zero, a.data(), 2),
      CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(
      cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data() + 1, 2, a.data(), 2, &zero, a.data(), 2),
      CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data(), 2, a.data(), 2, &zero, a.data(), 2),
            CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetWorkspace(handle_, a.data() + 1, 4), CUBLAS_STATUS_INVALID_VALUE);
}

}  // namespace
