#include "models/operation.h"

#include <array>

namespace mgbench {

std::string_view operation_name(const Operation& operation) {
  // In the order of the variant's alternatives.
  static constexpr std::array<std::string_view, std::variant_size_v<Operation>> kNames{
      "input", "convolution", "inner product", "pooling", "batch norm",  "local response norm",
      "relu",  "dropout",     "concat",        "add",     "softmax loss"};
  return kNames[operation.index()];
}

}  // namespace mgbench
