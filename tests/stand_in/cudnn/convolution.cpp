#include "cudnn/convolution.h"

#include "core/gemm.h"
#include "core/settings.h"

namespace stand_in {

namespace {

/// visit(row of the matrix of patches, column, index in one group's input or none) in the order of channel, filter row
/// and column (the rows), and output row and column (the columns).
template <class Visit>
void each_patch_value(const Convolution& problem, Visit visit) {
  const auto [pad_h, pad_w] = problem.settings.pad;
  const auto [stride_h, stride_w] = problem.settings.stride;
  const auto [dilation_h, dilation_w] = problem.settings.dilation;
  const int height = problem.x.size[2], width = problem.x.size[3];
  std::size_t row = 0;
  for (int c = 0; c < problem.w.size[1]; ++c) {
    for (int r = 0; r < problem.w.size[2]; ++r) {
      for (int s = 0; s < problem.w.size[3]; ++s, ++row) {
        std::size_t column = 0;
        for (int p = 0; p < problem.y.size[2]; ++p) {
          const int h = p * stride_h - pad_h + r * dilation_h;
          for (int q = 0; q < problem.y.size[3]; ++q, ++column) {
            const int w = q * stride_w - pad_w + s * dilation_w;
            if (h < 0 || h >= height || w < 0 || w >= width) continue;
            visit(row, column,
                  (static_cast<std::size_t>(c) * static_cast<std::size_t>(height) + static_cast<std::size_t>(h)) *
                          static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(w));
          }
        }
      }
    }
  }
}

/// visit(first value of the group's channels in x, in w, in y) for every image and group.
template <class Visit>
void each_group(const Convolution& problem, Visit visit) {
  const auto groups = static_cast<std::size_t>(problem.settings.groups);
  const std::size_t x_step = static_cast<std::size_t>(problem.w.size[1]) * problem.inputs();
  const std::size_t w_step = static_cast<std::size_t>(problem.w.size[0]) / groups * problem.taps();
  const std::size_t y_step = static_cast<std::size_t>(problem.w.size[0]) / groups * problem.outputs();
  for (std::size_t n = 0; n < static_cast<std::size_t>(problem.x.size[0]); ++n) {
    for (std::size_t g = 0; g < groups; ++g) visit((n * groups + g) * x_step, g * w_step, (n * groups + g) * y_step);
  }
}

std::size_t channels_out(const Convolution& problem) {
  return static_cast<std::size_t>(problem.w.size[0] / problem.settings.groups);
}

}  // namespace

std::array<int, 4> output_size(const Tensor& x, const Filter& w, const cudnnConvolutionStruct& settings) {
  require_consistent(x.size[1] == w.size[1] * settings.groups,
                     "input of " + std::to_string(x.size[1]) + " channels, filter of " + std::to_string(w.size[1]) +
                         " in each of " + std::to_string(settings.groups) + " groups");
  std::array<int, 4> size{x.size[0], w.size[0]};
  for (std::size_t i = 0; i < 2; ++i) {
    const int reach = (w.size[i + 2] - 1) * settings.dilation[i] + 1;
    const int room = x.size[i + 2] + 2 * settings.pad[i] - reach;
    require_consistent(room >= 0, "the filter is larger than the padded input");
    size[i + 2] = 1 + room / settings.stride[i];
  }
  return size;
}

Convolution convolution(cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t settings,
                        cudnnTensorDescriptor_t y) {
  Convolution problem{described(x, "the input's descriptor"), described(w, "the filter's descriptor"),
                      described(settings, "convDesc"), described(y, "the output's descriptor")};
  Tensor wanted = problem.y;
  wanted.size = output_size(problem.x, problem.w, problem.settings);
  require_consistent(same_size(problem.y, wanted), "output " + text(problem.y) + " where it is " + text(wanted));
  require_consistent(problem.x.type == problem.w.type && problem.x.type == problem.y.type,
                     "input, filter and output of different types");
  require_consistent(problem.w.size[0] % problem.settings.groups == 0, "output channels do not divide into groups");
  require_supported(problem.settings.compute == CUDNN_DATA_FLOAT, "computing in another type than float");
  require_supported(problem.settings.mode == CUDNN_CROSS_CORRELATION, "a mode other than cross-correlation");
  if (problem.w.format == CUDNN_TENSOR_NHWC) {
    require_supported(stand_in::settings().nhwc, "NHWC, as the environment asks");
    require_supported(packed_as(problem.x, CUDNN_TENSOR_NHWC) && packed_as(problem.y, CUDNN_TENSOR_NHWC),
                      "an NHWC filter with tensors that are not packed NHWC");
  }
  return problem;
}

std::vector<float> convolve(const Convolution& problem, const std::vector<float>& x, const std::vector<float>& w) {
  std::vector<float> y(problem.y.elements());
  std::vector<float> patches(problem.taps() * problem.outputs());
  each_group(problem, [&](std::size_t in, std::size_t filter, std::size_t out) {
    // Values outside of the input stay zero.
    each_patch_value(problem, [&](std::size_t row, std::size_t column, std::size_t index) {
      patches[row * problem.outputs() + column] = x[in + index];
    });
    gemm(channels_out(problem), problem.outputs(), problem.taps(), {&w[filter], problem.taps(), 1}, patches.data(),
         &y[out]);
  });
  return y;
}

std::vector<float> convolve_back_to_data(const Convolution& problem, const std::vector<float>& w,
                                         const std::vector<float>& dy) {
  std::vector<float> dx(problem.x.elements());
  std::vector<float> patches;
  each_group(problem, [&](std::size_t in, std::size_t filter, std::size_t out) {
    patches.assign(problem.taps() * problem.outputs(), 0.0F);
    gemm(problem.taps(), problem.outputs(), channels_out(problem), {&w[filter], 1, problem.taps()}, &dy[out],
         patches.data());
    each_patch_value(problem, [&](std::size_t row, std::size_t column, std::size_t index) {
      dx[in + index] += patches[row * problem.outputs() + column];
    });
  });
  return dx;
}

std::vector<float> convolve_back_to_filter(const Convolution& problem, const std::vector<float>& x,
                                           const std::vector<float>& dy) {
  std::vector<float> dw(static_cast<std::size_t>(problem.w.size[0]) * problem.taps());
  std::vector<float> patches(problem.outputs() * problem.taps());
  each_group(problem, [&](std::size_t in, std::size_t filter, std::size_t out) {
    each_patch_value(problem, [&](std::size_t row, std::size_t column, std::size_t index) {
      patches[column * problem.taps() + row] = x[in + index];
    });
    gemm(channels_out(problem), problem.taps(), problem.outputs(), {&dy[out], problem.outputs(), 1}, patches.data(),
         &dw[filter]);
  });
  return dw;
}

}  // namespace stand_in
