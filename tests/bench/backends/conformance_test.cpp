// Every backend that computes against `eigen`, whose gradients finite_difference_test.cpp holds against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/backends/layout.h"
#include "bench/backends/precision.h"
#include "bench/backends/support.h"

namespace mgbench::test {
namespace {

/// Relative to a tensor's norm. In single precision direct convolutions differ by rounding (measured: under 2e-6),
/// Winograd's by about 1e-5. Others round each factor, or each activation and gradient, to 10 or 7 bits, and make ties
/// among the arguments of a maximum.
double tolerance(const Replica& replica) {
  if (replica.precision == Precision::bf16 || replica.gradients == ElementType::bfloat16) return 0.1;
  if (replica.precision == Precision::fp16 || replica.gradients == ElementType::float16) return 0.05;
  return replica.precision == Precision::tf32 ? 5e-3 : 5e-5;
}

struct Difference {
  double loss = 0, gradient = 0, parameter = 0;
  std::string what;
  bool within(double limit) const { return loss <= limit && gradient <= limit && parameter <= limit; }
};

/// Two iterations: the second one shows that nothing is left over from the first, and that dropout draws anew.
Difference difference(const std::string& backend, const ModelSpec& model, const Replica& replica) {
  Replica plain = replica;
  plain.precision = Precision::fp32;
  plain.gradients = ElementType::float32;
  const auto expected = make_network("eigen", model, plain);
  const auto actual = make_network(backend, model, replica);
  iterate(*expected);
  iterate(*actual);
  forward(*expected);
  forward(*actual);
  backward(*expected);
  backward(*actual);
  const auto [gradient, gradient_name] = worst_tensor(model, actual->plain_gradients(), expected->plain_gradients());
  const auto [parameter, parameter_name] =
      worst_tensor(model, actual->plain_parameters(), expected->plain_parameters());
  return {std::abs(actual->loss() - expected->loss()) / std::max(1.0, expected->loss()), gradient, parameter,
          gradient_name + ", " + parameter_name};
}

/// A ReLU or a maximum whose arguments nearly tie may fall the other way in another order of summation, and then
/// gradients rightly differ. That is rare: a backend agrees if it does so from one of three starting points.
void expect_agreement(const std::string& backend, const ModelSpec& model, Replica replica) {
  Difference last{};
  for (replica.seed = 1; replica.seed <= 3; ++replica.seed)
    if ((last = difference(backend, model, replica)).within(tolerance(replica))) return;
  ADD_FAILURE() << backend << ", " << model.name << ", batch " << replica.batch << ", " << replica.threads
                << " threads, " << describe(replica.precision, replica.gradients) << ", " << name_of(replica.layout)
                << ": relative differences of loss " << last.loss << ", gradient " << last.gradient << ", parameter "
                << last.parameter << " (" << last.what << ")";
}

/// That a request may choose of.
std::vector<Layout> layouts_of(const std::string& backend) {
  const std::vector<Layout>& layouts = backends().find(backend).layouts;
  return layouts.empty() ? std::vector{Layout::channels_first} : layouts;
}

TEST(Conformance, OperationsAgreeWithThePlainReference) {
  for (const Case& each : operation_cases())
    for (const std::string& backend : computing_backends())
      for (const Layout layout : layouts_of(backend))
        for (const int batch : {1, 3})
          expect_agreement(backend, each.model, {.batch = batch, .sgd = {.learning_rate = 1e-4F}, .layout = layout});
}

/// What jobs use: each precision, each type of gradients, where both differ, and each layout.
TEST(Conformance, OperationsAgreeInMixedPrecision) {
  constexpr std::array kPairs{
      std::pair(Precision::tf32, ElementType::float32), std::pair(Precision::fp16, ElementType::float32),
      std::pair(Precision::fp16, ElementType::float16), std::pair(Precision::bf16, ElementType::bfloat16),
      std::pair(Precision::fp32, ElementType::bfloat16)};
  for (const std::string& backend : computing_backends()) {
    if (!backends().find(backend).device) continue;
    for (const auto& [precision, gradients] : kPairs)
      for (const Case& each : operation_cases())
        for (const Layout layout : layouts_of(backend))
          expect_agreement(backend, each.model,
                           {.batch = 3,
                            .sgd = {.learning_rate = 1e-4F},
                            .precision = precision,
                            .gradients = gradients,
                            .layout = layout});
  }
}

// Few of them: threads of libgomp that wait for a busy core take milliseconds a loop.
TEST(Conformance, TinyAgreesOnTwoThreads) {
  for (const std::string& backend : computing_backends())
    expect_agreement(backend, models().find("tiny").make(), {.batch = 3, .threads = 2});
}

}  // namespace
}  // namespace mgbench::test
