// Batch normalization over images and points of each channel.
#include <cmath>

#include "cudnn/values.h"

namespace stand_in {

namespace {

/// One value a channel.
struct Statistics {
  std::vector<double> mean;
  std::vector<double> variance;  // of the values themselves, not an estimate of where they come from
};

/// visit(index, channel) of every value.
template <class Visit>
void each_value(const Tensor& tensor, Visit visit) {
  const std::size_t plane = static_cast<std::size_t>(tensor.size[2]) * static_cast<std::size_t>(tensor.size[3]);
  const auto channels = static_cast<std::size_t>(tensor.size[1]);
  for (std::size_t block = 0, index = 0; index < tensor.elements(); ++block) {
    for (std::size_t i = 0; i < plane; ++i) visit(index++, block % channels);
  }
}

double values_per_channel(const Tensor& tensor) {
  return static_cast<double>(tensor.elements()) / tensor.size[1];
}

Statistics statistics(const Tensor& tensor, const std::vector<float>& x) {
  const auto channels = static_cast<std::size_t>(tensor.size[1]);
  Statistics result{std::vector<double>(channels), std::vector<double>(channels)};
  each_value(tensor, [&](std::size_t i, std::size_t c) { result.mean[c] += x[i]; });
  for (double& mean : result.mean) mean /= values_per_channel(tensor);
  each_value(tensor, [&](std::size_t i, std::size_t c) {
    const double difference = x[i] - result.mean[c];
    result.variance[c] += difference * difference;
  });
  for (double& variance : result.variance) variance /= values_per_channel(tensor);
  return result;
}

/// running = factor * new + (1 - factor) * running; a factor of 1 begins, and reads nothing.
void average(const Tensor& parameters, void* running, const std::vector<double>& fresh, double scale, double factor) {
  std::vector<float> values(fresh.size());
  for (std::size_t c = 0; c < fresh.size(); ++c) values[c] = static_cast<float>(scale * fresh[c]);
  store(parameters, running, values, {static_cast<float>(factor), static_cast<float>(1 - factor)});
}

/// The derived descriptor: one float a channel.
Tensor parameters_of(const Tensor& x) {
  const std::array<int, 4> size{1, x.size[1], 1, 1};
  return {true, CUDNN_DATA_FLOAT, size, packed_strides(CUDNN_TENSOR_NCHW, size)};
}

void require_mode(cudnnBatchNormMode_t mode) {
  require_supported(mode == CUDNN_BATCHNORM_SPATIAL || mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT,
                    "a mode other than CUDNN_BATCHNORM_SPATIAL and CUDNN_BATCHNORM_SPATIAL_PERSISTENT");
}

void require_parameters(const Tensor& parameters, const Tensor& x) {
  require_consistent(parameters.size == std::array{1, x.size[1], 1, 1} && parameters.type == CUDNN_DATA_FLOAT,
                     "parameters of " + text(parameters) + " for " + text(x));
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derived, cudnnTensorDescriptor_t x,
                                            cudnnBatchNormMode_t mode) {
  return call(__func__, [&] {
    require_consistent(derived != nullptr, "derivedBnDesc is null");
    require_mode(mode);
    *derived = parameters_of(described(x, "xDesc"));
  });
}

cudnnStatus_t cudnnBatchNormalizationForwardTraining(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha,
                                                     const void* beta, cudnnTensorDescriptor_t x_descriptor,
                                                     const void* x, cudnnTensorDescriptor_t y_descriptor, void* y,
                                                     cudnnTensorDescriptor_t parameter_descriptor, const void* scale,
                                                     const void* bias, double factor, void* running_mean,
                                                     void* running_variance, double epsilon, void* saved_mean,
                                                     void* saved_inverse) {
  return call(__func__, [&] {
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor out = described(y_descriptor, "yDesc");
    const Tensor parameters = described(parameter_descriptor, "bnScaleBiasMeanVarDesc");
    const Blend scales = blend(alpha, beta);
    require_mode(mode);
    require_consistent(in.type == out.type && same_size(in, out), "input " + text(in) + ", output " + text(out));
    require_parameters(parameters, in);
    require_consistent((running_mean == nullptr) == (running_variance == nullptr), "one running result is null");
    require_consistent((saved_mean == nullptr) == (saved_inverse == nullptr), "one saved result is null");
    require_consistent(epsilon >= CUDNN_BN_MIN_EPSILON, "epsilon is too small");
    require_consistent(factor >= 0 && factor <= 1, "exponentialAverageFactor is not between 0 and 1");
    require_memory(in, x, "x");
    require_memory(out, y, "y");
    require_memory(parameters, scale, "bnScale");
    require_memory(parameters, bias, "bnBias");
    for (const void* optional : {running_mean, running_variance, saved_mean, saved_inverse}) {
      if (optional != nullptr) require_memory(parameters, optional, "a result of statistics");
    }
    run(handle, [=] {
      std::vector<float> values = load(in, x);
      const std::vector<float> scale_of = load(parameters, scale), bias_of = load(parameters, bias);
      const Statistics batch = statistics(in, values);
      std::vector<double> inverse(batch.variance.size());
      for (std::size_t c = 0; c < inverse.size(); ++c) inverse[c] = 1 / std::sqrt(batch.variance[c] + epsilon);
      each_value(in, [&](std::size_t i, std::size_t c) {
        values[i] = static_cast<float>(scale_of[c] * (values[i] - batch.mean[c]) * inverse[c] + bias_of[c]);
      });
      store(out, y, values, scales);
      if (running_mean != nullptr) {
        // The running variance estimates the population's.
        const double count = values_per_channel(in);
        average(parameters, running_mean, batch.mean, 1, factor);
        average(parameters, running_variance, batch.variance, count > 1 ? count / (count - 1) : 1, factor);
      }
      if (saved_mean != nullptr) {
        average(parameters, saved_mean, batch.mean, 1, 1);
        average(parameters, saved_inverse, inverse, 1, 1);
      }
    });
  });
}

cudnnStatus_t cudnnBatchNormalizationBackward(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha_data,
                                              const void* beta_data, const void* alpha_parameters,
                                              const void* beta_parameters, cudnnTensorDescriptor_t x_descriptor,
                                              const void* x, cudnnTensorDescriptor_t dy_descriptor, const void* dy,
                                              cudnnTensorDescriptor_t dx_descriptor, void* dx,
                                              cudnnTensorDescriptor_t parameter_descriptor, const void* scale,
                                              void* dscale, void* dbias, double epsilon, const void* saved_mean,
                                              const void* saved_inverse) {
  return call(__func__, [&] {
    const Tensor in = described(x_descriptor, "xDesc");
    const Tensor upper = described(dy_descriptor, "dyDesc");
    const Tensor lower = described(dx_descriptor, "dxDesc");
    const Tensor parameters = described(parameter_descriptor, "dBnScaleBiasDesc");
    const Blend data_scales = blend(alpha_data, beta_data), parameter_scales = blend(alpha_parameters, beta_parameters);
    require_mode(mode);
    for (const Tensor& other : {upper, lower}) {
      require_consistent(other.type == in.type && same_size(other, in), text(other) + " beside " + text(in));
    }
    require_parameters(parameters, in);
    require_consistent((saved_mean == nullptr) == (saved_inverse == nullptr), "one saved result is null");
    require_consistent(epsilon >= CUDNN_BN_MIN_EPSILON, "epsilon is too small");
    require_memory(in, x, "x");
    require_memory(upper, dy, "dy");
    require_memory(lower, dx, "dx");
    require_memory(parameters, scale, "bnScale");
    require_memory(parameters, dscale, "dBnScaleResult");
    require_memory(parameters, dbias, "dBnBiasResult");
    for (const void* optional : {saved_mean, saved_inverse}) {
      if (optional != nullptr) require_memory(parameters, optional, "a saved result");
    }
    run(handle, [=] {
      const std::vector<float> values = load(in, x), scale_of = load(parameters, scale);
      std::vector<float> gradients = load(upper, dy);
      const std::size_t channels = scale_of.size();
      std::vector<double> mean(channels), inverse(channels);
      if (saved_mean != nullptr) {
        const std::vector<float> means = load(parameters, saved_mean), inverses = load(parameters, saved_inverse);
        mean.assign(means.begin(), means.end());
        inverse.assign(inverses.begin(), inverses.end());
      } else {
        const Statistics batch = statistics(in, values);
        mean = batch.mean;
        for (std::size_t c = 0; c < channels; ++c) inverse[c] = 1 / std::sqrt(batch.variance[c] + epsilon);
      }
      std::vector<double> of_scale(channels), of_bias(channels);
      each_value(in, [&](std::size_t i, std::size_t c) {
        of_bias[c] += gradients[i];
        of_scale[c] += gradients[i] * (values[i] - mean[c]) * inverse[c];
      });
      const double count = values_per_channel(in);
      each_value(in, [&](std::size_t i, std::size_t c) {
        const double normal = (values[i] - mean[c]) * inverse[c];
        gradients[i] = static_cast<float>(scale_of[c] * inverse[c] *
                                          (gradients[i] - of_bias[c] / count - normal * of_scale[c] / count));
      });
      store(lower, dx, gradients, data_scales);
      store(parameters, dscale, {of_scale.begin(), of_scale.end()}, parameter_scales);
      store(parameters, dbias, {of_bias.begin(), of_bias.end()}, parameter_scales);
    });
  });
}

}  // extern "C"
