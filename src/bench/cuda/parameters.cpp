#include "bench/cuda/parameters.h"

#include <algorithm>

#include "bench/backends/synthetic.h"

namespace mgbench::cuda {
namespace {

constexpr std::size_t kAlignment = 16;  // of vector loads

/// Of a filter or of a product behind an image: [outputs, channels, pixels]; other tensors have one layout.
std::pair<std::size_t, std::size_t> channels_and_pixels(const ModelSpec& model, const ArenaTensor& tensor) {
  const LayerSpec& layer = model.layers[static_cast<std::size_t>(tensor.layer)];
  if (tensor.parameter != 0) return {1, 1};
  if (const auto* convolution = std::get_if<Convolution>(&layer.operation)) {
    const auto pixels = static_cast<std::size_t>(convolution->kernel) * static_cast<std::size_t>(convolution->kernel);
    return {static_cast<std::size_t>(layer.parameters[0].dimensions[1]), pixels};
  }
  if (!std::holds_alternative<InnerProduct>(layer.operation)) return {1, 1};
  const Shape& input = model.layers[static_cast<std::size_t>(layer.inputs[0])].output;
  return {static_cast<std::size_t>(input.channels), static_cast<std::size_t>(input.height) * input.width};
}

}  // namespace

Parameters::Parameters(const Context& context, const ModelSpec& model)
    : context_(context), count_(static_cast<std::size_t>(model.parameters())), tensor_of_(model.layers.size()) {
  std::size_t largest = 0;
  for (const ArenaTensor& tensor : arena_layout(model, execution_order(model))) {
    auto& of_layer = tensor_of_[static_cast<std::size_t>(tensor.layer)];
    of_layer.resize(std::max(of_layer.size(), tensor.parameter + 1));
    of_layer[tensor.parameter] = tensors_.size();
    const auto [channels, pixels] = channels_and_pixels(model, tensor);
    tensors_.push_back({.offset = static_cast<std::size_t>(tensor.offset),
                        .count = static_cast<std::size_t>(tensor.elements),
                        .channels = channels,
                        .pixels = pixels});
    largest = std::max(largest, 2 * tensors_.back().count);  // batch norms have two at once
  }
  const auto bytes = [](std::size_t count, ElementType type) { return static_cast<Bytes>(count) * size_of(type); };
  values_ = context.device.allocate(bytes(count_, ElementType::float32));
  momentum_ = context.device.allocate(bytes(count_, ElementType::float32));
  gradients_ = context.device.allocate(bytes(count_, context.request.gradients));
  if (context.type != ElementType::float32) copy_ = context.device.allocate(bytes(count_, context.type));
  const bool widens = context.request.gradients != ElementType::float32;
  scratch_ = context.device.allocate(bytes(widens ? count_ : largest, ElementType::float32));
  for (Tensor& tensor : tensors_) {
    if (tensor.offset * static_cast<std::size_t>(size_of(context.type)) % kAlignment == 0) continue;
    aligned_.push_back(context.device.allocate(bytes(tensor.count, context.type)));
    tensor.aligned = aligned_.back().get();
  }
  check(cudaMemsetAsync(gradients_.get(), 0, count_ * static_cast<std::size_t>(size_of(context.request.gradients)),
                        context.queue),
        "cudaMemsetAsync");
  set_stored_momentum(std::vector<float>(count_, 0.0F));
  set_stored_parameters(stored(initial_parameters(model, context.request.seed)));
}

const Parameters::Tensor& Parameters::tensor(int layer, std::size_t parameter) const {
  return tensors_[tensor_of_[static_cast<std::size_t>(layer)][parameter]];
}

float* Parameters::at(const std::shared_ptr<void>& arena, const Tensor& tensor) const {
  return static_cast<float*>(arena.get()) + tensor.offset;
}

const void* Parameters::value(int layer, std::size_t parameter) const {
  const Tensor& wanted = tensor(layer, parameter);
  if (wanted.aligned != nullptr) return wanted.aligned;
  if (!copy_) return at(values_, wanted);
  return static_cast<const std::byte*>(copy_.get()) + wanted.offset * static_cast<std::size_t>(size_of(context_.type));
}

const float* Parameters::single(int layer, std::size_t parameter) const {
  return at(values_, tensor(layer, parameter));
}

bool Parameters::in_arena(const Tensor& tensor, ElementType type) const {
  return type == context_.request.gradients &&
         tensor.offset * static_cast<std::size_t>(size_of(type)) % kAlignment == 0;
}

void* Parameters::target(int layer, std::size_t parameter, ElementType type) {
  const Tensor& wanted = tensor(layer, parameter);
  if (!in_arena(wanted, type)) return scratch_.get();
  return static_cast<std::byte*>(gradients_.get()) + wanted.offset * static_cast<std::size_t>(size_of(type));
}

void Parameters::deliver(int layer, std::size_t parameter, ElementType type) {
  const Tensor& wanted = tensor(layer, parameter);
  if (in_arena(wanted, type)) return;
  const ElementType to_type = context_.request.gradients;
  void* to = static_cast<std::byte*>(gradients_.get()) + wanted.offset * static_cast<std::size_t>(size_of(to_type));
  if (type == to_type)
    context_.copy(to, scratch_.get(), static_cast<Bytes>(wanted.count) * size_of(type));
  else
    context_.kernels.cast(context_.queue, type, scratch_.get(), to_type, to, wanted.count);
}

/// v = momentum v + (gradient / ranks + decay w); w = w - rate v, by what cuBLAS has.
void Parameters::update() {
  const SgdOptions& sgd = context_.request.sgd;
  const auto count = static_cast<int>(count_);
  auto* values = static_cast<float*>(values_.get());
  auto* momentum = static_cast<float*>(momentum_.get());
  const auto* gradients = static_cast<const float*>(gradients_.get());
  if (context_.request.gradients != ElementType::float32) {
    context_.kernels.cast(context_.queue, context_.request.gradients, gradients_.get(), ElementType::float32,
                          scratch_.get(), count_);
    gradients = static_cast<const float*>(scratch_.get());
  }
  const float share = 1.0F / (static_cast<float>(context_.request.ranks) * loss_scale());
  const float step = -sgd.learning_rate;
  check(cublasSscal(context_.cublas, count, &sgd.momentum, momentum, 1), "cublasSscal");
  check(cublasSaxpy(context_.cublas, count, &share, gradients, 1, momentum, 1), "cublasSaxpy");
  check(cublasSaxpy(context_.cublas, count, &sgd.weight_decay, values, 1, momentum, 1), "cublasSaxpy");
  check(cublasSaxpy(context_.cublas, count, &step, momentum, 1, values, 1), "cublasSaxpy");
  refresh();
}

void Parameters::refresh() {
  if (copy_)
    context_.kernels.cast(context_.queue, ElementType::float32, values_.get(), context_.type, copy_.get(), count_);
  const auto* from = static_cast<const std::byte*>(copy_ ? copy_.get() : values_.get());
  const auto size = static_cast<std::size_t>(size_of(context_.type));
  for (const Tensor& tensor : tensors_)
    if (tensor.aligned != nullptr)
      context_.copy(tensor.aligned, from + tensor.offset * size, static_cast<Bytes>(tensor.count * size));
}

GradientView Parameters::gradients(ByteRange range) const {
  const ElementType type = context_.request.gradients;
  return {.data = static_cast<std::byte*>(gradients_.get()) + range.begin,
          .count = static_cast<std::size_t>(range.size() / size_of(type)),
          .type = type,
          .space = MemorySpace::device};
}

std::vector<float> Parameters::stored_parameters() const {
  return context_.download(ElementType::float32, values_.get(), count_);
}
std::vector<float> Parameters::stored_momentum() const {
  return context_.download(ElementType::float32, momentum_.get(), count_);
}
std::vector<float> Parameters::stored_gradients() const {
  std::vector<float> values = context_.download(context_.request.gradients, gradients_.get(), count_);
  for (float& value : values) value /= loss_scale();
  return values;
}

void Parameters::set_stored_parameters(std::span<const float> values) {
  require(values.size() == count_, "{} parameters for an arena of {}", values.size(), count_);
  context_.copy(values_.get(), values.data(), static_cast<Bytes>(values.size_bytes()));
  refresh();
  context_.finish();
}

void Parameters::set_stored_momentum(std::span<const float> values) {
  require(values.size() == count_, "{} momenta for an arena of {}", values.size(), count_);
  context_.copy(momentum_.get(), values.data(), static_cast<Bytes>(values.size_bytes()));
  context_.finish();
}

void Parameters::set_stored_gradients(std::span<const float> values) {
  require(values.size() == count_, "{} gradients for an arena of {}", values.size(), count_);
  std::vector<float> scaled(values.begin(), values.end());
  for (float& value : scaled) value *= loss_scale();
  const ElementType type = context_.request.gradients;
  const bool single = type == ElementType::float32;
  context_.copy(single ? gradients_.get() : scratch_.get(), scaled.data(),
                static_cast<Bytes>(scaled.size() * sizeof(float)));
  if (!single)
    context_.kernels.cast(context_.queue, ElementType::float32, scratch_.get(), type, gradients_.get(), count_);
  context_.finish();
}

std::vector<float> Parameters::plain(std::span<const float> stored) const {
  return transposed(stored, true);
}
std::vector<float> Parameters::stored(std::span<const float> plain) const {
  return transposed(plain, false);
}

std::vector<float> Parameters::transposed(std::span<const float> values, bool to_plain) const {
  std::vector<float> result(values.begin(), values.end());
  if (context_.layout == Layout::channels_first) return result;
  for (const Tensor& tensor : tensors_) {
    const auto part = values.subspan(tensor.offset, tensor.count);
    std::ranges::copy(to_plain ? channels_first(part, tensor.channels, tensor.pixels)
                               : channels_last(part, tensor.channels, tensor.pixels),
                      result.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
  }
  return result;
}

Bytes Parameters::memory(const ModelSpec& model, ElementType activations, ElementType gradients) {
  const Bytes copies = activations == ElementType::float32 ? 0 : size_of(activations);
  return model.parameters() * (3 * size_of(ElementType::float32) + size_of(gradients) + copies);
}

}  // namespace mgbench::cuda
