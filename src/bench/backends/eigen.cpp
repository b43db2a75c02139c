#include <fmt/format.h>

#include <Eigen/Core>

#include "bench/backends/eigen/reference_model.h"
#include "bench/backends/host_mark.h"
#include "bench/backends/outline.h"

namespace mgbench::backends_entries {
namespace {

std::vector<float> copy(std::span<const float> values) {
  return {values.begin(), values.end()};
}

class EigenNetwork final : public Network {
 public:
  explicit EigenNetwork(const NetworkRequest& request)
      : outline_(mgbench::outline(*request.model, "eigen", request)), model_(request) {}

  void forward(std::size_t step) override { model_.forward(step); }
  void backward(std::size_t step) override { model_.backward(step); }
  void update() override { model_.update(); }
  GradientView gradients(ByteRange range) override {
    constexpr Bytes size = sizeof(float);
    return {.data = model_.gradients().data() + range.begin / size,
            .count = static_cast<std::size_t>(range.size() / size)};
  }
  Mark mark() override { return host_mark(); }
  Seconds seconds(Mark mark) const override { return host_seconds(mark); }
  const Profile& outline() const override { return outline_; }
  double loss() const override { return model_.loss(); }

  NetworkState save() const override {
    return {copy(model_.parameters()), copy(model_.momentum()), model_.iteration()};
  }
  void restore(const NetworkState& state) override {
    std::ranges::copy(state.parameters, model_.parameters().begin());
    std::ranges::copy(state.momentum, model_.momentum().begin());
    model_.set_iteration(state.iteration);
  }
  std::vector<float> plain_parameters() const override { return copy(model_.parameters()); }
  void set_plain_parameters(std::span<const float> values) override {
    std::ranges::copy(values, model_.parameters().begin());
  }
  std::vector<float> plain_gradients() const override { return copy(model_.gradients()); }

 private:
  Profile outline_;
  ReferenceModel<float> model_;
};

/// Values and gradients of every layer, parameters with momentum and gradients, and two patch matrices a
/// convolution.
Bytes memory(const NetworkRequest& request) {
  require_computable(request, "eigen");
  std::int64_t elements = 3 * request.model->parameters();
  std::int64_t patches = 0;
  for (const LayerSpec& layer : request.model->layers) {
    elements += 2 * layer.output.elements() * request.batch;
    if (const auto* convolution = std::get_if<Convolution>(&layer.operation))
      patches += layer.parameters[0].elements() / convolution->outputs * layer.output.height * layer.output.width;
  }
  return (elements + 2 * patches) * static_cast<Bytes>(sizeof(float));
}

}  // namespace

BackendEntry eigen() {
  return {
      .name = "eigen",
      .summary = "the CPU, computed plainly: the reference that other backends are tested against",
      .explanation =
          "Each operation as its definition says, many times slower. For tests, and where a number of another backend "
          "is in doubt.",
      .library =
          [] { return fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION); },
      .unavailable = [] { return std::string(); },
      .memory = memory,
      .make = [](const NetworkRequest& request) -> std::unique_ptr<Network> {
        require_computable(request, "eigen");
        return std::make_unique<EigenNetwork>(request);
      }};
}

}  // namespace mgbench::backends_entries
