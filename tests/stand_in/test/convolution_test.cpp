// Convolutions against sums written out, in both formats and all types.
#include <cmath>

#include "core/element.h"
#include "test/cudnn_objects.h"
#include "test/device_array.h"

namespace {

/// Sizes of one convolution; square.
struct Case {
  int n, c, size, k, filter, pad, stride, dilation, groups;
  int out() const { return (size + 2 * pad - (filter - 1) * dilation - 1) / stride + 1; }
};

constexpr Case kCases[] = {{2, 3, 7, 4, 3, 1, 2, 1, 1},
                           {1, 4, 6, 6, 3, 1, 1, 1, 2},
                           {2, 5, 4, 3, 1, 0, 1, 1, 1},
                           {1, 2, 11, 2, 5, 2, 3, 1, 1},
                           {1, 2, 9, 3, 3, 2, 1, 2, 1}};

/// visit(index in x, in w, in y) of every product.
template <class Visit>
void each_product(const Case& sizes, Visit visit) {
  const int out = sizes.out(), depth = sizes.c / sizes.groups, share = sizes.k / sizes.groups;
  for (int n = 0; n < sizes.n; ++n)
    for (int k = 0; k < sizes.k; ++k)
      for (int p = 0; p < out; ++p)
        for (int q = 0; q < out; ++q)
          for (int c = 0; c < depth; ++c)
            for (int r = 0; r < sizes.filter; ++r)
              for (int s = 0; s < sizes.filter; ++s) {
                const int h = p * sizes.stride - sizes.pad + r * sizes.dilation;
                const int w = q * sizes.stride - sizes.pad + s * sizes.dilation;
                if (h < 0 || w < 0 || h >= sizes.size || w >= sizes.size) continue;
                const int channel = k / share * depth + c;
                visit(static_cast<std::size_t>(((n * sizes.c + channel) * sizes.size + h) * sizes.size + w),
                      static_cast<std::size_t>(((k * depth + c) * sizes.filter + r) * sizes.filter + s),
                      static_cast<std::size_t>(((n * sizes.k + k) * out + p) * out + q));
              }
}

/// From n, c, h, w to n, h, w, c.
template <class T>
std::vector<T> channels_last(const std::vector<T>& values, int n, int c, int points) {
  std::vector<T> result(values.size());
  for (int image = 0; image < n; ++image)
    for (int channel = 0; channel < c; ++channel)
      for (int point = 0; point < points; ++point)
        result[static_cast<std::size_t>((image * points + point) * c + channel)] =
            values[static_cast<std::size_t>((image * c + channel) * points + point)];
  return result;
}

struct Fixture {
  explicit Fixture(const Case& wanted, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW,
                   cudnnDataType_t type = CUDNN_DATA_FLOAT)
      : sizes(wanted),
        x(sizes.n, sizes.c, sizes.size, sizes.size, format, type),
        w(sizes.k, sizes.c / sizes.groups, sizes.filter, sizes.filter, format, type),
        convolution(sizes.pad, sizes.stride, sizes.dilation, sizes.groups),
        y(sizes.n, sizes.k, sizes.out(), sizes.out(), format, type) {}

  std::size_t x_count() const { return static_cast<std::size_t>(sizes.n * sizes.c * sizes.size * sizes.size); }
  std::size_t w_count() const {
    return static_cast<std::size_t>(sizes.k * sizes.c / sizes.groups * sizes.filter * sizes.filter);
  }
  std::size_t y_count() const { return static_cast<std::size_t>(sizes.n * sizes.k * sizes.out() * sizes.out()); }

