#include "bench/backends/eigen/reference_model.h"

#include <omp.h>

#include <algorithm>

#include "bench/backends/synthetic.h"

namespace mgbench {
namespace {

template <typename Scalar, typename Operation>
LayerPointer<Scalar> make(const Operation& operation, LayerContext<Scalar> context) {
  return make_layer<Scalar>(operation, std::move(context));
}
template <typename Scalar>
LayerPointer<Scalar> make(const Input&, LayerContext<Scalar>) {
  return nullptr;
}

}  // namespace

template <typename Scalar>
ReferenceModel<Scalar>::ReferenceModel(const NetworkRequest& request)
    : model_(*request.model),
      request_(request),
      steps_(execution_order(model_)),
      momentum_(static_cast<std::size_t>(model_.parameters()), Scalar{0}),
      gradients_(momentum_.size(), Scalar{0}) {
  omp_set_num_threads(request.threads);  // for Eigen's products
  request_.model = &model_;
  const std::vector<float> initial = initial_parameters(model_, request.seed);
  parameters_.assign(initial.begin(), initial.end());
  for (const LayerSpec& layer : model_.layers) {
    const std::size_t size = static_cast<std::size_t>(layer.output.elements()) * request.batch;
    activations_.push_back({request.batch, layer.output, std::vector<Scalar>(size), std::vector<Scalar>(size)});
  }
  const auto images = synthetic_images(model_.layers[0].output, request.batch, request.seed, request.rank);
  std::copy(images.begin(), images.end(), activations_[0].value.begin());
  for (int i = 0; i < static_cast<int>(model_.layers.size()); ++i)
    layers_.push_back(std::visit([&](const auto& operation) { return make<Scalar>(operation, context(i)); },
                                 model_.layers[static_cast<std::size_t>(i)].operation));
}

template <typename Scalar>
LayerContext<Scalar> ReferenceModel<Scalar>::context(int layer) {
  LayerContext<Scalar> result;
  for (const int input : model_.layers[static_cast<std::size_t>(layer)].inputs)
    result.inputs.push_back(&activations_[static_cast<std::size_t>(input)]);
  result.output = &activations_[static_cast<std::size_t>(layer)];
  for (const ArenaTensor& tensor : arena_layout(model_, steps_)) {
    if (tensor.layer != layer) continue;
    const auto offset = static_cast<std::size_t>(tensor.offset);
    const auto elements = static_cast<std::size_t>(tensor.elements);
    result.parameters.push_back(std::span(parameters_).subspan(offset, elements));
    result.gradients.push_back(std::span(gradients_).subspan(offset, elements));
  }
  result.request = &request_;
  result.iteration = &iteration_;
  result.layer = layer;
  return result;
}

template <typename Scalar>
void ReferenceModel<Scalar>::forward(std::size_t step) {
  for (const int layer : steps_[step].forward)
    if (auto& pointer = layers_[static_cast<std::size_t>(layer)]) pointer->forward();
}

template <typename Scalar>
void ReferenceModel<Scalar>::backward(std::size_t step) {
  if (step + 1 == steps_.size())
    for (Activation<Scalar>& activation : activations_) std::ranges::fill(activation.gradient, Scalar{0});
  for (const BackwardOperation& operation : steps_[step].backward)
    layers_[static_cast<std::size_t>(operation.layer)]->backward(operation.part);
}

template <typename Scalar>
void ReferenceModel<Scalar>::update() {
  const SgdOptions& sgd = request_.sgd;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Scalar gradient = gradients_[i] / static_cast<Scalar>(request_.ranks) + sgd.weight_decay * parameters_[i];
    momentum_[i] = sgd.momentum * momentum_[i] + gradient;
    parameters_[i] -= sgd.learning_rate * momentum_[i];
  }
  ++iteration_;
}

template <typename Scalar>
double ReferenceModel<Scalar>::loss() const {
  double sum = 0;
  for (const auto& layer : layers_)
    if (layer) sum += layer->loss();
  return sum;
}

template <typename Scalar>
const RunningStatistics* ReferenceModel<Scalar>::running_statistics(int layer) const {
  const auto& pointer = layers_[static_cast<std::size_t>(layer)];
  return pointer ? pointer->running_statistics() : nullptr;
}

template class ReferenceModel<float>;
template class ReferenceModel<double>;

}  // namespace mgbench
