#include "planner/device_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/names.h"
#include "models/execution_order.h"
#include "planner/model_profile.h"

namespace mgbench {
namespace {

/// The roofline of one pass over a layer for a batch.
class Roofline {
 public:
  Roofline(const ModelSpec& model, const DeviceFigures& device, int batch)
      : model_(model), device_(device), batch_(batch) {}

  Seconds time(int index) const {
    const LayerSpec& layer = model_.layers[static_cast<std::size_t>(index)];
    double elements = static_cast<double>(layer.output.elements());
    for (const int input : layer.inputs)
      elements += static_cast<double>(model_.layers[static_cast<std::size_t>(input)].output.elements());
    double parameters = 0;
    for (const ParameterSpec& parameter : layer.parameters) parameters += static_cast<double>(parameter.elements());
    const double arithmetic = 2.0 * static_cast<double>(layer.multiply_adds) * batch_ / device_.flops;
    const double memory = sizeof(float) * (elements * batch_ + parameters) / device_.bytes_per_second;
    return std::max(arithmetic, memory);
  }

 private:
  const ModelSpec& model_;
  const DeviceFigures& device_;
  double batch_;
};

}  // namespace

Profile estimated_profile(const ModelSpec& model, const DeviceFigures& device, std::optional<int> batch) {
  const auto published = device.throughput.find(model.name);
  if (published == device.throughput.end()) {
    std::vector<std::string> names;
    for (const auto& [name, throughput] : device.throughput) names.push_back(name);
    fail(ExitCode::bad_input, "device {}: no throughput of '{}' is published{}", device.name, model.name,
         suggestion(model.name, names));
  }
  Profile profile = model_profile(model);
  profile.backend = fmt::format("{} (estimated)", device.name);
  profile.batch = batch.value_or(published->second.batch);

  const Roofline roofline(model, device, profile.batch);
  const auto steps = execution_order(model);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const int layer : steps[i].forward) profile.steps[i].forward += roofline.time(layer);
    for (const BackwardOperation& operation : steps[i].backward)
      profile.steps[i].backward += (operation.part == BackwardPart::both ? 2 : 1) * roofline.time(operation.layer);
  }
  profile.update = 5.0 * static_cast<double>(profile.bytes()) / device.bytes_per_second;

  const Seconds iteration = profile.batch / published->second.images_per_second;
  require(profile.update < iteration, "device {}: an update of {} s does not fit an iteration of {} s", device.name,
          profile.update, iteration);
  const Seconds computation = iteration - profile.update;
  const double forward = computation / 3 / profile.forward();
  const double backward = computation * 2 / 3 / profile.backward();
  for (Profile::Step& step : profile.steps) {
    step.forward *= forward;
    step.backward *= backward;
  }
  return profile;
}

}  // namespace mgbench
