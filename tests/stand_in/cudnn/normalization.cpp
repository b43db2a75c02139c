// Local response normalization across channels: y = x / (k + alpha / n * sum of x^2 over n channels around)^beta.
#include <algorithm>
#include <cmath>

#include "cudnn/values.h"

namespace stand_in {

namespace {

/// k + alpha / n * sum for every value.
std::vector<double> denominators(const Tensor& tensor, const cudnnLRNStruct& lrn, const std::vector<float>& x) {
  const int channels = tensor.size[1];
  const std::size_t plane = static_cast<std::size_t>(tensor.size[2]) * static_cast<std::size_t>(tensor.size[3]);
  const int behind = static_cast<int>((lrn.window - 1) / 2);
  const int ahead = static_cast<int>(lrn.window) - behind - 1;
  std::vector<double> result(x.size(), lrn.k);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int channel = static_cast<int>(i / plane) % channels;
    const int first = std::max(channel - behind, 0), last = std::min(channel + ahead, channels - 1);
    for (int other = first; other <= last; ++other) {
      const double value = x[i + static_cast<std::size_t>(other) * plane - static_cast<std::size_t>(channel) * plane];
      result[i] += lrn.alpha / lrn.window * value * value;
    }
  }
  return result;
}

std::vector<float> normalize(const Tensor& tensor, const cudnnLRNStruct& lrn, const std::vector<float>& x) {
  const std::vector<double> below = denominators(tensor, lrn, x);
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(x[i] * std::pow(below[i], -lrn.beta));
  return y;
}

/// dx_i = dy_i d_i^-beta - 2 alpha beta / n x_i * sum over the j whose window holds i of dy_j x_j d_j^(-beta - 1).
std::vector<float> normalize_back(const Tensor& tensor, const cudnnLRNStruct& lrn, const std::vector<float>& x,
                                  const std::vector<float>& dy) {
  const int channels = tensor.size[1];
  const std::size_t plane = static_cast<std::size_t>(tensor.size[2]) * static_cast<std::size_t>(tensor.size[3]);
  const int behind = static_cast<int>((lrn.window - 1) / 2);
  const int ahead = static_cast<int>(lrn.window) - behind - 1;
  const std::vector<double> below = denominators(tensor, lrn, x);
  std::vector<double> shares(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) shares[i] = double{dy[i]} * x[i] * std::pow(below[i], -lrn.beta - 1);
  std::vector<float> dx(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int channel = static_cast<int>(i / plane) % channels;
    const int first = std::max(channel - ahead, 0), last = std::min(channel + behind, channels - 1);
    double sum = 0;
    for (int other = first; other <= last; ++other) {
      sum += shares[i + static_cast<std::size_t>(other) * plane - static_cast<std::size_t>(channel) * plane];
    }
    dx[i] =
        static_cast<float>(dy[i] * std::pow(below[i], -lrn.beta) - 2 * lrn.alpha * lrn.beta / lrn.window * x[i] * sum);
  }
  return dx;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned window, double alpha, double beta,
                                    double k) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "normDesc is null");
    require_consistent(window >= CUDNN_LRN_MIN_N && window <= CUDNN_LRN_MAX_N, "lrnN of " + std::to_string(window));
    require_consistent(beta >= CUDNN_LRN_MIN_BETA, "lrnBeta is too small");
    require_consistent(k >= CUDNN_LRN_MIN_K, "lrnK is too small");
    *descriptor = {window, alpha, beta, k};
  });
}

cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned* window, double* alpha, double* beta,
                                    double* k) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "normDesc is null");
    put(window, descriptor->window);
    put(alpha, descriptor->alpha);
    put(beta, descriptor->beta);
    put(k, descriptor->k);
  });
}

cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor, cudnnLRNMode_t mode,
                                          const void* alpha, cudnnTensorDescriptor_t x_descriptor, const void* x,
                                          const void* beta, cudnnTensorDescriptor_t y_descriptor, void* y) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "normDesc is null");
    const cudnnLRNStruct lrn = *descriptor;
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1, "no such mode");
    require_supported(in.type == out.type && same_size(in, out), "input " + text(in) + ", output " + text(out));
    require_supported(in.stride == out.stride, "input and output of different strides");
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] { store(out, y, normalize(in, lrn, load(in, x)), scales); });
  });
}

cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor, cudnnLRNMode_t mode,
                                           const void* alpha, cudnnTensorDescriptor_t y_descriptor, const void* y,
                                           cudnnTensorDescriptor_t dy_descriptor, const void* dy,
                                           cudnnTensorDescriptor_t x_descriptor, const void* x, const void* beta,
                                           cudnnTensorDescriptor_t dx_descriptor, void* dx) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "normDesc is null");
    const cudnnLRNStruct lrn = *descriptor;
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor upper = described(dy_descriptor, "dyDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1, "no such mode");
    require_supported(same_layout(described(y_descriptor, "yDesc"), upper), "yDesc and dyDesc differ");
    require_supported(same_layout(in, described(dx_descriptor, "dxDesc")), "xDesc and dxDesc differ");
    require_supported(same_layout(in, upper), "xDesc and dyDesc differ");
    require_memory(upper, y, "y");
    require_memory(upper, dy, "dy");
    require_memory(in, x, "x");
    require_memory(in, dx, "dx");
    run(handle, [=] { store(in, dx, normalize_back(in, lrn, load(in, x), load(upper, dy)), scales); });
  });
}

}  // extern "C"
