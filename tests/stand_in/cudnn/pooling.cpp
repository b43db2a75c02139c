// Pooling.
#include <algorithm>
#include <limits>

#include "cudnn/values.h"

namespace stand_in {

namespace {

/// The output's size along one axis: 1 + floor((in + 2 pad - window) / stride).
int pooled(const Tensor& x, const cudnnPoolingStruct& pooling, std::size_t axis) {
  return 1 + (x.size[axis + 2] + 2 * pooling.pad[axis] - pooling.window[axis]) / pooling.stride[axis];
}

void require_poolable(const Tensor& x, const cudnnPoolingStruct& pooling) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    require_consistent(x.size[axis + 2] + 2 * pooling.pad[axis] >= pooling.window[axis],
                       "the window is larger than the padded input");
  }
}

/// An output of one more along an axis, whose last window begins within the padded input but ends outside, is allowed:
/// the caller rounded up.
void require_pooled(const Tensor& x, const Tensor& y, const cudnnPoolingStruct& pooling) {
  require_consistent(x.type == y.type, "different data types");
  require_consistent(x.size[0] == y.size[0] && x.size[1] == y.size[1], "input and output differ in images or channels");
  require_poolable(x, pooling);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const int extent = y.size[axis + 2], least = pooled(x, pooling, axis);
    const bool rounded_up = extent == least + 1 && least * pooling.stride[axis] - pooling.pad[axis] < x.size[axis + 2];
    require_consistent(extent == least || rounded_up, "output " + text(y) + " of input " + text(x));
  }
}

/// visit(output's index, first input's index of the plane, rows [from, to), columns [from, to)) of every window.
template <class Visit>
void each_window(const Tensor& x, const Tensor& y, const cudnnPoolingStruct& pooling, Visit visit) {
  const int height = x.size[2], width = x.size[3];
  std::size_t output = 0;
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(x.size[0]) * static_cast<std::size_t>(x.size[1]);
       ++plane) {
    const std::size_t first = plane * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    for (int p = 0; p < y.size[2]; ++p) {
      const int top = p * pooling.stride[0] - pooling.pad[0];
      for (int q = 0; q < y.size[3]; ++q) {
        const int left = q * pooling.stride[1] - pooling.pad[1];
        visit(output++, first, std::array{std::max(top, 0), std::min(top + pooling.window[0], height)},
              std::array{std::max(left, 0), std::min(left + pooling.window[1], width)});
      }
    }
  }
}

bool is_max(const cudnnPoolingStruct& pooling) {
  return pooling.mode == CUDNN_POOLING_MAX || pooling.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

/// What the sum of a window is divided by.
float count(const cudnnPoolingStruct& pooling, const std::array<int, 2>& rows, const std::array<int, 2>& columns) {
  if (pooling.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING) {
    return static_cast<float>(pooling.window[0] * pooling.window[1]);
  }
  return static_cast<float>((rows[1] - rows[0]) * (columns[1] - columns[0]));
}

/// visit(index) of every input of a window.
template <class Visit>
void each_input(const Tensor& x, std::size_t first, const std::array<int, 2>& rows, const std::array<int, 2>& columns,
                Visit visit) {
  for (int h = rows[0]; h < rows[1]; ++h) {
    for (int w = columns[0]; w < columns[1]; ++w) visit(first + static_cast<std::size_t>(h * x.size[3] + w));
  }
}

std::vector<float> pool(const Tensor& x, const Tensor& y, const cudnnPoolingStruct& pooling,
                        const std::vector<float>& in) {
  std::vector<float> out(y.elements());
  each_window(x, y, pooling, [&](std::size_t output, std::size_t first, const auto& rows, const auto& columns) {
    float largest = -std::numeric_limits<float>::infinity(), sum = 0;
    each_input(x, first, rows, columns, [&](std::size_t index) {
      if (in[index] > largest || in[index] != in[index]) largest = in[index];
      sum += in[index];
    });
    out[output] = is_max(pooling) ? largest : sum / count(pooling, rows, columns);
  });
  return out;
}

/// The gradient of a maximum goes to the first input of the window that equals the output.
std::vector<float> pool_back(const Tensor& x, const Tensor& y, const cudnnPoolingStruct& pooling,
                             const std::vector<float>& in, const std::vector<float>& out,
                             const std::vector<float>& dy) {
  std::vector<float> dx(x.elements());
  std::size_t strangers = 0;
  each_window(x, y, pooling, [&](std::size_t output, std::size_t first, const auto& rows, const auto& columns) {
    bool found = false;
    each_input(x, first, rows, columns, [&](std::size_t index) {
      if (!is_max(pooling)) {
        dx[index] += dy[output] / count(pooling, rows, columns);
      } else if (!found && in[index] == out[output]) {
        dx[index] += dy[output];
        found = true;
      }
    });
    if (is_max(pooling) && !found) ++strangers;
  });
  if (strangers > 0) {
    std::fprintf(stderr, "stand-in: cudnnPoolingBackward: %zu values of y are not the maximum of any input\n",
                 strangers);
  }
  return dx;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t descriptor, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan, int window_h, int window_w, int pad_h, int pad_w,
                                          int stride_h, int stride_w) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "poolingDesc is null");
    require_consistent(mode >= CUDNN_POOLING_MAX && mode <= CUDNN_POOLING_MAX_DETERMINISTIC, "no such mode");
    require_consistent(window_h > 0 && window_w > 0 && stride_h > 0 && stride_w > 0,
                       "a window or stride that is not positive");
    require_consistent(pad_h >= 0 && pad_w >= 0, "a negative padding");
    require_nan_choice(nan);
    *descriptor = {true, mode, nan, {window_h, window_w}, {pad_h, pad_w}, {stride_h, stride_w}};
  });
}