  Case sizes;
  Handle handle;
  TensorDescriptor x;
  FilterDescriptor w;
  ConvolutionDescriptor convolution;
  TensorDescriptor y;
};

TEST(Convolution, ForwardWithBlending) {
  for (const Case& sizes : kCases) {
    const Fixture fixture(sizes);
    const auto x = random_values(fixture.x_count(), 1), w = random_values(fixture.w_count(), 2);
    auto wanted = random_values(fixture.y_count(), 3);
    const DeviceArray<> x_on(x), w_on(w), y_on(wanted);
    for (float& value : wanted) value *= 0.5F;
    each_product(sizes, [&](std::size_t i, std::size_t j, std::size_t o) { wanted[o] += 2 * x[i] * w[j]; });
    const float alpha = 2, beta = 0.5F;
    ASSERT_EQ(cudnnConvolutionForward(fixture.handle, &alpha, fixture.x, x_on.data(), fixture.w, w_on.data(),
                                      fixture.convolution, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta,
                                      fixture.y, y_on.data()),
              CUDNN_STATUS_SUCCESS);
    expect_near(y_on.read(), wanted, 1e-4F);
  }
}

TEST(Convolution, BackwardWithoutReadingTheOutput) {
  for (const Case& sizes : kCases) {
    const Fixture fixture(sizes);
    const auto x = random_values(fixture.x_count(), 1), w = random_values(fixture.w_count(), 2);
    const auto dy = random_values(fixture.y_count(), 3);
    std::vector<float> dx(x.size()), dw(w.size());
    each_product(sizes, [&](std::size_t i, std::size_t j, std::size_t o) {
      dx[i] += dy[o] * w[j];
      dw[j] += dy[o] * x[i];
    });
    const DeviceArray<> x_on(x), w_on(w), dy_on(dy), dx_on(dx.size()), dw_on(dw.size()), workspace(100000);
    ASSERT_EQ(cudnnConvolutionBackwardData(fixture.handle, &kOne, fixture.w, w_on.data(), fixture.y, dy_on.data(),
                                           fixture.convolution, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, workspace.data(),
                                           workspace.bytes(), &kZero, fixture.x, dx_on.data()),
              CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnConvolutionBackwardFilter(fixture.handle, &kOne, fixture.x, x_on.data(), fixture.y, dy_on.data(),
                                             fixture.convolution, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, workspace.data(),
                                             workspace.bytes(), &kZero, fixture.w, dw_on.data()),
              CUDNN_STATUS_SUCCESS);
    expect_near(dx_on.read(), dx, 1e-4F);
    expect_near(dw_on.read(), dw, 1e-3F);
  }
}

/// A whole forward convolution in NHWC of one type against the sum in double.
template <class T>
void in_channels_last(cudnnDataType_t type, float tolerance) {
  const Case& sizes = kCases[0];
  const Fixture fixture(sizes, CUDNN_TENSOR_NHWC, type);
  const auto narrow = [](const std::vector<float>& values) {
    std::vector<T> result;
    for (const float value : values) result.push_back(stand_in::from_float<T>(value));
    return result;
  };
  const auto x = narrow(random_values(fixture.x_count(), 1)), w = narrow(random_values(fixture.w_count(), 2));
  std::vector<double> wanted(fixture.y_count());
  each_product(sizes, [&](std::size_t i, std::size_t j, std::size_t o) {
    wanted[o] += double{static_cast<float>(x[i])} * double{static_cast<float>(w[j])};
  });
  const DeviceArray<T> x_on(channels_last(x, sizes.n, sizes.c, sizes.size * sizes.size));
  const DeviceArray<T> w_on(channels_last(w, sizes.k, sizes.c, sizes.filter * sizes.filter)), y_on(wanted.size());
  ASSERT_EQ(cudnnConvolutionForward(fixture.handle, &kOne, fixture.x, x_on.data(), fixture.w, w_on.data(),
                                    fixture.convolution, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &kZero,
                                    fixture.y, y_on.data()),
            CUDNN_STATUS_SUCCESS);
  wanted = channels_last(wanted, sizes.n, sizes.k, sizes.out() * sizes.out());
  const auto found = y_on.read();
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(static_cast<float>(found[i]), wanted[i], tolerance * (1 + std::fabs(wanted[i])));
  }
}

