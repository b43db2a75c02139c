#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace mgbench {

/// Shape of one image's activations; vectors have height = width = 1. The batch is not part of a model.
struct Shape {
  int channels = 0;
  int height = 1;
  int width = 1;
  std::int64_t elements() const { return std::int64_t{channels} * height * width; }
  bool operator==(const Shape&) const = default;
};

/// The vocabulary: every model is built from these, every backend implements each of them.
struct Input {};

/// weight [outputs, inputs / groups, kernel, kernel], bias [outputs].
struct Convolution {
  int outputs = 0;
  int kernel = 1;
  int stride = 1;
  int padding = 0;
  int groups = 1;
  bool bias = true;
};

/// weight [outputs, inputs], bias [outputs]; the input is flattened channel by channel.
struct InnerProduct {
  int outputs = 0;
  bool bias = true;
};

enum class PoolingKind { maximum, average };

/// Averages divide by the number of elements inside the image (padding does not count).
/// Output size: floor((in + 2 padding - kernel) / stride) + 1, or with ceil_mode the ceiling, less one where the last
/// window would start beyond the image and its left padding (Caffe's rule).
struct Pooling {
  PoolingKind kind = PoolingKind::maximum;
  int kernel = 2;
  int stride = 2;
  int padding = 0;
  bool ceil_mode = false;
};

/// Over batch and image, per channel: weight (scale) [channels], bias (shift) [channels];
/// running = (1 - momentum) running + momentum * batch statistic, with the unbiased variance of the batch.
struct BatchNorm {
  double epsilon = 1e-5;
  double momentum = 0.1;
};

/// Across channels: x / (k + alpha / size * sum of squares over `size` neighbouring channels)^beta.
struct LocalResponseNorm {
  int size = 5;
  double alpha = 1e-4;
  double beta = 0.75;
  double k = 1.0;
};

struct Relu {};

/// Zeroes an element with probability `ratio` and scales the others by 1 / (1 - ratio).
struct Dropout {
  double ratio = 0.5;
};

/// Along channels.
struct Concat {};

/// Sum of two inputs of equal shape.
struct Add {};

/// Softmax cross-entropy against one label an image: mean over the batch, times `weight` (auxiliary heads: 0.3).
struct SoftmaxLoss {
  double weight = 1.0;
};

using Operation = std::variant<Input, Convolution, InnerProduct, Pooling, BatchNorm, LocalResponseNorm, Relu, Dropout,
                               Concat, Add, SoftmaxLoss>;

/// "convolution", "batch norm", ...: for reports by layer kind.
std::string_view operation_name(const Operation& operation);

}  // namespace mgbench
