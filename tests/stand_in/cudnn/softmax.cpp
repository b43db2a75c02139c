// Softmax.
#include <algorithm>
#include <cmath>

#include "cudnn/values.h"

namespace stand_in {

namespace {

/// Over the channels of each point, or over all values of each image.
std::vector<float> softmax(const Tensor& tensor, cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode,
                           std::vector<float> values) {
  const std::size_t plane = static_cast<std::size_t>(tensor.size[2]) * static_cast<std::size_t>(tensor.size[3]);
  const std::size_t image = static_cast<std::size_t>(tensor.size[1]) * plane;
  const std::size_t step = mode == CUDNN_SOFTMAX_MODE_CHANNEL ? plane : 1;
  for (std::size_t first = 0; first < values.size(); first += image) {
    for (std::size_t point = 0; point < step; ++point) {
      float largest = values[first + point];
      for (std::size_t i = point; i < image; i += step) largest = std::max(largest, values[first + i]);
      double sum = 0;
      for (std::size_t i = point; i < image; i += step) sum += std::exp(double{values[first + i]} - largest);
      for (std::size_t i = point; i < image; i += step) {
        const double logarithm = double{values[first + i]} - largest - std::log(sum);
        values[first + i] = static_cast<float>(algorithm == CUDNN_SOFTMAX_LOG ? logarithm : std::exp(logarithm));
      }
    }
  }
  return values;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode,
                                  const void* alpha, cudnnTensorDescriptor_t x_descriptor, const void* x,
                                  const void* beta, cudnnTensorDescriptor_t y_descriptor, void* y) {
  return call(__func__, [&] {
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(algorithm >= CUDNN_SOFTMAX_FAST && algorithm <= CUDNN_SOFTMAX_LOG, "no such algorithm");
    require_consistent(mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL, "no such mode");
    require_consistent(in.type == out.type && same_size(in, out), "input " + text(in) + ", output " + text(out));
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] { store(out, y, softmax(in, algorithm, mode, load(in, x)), scales); });
  });
}

}  // extern "C"
