#include "bench/communicators/half_precision.h"

#include <Eigen/Core>

#include "base/error.h"

namespace mgbench {
namespace {

template <typename Element>
using Elements = Eigen::Array<Element, Eigen::Dynamic, 1>;

/// Calls `convert` with a null pointer to the type of an element.
template <typename Convert>
void with_half(ElementType type, Convert&& convert) {
  require(type != ElementType::float32, "float32 is no half");
  if (type == ElementType::float16)
    convert(static_cast<Eigen::half*>(nullptr));
  else
    convert(static_cast<Eigen::bfloat16*>(nullptr));
}

}  // namespace

void widen(ElementType type, const void* halves, std::size_t count, float* values) {
  const auto size = static_cast<Eigen::Index>(count);
  with_half(type, [&]<typename Half>(Half*) {
    Eigen::Map<Elements<float>>(values, size) =
        Eigen::Map<const Elements<Half>>(static_cast<const Half*>(halves), size).template cast<float>();
  });
}

void narrow(ElementType type, const float* values, std::size_t count, void* halves) {
  const auto size = static_cast<Eigen::Index>(count);
  with_half(type, [&]<typename Half>(Half*) {
    Eigen::Map<Elements<Half>>(static_cast<Half*>(halves), size) =
        Eigen::Map<const Elements<float>>(values, size).template cast<Half>();
  });
}

}  // namespace mgbench