TEST(Convolution, ChannelsLastInEachType) {
  in_channels_last<float>(CUDNN_DATA_FLOAT, 1e-5F);
  in_channels_last<stand_in::Half>(CUDNN_DATA_HALF, 0x1p-11F);
  in_channels_last<stand_in::BFloat16>(CUDNN_DATA_BFLOAT16, 0x1p-8F);
}

TEST(Convolution, BackwardBiasSumsEachChannel) {
  const Handle handle;
  const TensorDescriptor dy(2, 2, 1, 2, CUDNN_TENSOR_NHWC), db(1, 2, 1, 1);
  const DeviceArray<> dy_on(std::vector<float>{1, 10, 2, 20, 3, 30, 4, 40}), db_on(2);
  ASSERT_EQ(cudnnConvolutionBackwardBias(handle, &kOne, dy, dy_on.data(), &kZero, db, db_on.data()),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(db_on.read(), (std::vector<float>{10, 100}));
}

TEST(Convolution, RefusesWhatContradictsItself) {
  const Fixture fixture(kCases[0]);
  const TensorDescriptor wrong(2, 4, 3, 3), half(2, 3, 7, 7, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF);
  const DeviceArray<> x(fixture.x_count()), w(fixture.w_count()), y(fixture.y_count());
  const auto forward = [&](cudnnTensorDescriptor_t in, cudnnTensorDescriptor_t out, cudnnConvolutionFwdAlgo_t algorithm,
                           void* workspace, std::size_t bytes) {
    return cudnnConvolutionForward(fixture.handle, &kOne, in, x.data(), fixture.w, w.data(), fixture.convolution,
                                   algorithm, workspace, bytes, &kZero, out, y.data());
  };
  const auto gemm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  EXPECT_EQ(forward(fixture.x, wrong, gemm, nullptr, 0), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(forward(half, fixture.y, gemm, nullptr, 0), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(forward(fixture.x, fixture.y, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, nullptr, 0), CUDNN_STATUS_NOT_SUPPORTED);
  std::size_t bytes = 0;
  ASSERT_EQ(cudnnGetConvolutionForwardWorkspaceSize(fixture.handle, fixture.x, fixture.w, fixture.convolution,
                                                    fixture.y, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, &bytes),
            CUDNN_STATUS_SUCCESS);
  EXPECT_GT(bytes, 0U);
  const DeviceArray<char> workspace(bytes);
  EXPECT_EQ(forward(fixture.x, fixture.y, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, workspace.data(), bytes - 1),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(forward(fixture.x, fixture.y, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, workspace.data(), bytes),
            CUDNN_STATUS_SUCCESS);
}

TEST(Convolution, SearchesWithinTheWorkspaceAndLeavesNothingInTheOutput) {
  const Fixture fixture(kCases[1]);
  const DeviceArray<> x(random_values(fixture.x_count(), 1)), w(random_values(fixture.w_count(), 2));
  const DeviceArray<> y(random_values(fixture.y_count(), 3)), workspace(256);
  int most = 0, count = 0;
  ASSERT_EQ(cudnnGetConvolutionForwardAlgorithmMaxCount(fixture.handle, &most), CUDNN_STATUS_SUCCESS);
  std::vector<cudnnConvolutionFwdAlgoPerf_t> found(static_cast<std::size_t>(most));
  ASSERT_EQ(cudnnFindConvolutionForwardAlgorithmEx(fixture.handle, fixture.x, x.data(), fixture.w, w.data(),
                                                   fixture.convolution, fixture.y, y.data(), most, &count, found.data(),
                                                   workspace.data(), workspace.bytes()),
            CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(count, most);
  ASSERT_EQ(found.front().status, CUDNN_STATUS_SUCCESS);
  EXPECT_NE(found.back().status, CUDNN_STATUS_SUCCESS);
  for (const auto& entry : found) {
    EXPECT_TRUE(entry.status != CUDNN_STATUS_SUCCESS || entry.memory <= workspace.bytes());
    // It would work, with more memory.
    if (entry.algo == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED) {
      EXPECT_EQ(entry.status, CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED);
    }
  }
  EXPECT_TRUE(std::isnan(y.read()[0]));
}

}  // namespace
