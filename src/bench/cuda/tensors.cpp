#include "bench/cuda/tensors.h"

namespace mgbench::cuda {

std::vector<float> channels_last(std::span<const float> plain, std::size_t channels, std::size_t pixels) {
  std::vector<float> result(plain.size());
  for (std::size_t begin = 0; begin < plain.size(); begin += channels * pixels)
    for (std::size_t channel = 0; channel < channels; ++channel)
      for (std::size_t pixel = 0; pixel < pixels; ++pixel)
        result[begin + pixel * channels + channel] = plain[begin + channel * pixels + pixel];
  return result;
}

std::vector<float> channels_first(std::span<const float> stored, std::size_t channels, std::size_t pixels) {
  return channels_last(stored, pixels, channels);  // the same transposition with the sides exchanged
}

void Context::upload(std::span<const float> values, const Shape& shape, ElementType to_type, void* to) const {
  const std::size_t pixels = static_cast<std::size_t>(shape.height) * shape.width;
  const auto stored = layout == Layout::channels_last
                          ? channels_last(values, static_cast<std::size_t>(shape.channels), pixels)
                          : std::vector<float>(values.begin(), values.end());
  const auto bytes = static_cast<Bytes>(stored.size() * sizeof(float));
  const std::shared_ptr<void> staging = to_type == ElementType::float32 ? nullptr : device.allocate(bytes);
  copy(staging ? staging.get() : to, stored.data(), bytes);
  if (staging) kernels.cast(queue, ElementType::float32, staging.get(), to_type, to, stored.size());
  finish();
}

std::vector<float> Context::download(ElementType from_type, const void* from, std::size_t count) const {
  std::vector<float> values(count);
  const auto bytes = static_cast<Bytes>(count * sizeof(float));
  const std::shared_ptr<void> staging = from_type == ElementType::float32 ? nullptr : device.allocate(bytes);
  if (staging) kernels.cast(queue, from_type, from, ElementType::float32, staging.get(), count);
  copy(values.data(), staging ? staging.get() : from, bytes);
  finish();
  return values;
}

Activations::Activations(const Context& context, const ModelSpec& model, const ActivationPlan& plan) {
  std::vector<void*> values(model.layers.size());
  std::vector<void*> gradients(model.layers.size());
  const auto memory = [&](std::vector<void*>& of, int owner, std::size_t count) {
    void*& place = of[static_cast<std::size_t>(owner)];
    if (place == nullptr) {
      memory_.push_back(context.device.allocate(static_cast<Bytes>(count) * size_of(context.type)));
      place = memory_.back().get();
    }
    return place;
  };
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const Shape& shape = model.layers[i].output;
    const int batch = context.request.batch;
    Activation activation{.shape = shape,
                          .descriptor = TensorDescriptor(context.type, context.layout, batch, shape),
                          .count = static_cast<std::size_t>(shape.elements()) * static_cast<std::size_t>(batch)};
    const ActivationPlan::Layer& planned = plan.layers[i];
    if (planned.stored) activation.value = memory(values, planned.value, activation.count);
    if (planned.needs_gradient) activation.gradient = memory(gradients, planned.gradient, activation.count);
    activations_.push_back(std::move(activation));
  }
}

}  // namespace mgbench::cuda
