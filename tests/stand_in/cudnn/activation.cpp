// Activations: rectification.
#include <algorithm>

#include "cudnn/values.h"

namespace stand_in {

namespace {

void require_rectification(const cudnnActivationStruct& activation) {
  require_supported(activation.mode == CUDNN_ACTIVATION_RELU, "an activation other than CUDNN_ACTIVATION_RELU");
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* descriptor) {
  return call(__func__, [&] { create(descriptor); });
}

cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t descriptor) {
  return call(__func__, [&] { delete descriptor; });
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t descriptor, cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t nan, double coefficient) {
  return call(__func__, [&] {
    require_consistent(descriptor != nullptr, "activationDesc is null");
    require_consistent(mode >= CUDNN_ACTIVATION_SIGMOID && mode <= CUDNN_ACTIVATION_SWISH, "no such mode");
    require_nan_choice(nan);
    *descriptor = {true, mode, nan, coefficient};
  });
}

cudnnStatus_t cudnnGetActivationDescriptor(cudnnActivationDescriptor_t descriptor, cudnnActivationMode_t* mode,
                                           cudnnNanPropagation_t* nan, double* coefficient) {
  return call(__func__, [&] {
    const auto& activation = described(descriptor, "activationDesc");
    put(mode, activation.mode);
    put(nan, activation.nan);
    put(coefficient, activation.coefficient);
  });
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t descriptor, const void* alpha,
                                     cudnnTensorDescriptor_t x_descriptor, const void* x, const void* beta,
                                     cudnnTensorDescriptor_t y_descriptor, void* y) {
  return call(__func__, [&] {
    require_rectification(described(descriptor, "activationDesc"));
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(in.type == out.type && same_size(in, out), "input " + text(in) + ", output " + text(out));
    require_consistent(x != y || same_layout(in, out), "in place with different strides");
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    run(handle, [=] {
      std::vector<float> values = load(in, x);
      for (float& value : values) value = value < 0 ? 0 : value;  // a NaN stays
      store(out, y, values, scales);
    });
  });
}

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t descriptor, const void* alpha,
                                      cudnnTensorDescriptor_t y_descriptor, const void* y,
                                      cudnnTensorDescriptor_t dy_descriptor, const void* dy,
                                      cudnnTensorDescriptor_t x_descriptor, const void* x, const void* beta,
                                      cudnnTensorDescriptor_t dx_descriptor, void* dx) {
  return call(__func__, [&] {
    require_rectification(described(descriptor, "activationDesc"));
    const Tensor result = described(y_descriptor, "yDesc");
    const Tensor upper = described(dy_descriptor, "dyDesc");
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor lower = described(dx_descriptor, "dxDesc");
    const Blend scales = blend(alpha, beta);
    for (const Tensor& other : {upper, in, lower}) {
      require_consistent(other.type == result.type && same_size(other, result),
                         text(other) + " beside " + text(result));
    }
    require_consistent(dy != dx || same_layout(upper, lower), "in place with different strides");
    require_memory(result, y, "y");
    require_memory(upper, dy, "dy");
    require_memory(in, x, "x");
    require_memory(lower, dx, "dx");
    run(handle, [=] {
      const std::vector<float> outputs = load(result, y), inputs = load(in, x);
      std::vector<float> gradients = load(upper, dy);
      std::size_t strangers = 0;
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        if ((inputs[i] > 0) != (outputs[i] > 0)) ++strangers;
        if (!(inputs[i] > 0)) gradients[i] = 0;
      }
      if (strangers > 0) {
        std::fprintf(stderr, "stand-in: cudnnActivationBackward: %zu values of y are not those of x\n", strangers);
      }
      store(lower, dx, gradients, scales);
    });
  });
}

}  // extern "C"
