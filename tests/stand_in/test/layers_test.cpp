// Layers other than convolutions against values by hand and finite differences.
#include <cmath>
#include <functional>

#include "test/cudnn_objects.h"
#include "test/device_array.h"

namespace {

/// Gradient of sum(weights * f(x)) by central differences.
std::vector<float> differences(const std::function<std::vector<float>(const std::vector<float>&)>& f,
                               std::vector<float> x, const std::vector<float>& weights) {
  constexpr float kStep = 1e-2F;
  std::vector<float> gradient;
  for (float& value : x) {
    const float before = value;
    double change = 0;
    for (const float sign : {1.0F, -1.0F}) {
      value = before + sign * kStep;
      const auto y = f(x);
      for (std::size_t i = 0; i < y.size(); ++i) change += double{sign} * double{y[i]} * double{weights[i]};
    }
    value = before;
    gradient.push_back(static_cast<float>(change / (2 * double{kStep})));
  }
  return gradient;
}

TEST(Pooling, RoundsUpWhereTheOutputIsLarger) {
  const Handle handle;
  const PoolingDescriptor pooling;
  const TensorDescriptor x(1, 1, 1, 6), floor(1, 1, 1, 2), ceiling(1, 1, 1, 3), wrong(1, 1, 1, 4);
  const DeviceArray<> in(std::vector<float>{1, -2, 3, 4, -6, -5}), out(4);
  const auto pool = [&](cudnnPoolingMode_t mode, cudnnTensorDescriptor_t y) {
    EXPECT_EQ(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, 1, 3, 0, 0, 1, 2),
              CUDNN_STATUS_SUCCESS);
    return cudnnPoolingForward(handle, pooling, &kOne, x, in.data(), &kZero, y, out.data());
  };
  const auto first = [&](std::size_t count) {
    auto values = out.read();
    values.resize(count);
    return values;
  };
  ASSERT_EQ(pool(CUDNN_POOLING_MAX, floor), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(first(2), (std::vector<float>{3, 4}));
  ASSERT_EQ(pool(CUDNN_POOLING_MAX, ceiling), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(first(3), (std::vector<float>{3, 4, -5}));
  ASSERT_EQ(pool(CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, ceiling), CUDNN_STATUS_SUCCESS);
  expect_near(first(3), {2.0F / 3, 1.0F / 3, -5.5F}, 1e-6F);
  ASSERT_EQ(pool(CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, ceiling), CUDNN_STATUS_SUCCESS);
  expect_near(first(3), {2.0F / 3, 1.0F / 3, -11.0F / 3}, 1e-6F);
  EXPECT_EQ(pool(CUDNN_POOLING_MAX, wrong), CUDNN_STATUS_BAD_PARAM);
}

TEST(Pooling, BackwardIsTheGradient) {
  const Handle handle;
  const PoolingDescriptor pooling;
  const TensorDescriptor x(2, 2, 5, 5), y(2, 2, 3, 3);
  const auto values = random_values(100, 4), weights = random_values(36, 5);
  for (const auto mode :
       {CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING}) {
    ASSERT_EQ(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1, 2, 2),
              CUDNN_STATUS_SUCCESS);
    const DeviceArray<> out(36);
    const auto forward = [&](const std::vector<float>& in) {
      const DeviceArray<> in_on(in);
      EXPECT_EQ(cudnnPoolingForward(handle, pooling, &kOne, x, in_on.data(), &kZero, y, out.data()),
                CUDNN_STATUS_SUCCESS);
      return out.read();
    };
    const auto wanted = differences(forward, values, weights);
    forward(values);
    const DeviceArray<> in(values), dy(weights), dx(100);
    ASSERT_EQ(
        cudnnPoolingBackward(handle, pooling, &kOne, y, out.data(), y, dy.data(), x, in.data(), &kZero, x, dx.data()),
        CUDNN_STATUS_SUCCESS);
    expect_near(dx.read(), wanted, 2e-2F);
  }
}

TEST(Activation, ForwardAndBackward) {
  const Handle handle;
  const ActivationDescriptor rectify;
  ASSERT_EQ(cudnnSetActivationDescriptor(rectify, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0),
            CUDNN_STATUS_SUCCESS);
  const TensorDescriptor shape(1, 1, 2, 2);
  const DeviceArray<> x(std::vector<float>{-1, 2, 0, 3}), y(4), dy(std::vector<float>{5, 6, 7, 8}),
      dx(std::vector<float>(4, 1));
  ASSERT_EQ(cudnnActivationForward(handle, rectify, &kOne, shape, x.data(), &kZero, shape, y.data()),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(y.read(), (std::vector<float>{0, 2, 0, 3}));
  ASSERT_EQ(cudnnActivationBackward(handle, rectify, &kOne, shape, y.data(), shape, dy.data(), shape, x.data(), &kOne,
                                    shape, dx.data()),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(dx.read(), (std::vector<float>{1, 7, 1, 9}));
}

TEST(Normalization, AcrossChannels) {
  const Handle handle;
  const LrnDescriptor lrn;
  ASSERT_EQ(cudnnSetLRNDescriptor(lrn, 4, 0.8, 0.75, 2), CUDNN_STATUS_SUCCESS);
  const TensorDescriptor shape(2, 5, 1, 2);
  const auto values = random_values(20, 6), weights = random_values(20, 7);
  const DeviceArray<> y(20);
  const auto forward = [&](const std::vector<float>& in) {
    const DeviceArray<> x(in);
    EXPECT_EQ(cudnnLRNCrossChannelForward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, shape, x.data(), &kZero,
                                          shape, y.data()),
              CUDNN_STATUS_SUCCESS);
    return y.read();
  };
  // Channel 1 of 5, window of 4: one behind, two ahead; alpha is divided by the window.
  const auto result = forward(values);
  double sum = 0;
  for (const std::size_t channel : {0, 1, 2, 3}) sum += std::pow(values[channel * 2], 2);
  EXPECT_NEAR(result[2], values[2] * std::pow(2 + 0.2 * sum, -0.75), 1e-6);
  const auto wanted = differences(forward, values, weights);
  forward(values);
  const DeviceArray<> x(values), dy(weights), dx(20);
  ASSERT_EQ(cudnnLRNCrossChannelBackward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, shape, y.data(), shape,
                                         dy.data(), shape, x.data(), &kZero, shape, dx.data()),
            CUDNN_STATUS_SUCCESS);
  expect_near(dx.read(), wanted, 1e-3F);
}

TEST(Softmax, OverChannelsOrEverything) {
  const Handle handle;
  const TensorDescriptor shape(1, 2, 1, 2);
  const DeviceArray<> x(std::vector<float>{1000, 0, 1000, std::log(3.0F)}), y(4);
  ASSERT_EQ(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &kOne, shape, x.data(),
                                &kZero, shape, y.data()),
            CUDNN_STATUS_SUCCESS);
  expect_near(y.read(), {0.5F, 0.25F, 0.5F, 0.75F}, 1e-6F);
  ASSERT_EQ(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &kOne, shape, x.data(),
                                &kZero, shape, y.data()),
            CUDNN_STATUS_SUCCESS);
  expect_near(y.read(), {0.5F, 0, 0.5F, 0}, 1e-6F);
}

