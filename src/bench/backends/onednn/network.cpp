#include "bench/backends/onednn/network.h"

#include <omp.h>

#include <algorithm>

#include "bench/backends/host_mark.h"
#include "bench/backends/outline.h"
#include "bench/backends/synthetic.h"

namespace mgbench::onednn {
namespace {

NetworkRequest with_model(NetworkRequest request, const ModelSpec& model) {
  request.model = &model;
  return request;
}

}  // namespace

OnednnNetwork::OnednnNetwork(const NetworkRequest& request)
    : model_(*request.model),
      request_(with_model(request, model_)),
      outline_(mgbench::outline(model_, "onednn", request)),
      steps_(execution_order(model_)),
      compilation_(request_, iteration_),
      forward_(model_.layers.size()),
      backward_(steps_.size()) {
  use_threads();  // primitives are made for a number of threads
  for (int i = 0; i < static_cast<int>(model_.layers.size()); ++i) {
    compilation_.emit_into(forward_[static_cast<std::size_t>(i)]);
    layers_.push_back(std::visit([&](const auto& operation) { return make_layer(operation, compilation_, i); },
                                 model_.layers[static_cast<std::size_t>(i)].operation));
  }
  for (std::size_t step = steps_.size(); step-- > 0;) {
    backward_[step].resize(steps_[step].backward.size());
    for (std::size_t i = 0; i < backward_[step].size(); ++i) {
      const auto [layer, part] = steps_[step].backward[i];
      compilation_.emit_into(backward_[step][i]);
      layers_[static_cast<std::size_t>(layer)]->compile_backward(part);
    }
  }
  compilation_.allocate_scratch();
  set_plain_parameters(initial_parameters(model_, request.seed));
}

/// A property of the calling thread; other networks and libraries may have changed it.
void OnednnNetwork::use_threads() const {
  omp_set_num_threads(request_.threads);
}

void OnednnNetwork::run_forward(int layer) {
  for (const Task& task : forward_[static_cast<std::size_t>(layer)]) task();
}

void OnednnNetwork::run_backward(std::size_t step, std::size_t operation) {
  for (const Task& task : backward_[step][operation]) task();
}

void OnednnNetwork::forward(std::size_t step) {
  use_threads();
  for (const int layer : steps_[step].forward) run_forward(layer);
}

void OnednnNetwork::backward(std::size_t step) {
  use_threads();
  for (std::size_t operation = 0; operation < backward_[step].size(); ++operation) run_backward(step, operation);
}

void OnednnNetwork::update() {
  use_threads();
  compilation_.parameters().descend(request_.sgd, request_.ranks);
  ++iteration_;
}

GradientView OnednnNetwork::gradients(ByteRange range) {
  constexpr Bytes size = sizeof(float);
  return {.data = compilation_.parameters().gradients().data() + range.begin / size,
          .count = static_cast<std::size_t>(range.size() / size)};
}

Mark OnednnNetwork::mark() {
  return host_mark();
}

Seconds OnednnNetwork::seconds(Mark mark) const {
  return host_seconds(mark);
}

double OnednnNetwork::loss() const {
  double sum = 0;
  for (const LayerPointer& layer : layers_) sum += layer->loss();
  return sum;
}

NetworkState OnednnNetwork::save() const {
  const Parameters& parameters = compilation_.parameters();
  return {{parameters.values().begin(), parameters.values().end()},
          {parameters.momentum().begin(), parameters.momentum().end()},
          iteration_};
}

void OnednnNetwork::restore(const NetworkState& state) {
  const Parameters& parameters = compilation_.parameters();
  std::ranges::copy(state.parameters, parameters.values().begin());
  std::ranges::copy(state.momentum, parameters.momentum().begin());
  iteration_ = state.iteration;
}

std::vector<float> OnednnNetwork::plain_parameters() const {
  return compilation_.parameters().to_plain(compilation_.parameters().values());
}

void OnednnNetwork::set_plain_parameters(std::span<const float> values) {
  compilation_.parameters().from_plain(values, compilation_.parameters().values());
}

std::vector<float> OnednnNetwork::plain_gradients() const {
  return compilation_.parameters().to_plain(compilation_.parameters().gradients());
}

const RunningStatistics* OnednnNetwork::running_statistics(int layer) const {
  return layers_[static_cast<std::size_t>(layer)]->running_statistics();
}

}  // namespace mgbench::onednn
