// The gradients of the plain reference, in double precision, against central differences of its loss.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/backends/eigen/reference_model.h"
#include "bench/backends/support.h"

namespace mgbench::test {
namespace {

constexpr double kStep = 1e-6;
constexpr double kTolerance = 2e-7;  // of gradients that are of the order of 0.1; rounding alone gives 1e-9
constexpr std::int64_t kProbes = 7;  // elements a tensor

double loss_of(ReferenceModel<double>& model) {
  for (std::size_t step = 0; step < model.steps(); ++step) model.forward(step);
  return model.loss();
}

void expect_gradients(const ModelSpec& spec, int batch) {
  ReferenceModel<double> model(request_for(spec, {.batch = batch, .seed = 7}));
  // Not where biases are 0 and scales 1: there a wrong formula may be right.
  for (std::size_t i = 0; i < model.parameters().size(); ++i)
    model.parameters()[i] += 0.1 * std::sin(static_cast<double>(i));
  loss_of(model);
  for (std::size_t step = model.steps(); step-- > 0;) model.backward(step);
  const std::vector<double> gradients(model.gradients().begin(), model.gradients().end());

  for (const ArenaTensor& tensor : arena_layout(spec, execution_order(spec)))
    for (std::int64_t probe = 0; probe < kProbes; ++probe) {
      const auto i = static_cast<std::size_t>(tensor.offset + tensor.elements * probe / kProbes);
      const double kept = model.parameters()[i];
      model.parameters()[i] = kept + kStep;
      const double right = loss_of(model);
      model.parameters()[i] = kept - kStep;
      const double left = loss_of(model);
      model.parameters()[i] = kept;
      const auto& parameter = spec.layers[static_cast<std::size_t>(tensor.layer)].parameters[tensor.parameter];
      EXPECT_NEAR((right - left) / (2 * kStep), gradients[i], kTolerance * (1 + std::abs(gradients[i])))
          << spec.name << ", batch " << batch << ", " << parameter.name << " element "
          << static_cast<std::int64_t>(i) - tensor.offset;
    }
}

TEST(FiniteDifferences, EveryOperationOfTheReference) {
  for (const Case& each : operation_cases()) expect_gradients(each.model, 2);
}

}  // namespace
}  // namespace mgbench::test