cudnnStatus_t cudnnGetPooling2dDescriptor(cudnnPoolingDescriptor_t descriptor, cudnnPoolingMode_t* mode,
                                          cudnnNanPropagation_t* nan, int* window_h, int* window_w, int* pad_h,
                                          int* pad_w, int* stride_h, int* stride_w) {
  return call(__func__, [&] {
    const auto& pooling = described(descriptor, "poolingDesc");
    put(mode, pooling.mode);
    put(nan, pooling.nan);
    put(window_h, pooling.window[0]);
    put(window_w, pooling.window[1]);
    put(pad_h, pooling.pad[0]);
    put(pad_w, pooling.pad[1]);
    put(stride_h, pooling.stride[0]);
    put(stride_w, pooling.stride[1]);
  });
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(cudnnPoolingDescriptor_t descriptor, cudnnTensorDescriptor_t input,
                                                int* n, int* c, int* h, int* w) {
  return call(__func__, [&] {
    const auto& pooling = described(descriptor, "poolingDesc");
    const Tensor& x = described(input, "inputDesc");
    require_consistent(n != nullptr && c != nullptr && h != nullptr && w != nullptr, "a pointer is null");
    require_poolable(x, pooling);
    *n = x.size[0];
    *c = x.size[1];
    *h = pooled(x, pooling, 0);
    *w = pooled(x, pooling, 1);
  });
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, cudnnPoolingDescriptor_t descriptor, const void* alpha,
                                  cudnnTensorDescriptor_t x_descriptor, const void* x, const void* beta,
                                  cudnnTensorDescriptor_t y_descriptor, void* y) {
  return call(__func__, [&] {
    const cudnnPoolingStruct pooling = described(descriptor, "poolingDesc");
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Blend scales = blend(alpha, beta);
    require_pooled(in, out, pooling);
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] { store(out, y, pool(in, out, pooling, load(in, x)), scales); });
  });
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, cudnnPoolingDescriptor_t descriptor, const void* alpha,
                                   cudnnTensorDescriptor_t y_descriptor, const void* y,
                                   cudnnTensorDescriptor_t dy_descriptor, const void* dy,
                                   cudnnTensorDescriptor_t x_descriptor, const void* x, const void* beta,
                                   cudnnTensorDescriptor_t dx_descriptor, void* dx) {
  return call(__func__, [&] {
    const cudnnPoolingStruct pooling = described(descriptor, "poolingDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Tensor in = described(x_descriptor, "xDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(same_layout(out, described(dy_descriptor, "dyDesc")), "yDesc and dyDesc differ");
    require_consistent(same_layout(in, described(dx_descriptor, "dxDesc")), "xDesc and dxDesc differ");
    require_pooled(in, out, pooling);
    require_memory(out, y, "y");
    require_memory(out, dy, "dy");
    require_memory(in, x, "x");
    require_memory(in, dx, "dx");
    run(handle, [=] { store(in, dx, pool_back(in, out, pooling, load(in, x), load(out, y), load(out, dy)), scales); });
  });
}

}  // extern "C"
