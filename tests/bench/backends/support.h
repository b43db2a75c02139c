#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/network.h"
#include "models/execution_order.h"
#include "models/model.h"

namespace mgbench::test {

/// The registered backends that compute a model and can do so here: all but those that refuse a request without a
/// profile.
std::vector<std::string> computing_backends();

struct Replica {
  int batch = 2;
  std::uint64_t seed = 1;
  int rank = 0;
  int ranks = 1;
  int threads = 1;
  SgdOptions sgd = {};
  Precision precision = Precision::fp32;
  ElementType gradients = ElementType::float32;
  Layout layout = Layout::channels_first;
};

NetworkRequest request_for(const ModelSpec& model, const Replica& replica);
std::unique_ptr<Network> make_network(const std::string& backend, const ModelSpec& model, const Replica& replica);

void forward(Network& network);
void backward(Network& network);
void iterate(Network& network);

/// One tensor of an arena in plain layout.
std::vector<float> tensor_values(const std::vector<float>& arena, const ArenaTensor& tensor);

/// ||actual - expected|| / ||expected||, in double; 0 when both are 0.
double relative_error(const std::vector<float>& actual, const std::vector<float>& expected);

/// The largest relative error over the tensors of an arena, and that tensor's name.
std::pair<double, std::string> worst_tensor(const ModelSpec& model, const std::vector<float>& actual,
                                            const std::vector<float>& expected);

/// A small model around one operation, or around a way in which layers are connected.
struct Case {
  std::string name;
  ModelSpec model;
};

/// Every operation with each of its options, at sizes that no vector register divides.
std::vector<Case> operation_cases();

}  // namespace mgbench::test
