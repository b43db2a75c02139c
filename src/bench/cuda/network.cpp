#include "bench/cuda/network.h"

#include <algorithm>

#include "bench/backends/synthetic.h"

namespace mgbench::cuda {
namespace {

/// While algorithms are tried; fast ones of large convolutions want hundreds of megabytes.
Bytes workspace_limit(const CudaDevice& device) {
  return std::min(Bytes{1} << 30, device.free_memory() / 4);
}

/// A batch that does not fit is found before minutes have gone into it.
void require_memory(const CudaDevice& device, const NetworkRequest& request) {
  const Bytes needed = CudnnNetwork::memory(request);
  const Bytes free = device.free_memory();
  if (needed > free)
    fail(ExitCode::not_measured,
         "model '{}' at batch {} needs {} of device memory, and {} are free: take a smaller --batch",
         request.model->name, request.batch, format_bytes(needed), format_bytes(free));
}

template <typename Operation>
LayerPointer make(const Operation& operation, LayerContext context) {
  return make_layer(operation, std::move(context));
}
LayerPointer make(const Input&, LayerContext) {
  return nullptr;
}

}  // namespace

/// The libraries' handles and the compiled kernels: a second each to make, so that all networks of a process share
/// them.
struct CudnnNetwork::Handles {
  explicit Handles(CudaDevice& device) : stream(device.make_stream(false)) {
    constexpr Bytes kCublasWorkspace = Bytes{32} << 20;  // what NVIDIA advises for Hopper
    check(cudnnCreate(&cudnn), "cudnnCreate");
    check(cudnnSetStream(cudnn, device.handle(stream)), "cudnnSetStream");
    check(cublasCreate(&cublas), "cublasCreate");
    check(cublasSetStream(cublas, device.handle(stream)), "cublasSetStream");
    cublas_workspace = device.allocate(kCublasWorkspace);
    check(cublasSetWorkspace(cublas, cublas_workspace.get(), static_cast<std::size_t>(kCublasWorkspace)),
          "cublasSetWorkspace");
  }

  Stream stream;
  cudnnHandle_t cudnn = nullptr;
  cublasHandle_t cublas = nullptr;
  std::shared_ptr<void> cublas_workspace;
  Kernels kernels;
};

const CudnnNetwork::Handles& CudnnNetwork::handles(CudaDevice& device) {
  static const auto* made = new Handles(device);  // outlives CUDA's own end
  return *made;
}

CudnnNetwork::CudnnNetwork(CudaDevice& device, const NetworkRequest& request)
    : device_(device),
      model_(*request.model),
      request_(request),
      handles_(handles(device)),
      context_{.device = device,
               .stream = handles_.stream,
               .queue = device.handle(handles_.stream),
               .cudnn = handles_.cudnn,
               .cublas = handles_.cublas,
               .kernels = handles_.kernels,
               .request = request_,
               .type = activation_type(request.precision),
               .layout = request.layout,
               .iteration = std::static_pointer_cast<std::uint64_t>(device.allocate(sizeof(std::uint64_t)))},
      outline_(mgbench::outline(model_, "cudnn", request)),
      steps_(execution_order(model_)),
      plan_(plan_activations(model_, steps_)) {
  request_.model = &model_;
  require_memory(device, request_);
  activations_ = std::make_unique<Activations>(context_, model_, plan_);
  parameters_ = std::make_unique<Parameters>(context_, model_);
  workspace_ = std::make_unique<Workspace>(device, workspace_limit(device));
  for (std::size_t i = 0; i < model_.layers.size(); ++i) {
    LayerContext layer{.network = context_,
                       .parameters = *parameters_,
                       .workspace = *workspace_,
                       .inputs = {},
                       .output = &(*activations_)[static_cast<int>(i)],
                       .plan = &plan_.layers[i],
                       .layer = static_cast<int>(i)};
    for (const int input : model_.layers[i].inputs) layer.inputs.push_back(&(*activations_)[input]);
    layers_.push_back(std::visit([&](const auto& operation) { return make(operation, std::move(layer)); },
                                 model_.layers[i].operation));
  }
  set_iteration(0);
  workspace_->shrink();
  const Shape& image = model_.layers[0].output;
  context_.upload(synthetic_images(image, request.batch, request.seed, request.rank), image, context_.type,
                  (*activations_)[0].value);
}

/// What was enqueued reads and writes memory that is about to go.
CudnnNetwork::~CudnnNetwork() {
  cudaStreamSynchronize(context_.queue);
}

void CudnnNetwork::forward(std::size_t step) {
  for (const int layer : steps_[step].forward)
    if (const auto& pointer = layers_[static_cast<std::size_t>(layer)]) pointer->forward();
}

void CudnnNetwork::backward(std::size_t step) {
  for (const BackwardOperation& operation : steps_[step].backward)
    layers_[static_cast<std::size_t>(operation.layer)]->backward(operation.part);
}

void CudnnNetwork::update() {
  parameters_->update();
  handles_.kernels.advance(context_.queue, context_.iteration.get());
}

double CudnnNetwork::loss() const {
  double sum = 0;
  for (const LayerPointer& layer : layers_)
    if (layer) sum += layer->loss();
  return sum;
}

NetworkState CudnnNetwork::save() const {
  NetworkState state{.parameters = parameters_->stored_parameters(), .momentum = parameters_->stored_momentum()};
  context_.copy(&state.iteration, context_.iteration.get(), sizeof state.iteration);
  context_.finish();
  return state;
}

void CudnnNetwork::restore(const NetworkState& state) {
  parameters_->set_stored_parameters(state.parameters);
  parameters_->set_stored_momentum(state.momentum);
  set_iteration(state.iteration);
}

void CudnnNetwork::set_iteration(std::uint64_t iteration) {
  context_.copy(context_.iteration.get(), &iteration, sizeof iteration);
  context_.finish();
}

std::vector<float> CudnnNetwork::plain_parameters() const {
  return parameters_->plain(parameters_->stored_parameters());
}
void CudnnNetwork::set_plain_parameters(std::span<const float> values) {
  parameters_->set_stored_parameters(parameters_->stored(values));
}
std::vector<float> CudnnNetwork::plain_gradients() const {
  return parameters_->plain(parameters_->stored_gradients());
}
std::vector<float> CudnnNetwork::stored_gradients() {
  return parameters_->stored_gradients();
}
void CudnnNetwork::store_gradients(std::span<const float> values) {
  parameters_->set_stored_gradients(values);
}

Bytes CudnnNetwork::memory(const NetworkRequest& request) {
  const ElementType type = activation_type(request.precision);
  const ActivationPlan plan = plan_activations(*request.model, execution_order(*request.model));
  return plan.elements(*request.model) * request.batch * size_of(type) +
         Parameters::memory(*request.model, type, request.gradients);
}

}  // namespace mgbench::cuda