TEST(Pointwise, AddSpreadScaleSetAndTransform) {
  const Handle handle;
  const TensorDescriptor bias(1, 2, 1, 1), shape(1, 2, 1, 2), last(1, 2, 1, 2, CUDNN_TENSOR_NHWC);
  const TensorDescriptor half(1, 2, 1, 2, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF);
  const DeviceArray<> small(std::vector<float>{10, 20}), large(std::vector<float>{1, 2, 3, 4}), other(4);
  const float two = 2;
  ASSERT_EQ(cudnnAddTensor(handle, &two, bias, small.data(), &kOne, shape, large.data()), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(large.read(), (std::vector<float>{21, 22, 43, 44}));
  EXPECT_EQ(cudnnAddTensor(handle, &two, shape, large.data(), &kOne, bias, small.data()), CUDNN_STATUS_BAD_PARAM);
  ASSERT_EQ(cudnnTransformTensor(handle, &kOne, shape, large.data(), &kZero, last, other.data()), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(other.read(), (std::vector<float>{21, 43, 22, 44}));
  EXPECT_EQ(cudnnTransformTensor(handle, &kOne, shape, large.data(), &kZero, half, other.data()),
            CUDNN_STATUS_BAD_PARAM);
  ASSERT_EQ(cudnnScaleTensor(handle, shape, large.data(), &two), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(large.read(), (std::vector<float>{42, 44, 86, 88}));
  ASSERT_EQ(cudnnSetTensor(handle, shape, large.data(), &two), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(large.read(), std::vector<float>(4, 2));
  EXPECT_EQ(cudnnSetTensor(handle, shape, large.data() + 1, &two), CUDNN_STATUS_EXECUTION_FAILED);  // beyond its memory
}

TEST(Pointwise, CombinesTensors) {
  const Handle handle;
  const OpDescriptor add, multiply;
  ASSERT_EQ(cudnnSetOpTensorDescriptor(add, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN),
            CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(cudnnSetOpTensorDescriptor(multiply, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN),
            CUDNN_STATUS_SUCCESS);
  const TensorDescriptor shape(1, 1, 1, 2);
  const DeviceArray<> a(std::vector<float>{1, 2}), b(std::vector<float>{3, 5}), c(2);
  const float two = 2;
  ASSERT_EQ(cudnnOpTensor(handle, add, &two, shape, a.data(), &kOne, shape, b.data(), &kZero, shape, c.data()),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(c.read(), (std::vector<float>{5, 9}));
  ASSERT_EQ(cudnnOpTensor(handle, multiply, &two, shape, a.data(), &kOne, shape, b.data(), &kOne, shape, c.data()),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(c.read(), (std::vector<float>{11, 29}));
}

TEST(BatchNormalization, ForwardStatisticsAndGradient) {
  const Handle handle;
  const TensorDescriptor shape(2, 2, 2, 1);
  TensorDescriptor parameters(1, 1, 1, 1);
  ASSERT_EQ(cudnnDeriveBNTensorDescriptor(parameters, shape, CUDNN_BATCHNORM_SPATIAL), CUDNN_STATUS_SUCCESS);
  const double epsilon = 1e-3;
  const DeviceArray<> scale(std::vector<float>{2, 3}), bias(std::vector<float>{1, -1}), y(8);
  const DeviceArray<> mean(2), variance(2), saved_mean(2), saved_inverse(2);
  const auto forward_with = [&](const std::vector<float>& in, double factor, float* running_mean) {
    const DeviceArray<> x(in);
    return cudnnBatchNormalizationForwardTraining(
        handle, CUDNN_BATCHNORM_SPATIAL, &kOne, &kZero, shape, x.data(), shape, y.data(), parameters, scale.data(),
        bias.data(), factor, running_mean, variance.data(), epsilon, saved_mean.data(), saved_inverse.data());
  };
  const auto forward = [&](const std::vector<float>& in) {
    EXPECT_EQ(forward_with(in, 1, mean.data()), CUDNN_STATUS_SUCCESS);
    return y.read();
  };
  // Channel 0 holds 1, 3, 5, 7: mean 4, variance 5, of the population 20/3.
  const auto result = forward({1, 3, 0, 0, 5, 7, 0, 1});
  EXPECT_NEAR(result[0], 1 - 6 / std::sqrt(5.001), 1e-5);
  EXPECT_NEAR(mean.read()[0], 4, 1e-6);
  EXPECT_NEAR(variance.read()[0], 20.0 / 3, 1e-5);
  EXPECT_NEAR(saved_inverse.read()[0], 1 / std::sqrt(5.001), 1e-6);
  ASSERT_EQ(forward_with({2, 4, 0, 0, 6, 8, 0, 1}, 0.25, mean.data()), CUDNN_STATUS_SUCCESS);
  EXPECT_NEAR(mean.read()[0], 0.75 * 4 + 0.25 * 5, 1e-5);
  EXPECT_EQ(forward_with({2, 4, 0, 0, 6, 8, 0, 1}, 0.25, nullptr), CUDNN_STATUS_BAD_PARAM);

  const auto values = random_values(8, 8), weights = random_values(8, 9);
  const auto wanted = differences(forward, values, weights);
  forward(values);
  const DeviceArray<> x(values), dy(weights), dx(8), dscale(2), dbias(2);
  ASSERT_EQ(
      cudnnBatchNormalizationBackward(handle, CUDNN_BATCHNORM_SPATIAL, &kOne, &kZero, &kOne, &kZero, shape, x.data(),
                                      shape, dy.data(), shape, dx.data(), parameters, scale.data(), dscale.data(),
                                      dbias.data(), epsilon, saved_mean.data(), saved_inverse.data()),
      CUDNN_STATUS_SUCCESS);
  expect_near(dx.read(), wanted, 2e-2F);
  EXPECT_NEAR(dbias.read()[0], weights[0] + weights[1] + weights[4] + weights[5], 1e-5);
}

}  // namespace
