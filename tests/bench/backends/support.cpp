#include "bench/backends/support.h"

#include <cmath>
#include <cstdlib>
#include <iostream>

#include "models/execution_order.h"

namespace mgbench::test {

namespace {

/// MGBENCH_TEST_BACKEND: the only one to be tested.
bool wanted(const std::string& name) {
  const char* only = std::getenv("MGBENCH_TEST_BACKEND");
  return only == nullptr || name == only;
}

}  // namespace

std::vector<std::string> computing_backends() {
  static const std::vector<std::string> names = [] {
    const ModelSpec model = models().find("tiny").make();
    std::vector<std::string> result;
    for (const BackendEntry& entry : backends()) {
      if (!wanted(entry.name)) continue;
      if (const std::string reason = entry.unavailable(); !reason.empty()) {
        std::cerr << "not tested: backend " << entry.name << ", since " << reason << "\n";
        continue;
      }
      bool refuses = false;
      try {
        entry.make(request_for(model, {}));
      } catch (const Error& error) {  // any other fault is for the tests to show
        refuses = error.exit_code() == ExitCode::bad_input;
      }
      if (!refuses) result.push_back(entry.name);
    }
    return result;
  }();
  return names;
}

NetworkRequest request_for(const ModelSpec& model, const Replica& replica) {
  NetworkRequest request;
  request.model = &model;
  request.batch = replica.batch;
  request.seed = replica.seed;
  request.rank = replica.rank;
  request.ranks = replica.ranks;
  request.threads = replica.threads;
  request.sgd = replica.sgd;
  request.precision = replica.precision;
  request.gradients = replica.gradients;
  request.layout = replica.layout;
  request.clock = &steady_clock();
  return request;
}

std::unique_ptr<Network> make_network(const std::string& backend, const ModelSpec& model, const Replica& replica) {
  return backends().find(backend).make(request_for(model, replica));
}

void forward(Network& network) {
  for (std::size_t step = 0; step < network.steps(); ++step) network.forward(step);
}

void backward(Network& network) {
  for (std::size_t step = network.steps(); step-- > 0;) network.backward(step);
}

void iterate(Network& network) {
  forward(network);
  backward(network);
  network.update();
}

std::vector<float> tensor_values(const std::vector<float>& arena, const ArenaTensor& tensor) {
  const auto begin = arena.begin() + tensor.offset;
  return {begin, begin + tensor.elements};
}

double relative_error(const std::vector<float>& actual, const std::vector<float>& expected) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(double{actual[i]} - double{expected[i]}, 2);
    norm += std::pow(double{expected[i]}, 2);
  }
  return difference == 0 ? 0 : std::sqrt(difference / norm);
}

std::pair<double, std::string> worst_tensor(const ModelSpec& model, const std::vector<float>& actual,
                                            const std::vector<float>& expected) {
  std::pair<double, std::string> worst;
  for (const ArenaTensor& tensor : arena_layout(model, execution_order(model))) {
    const double error = relative_error(tensor_values(actual, tensor), tensor_values(expected, tensor));
    const auto& parameters = model.layers[static_cast<std::size_t>(tensor.layer)].parameters;
    if (!(error <= worst.first)) worst = {error, parameters[tensor.parameter].name};
  }
  return worst;
}

}  // namespace mgbench::test
