#include "bench/backends/precision.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/names.h"

namespace mgbench {
namespace {

/// The place of `name` among `names`, which is the value of an enumeration.
template <typename Value>
Value named(const char* what, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  require(found != names.end(), "unknown {} '{}'{}", what, name, suggestion(name, names));
  return static_cast<Value>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names{"fp32", "tf32", "fp16", "bf16"};
  return names;
}
const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names{"fp32", "fp16", "bf16"};
  return names;
}

Precision precision_named(const std::string& name) {
  return named<Precision>("precision", name, precision_names());
}
ElementType element_type_named(const std::string& name) {
  return named<ElementType>("type of gradients", name, element_type_names());
}

std::string describe(Precision precision, ElementType gradients) {
  return fmt::format("{}, gradients in {}", precision_names()[static_cast<std::size_t>(precision)],
                     element_type_names()[static_cast<std::size_t>(gradients)]);
}

}  // namespace mgbench
