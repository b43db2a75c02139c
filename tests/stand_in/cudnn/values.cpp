#include "cudnn/values.h"

#include "core/element.h"

namespace stand_in {

namespace {

/// visit(index without gaps, offset in memory) for every element.
template <class Visit>
void each(const Tensor& tensor, Visit visit) {
  std::size_t index = 0;
  for (int n = 0; n < tensor.size[0]; ++n) {
    for (int c = 0; c < tensor.size[1]; ++c) {
      for (int h = 0; h < tensor.size[2]; ++h) {
        const std::ptrdiff_t row = std::ptrdiff_t{n} * tensor.stride[0] + std::ptrdiff_t{c} * tensor.stride[1] +
                                   std::ptrdiff_t{h} * tensor.stride[2];
        for (int w = 0; w < tensor.size[3]; ++w) visit(index++, row + std::ptrdiff_t{w} * tensor.stride[3]);
      }
    }
  }
}

/// Calls with a null pointer of the C++ type of elements.
template <class Visit>
void with_type(cudnnDataType_t type, Visit visit) {
  if (type == CUDNN_DATA_HALF) return visit(static_cast<Half*>(nullptr));
  if (type == CUDNN_DATA_BFLOAT16) return visit(static_cast<BFloat16*>(nullptr));
  visit(static_cast<float*>(nullptr));
}

}  // namespace

std::vector<float> load(const Tensor& tensor, const void* data) {
  std::vector<float> values(tensor.elements());
  with_type(tensor.type, [&]<class T>(T*) {
    const T* elements = static_cast<const T*>(data);
    each(tensor,
         [&](std::size_t index, std::ptrdiff_t offset) { values[index] = static_cast<float>(elements[offset]); });
  });
  return values;
}

void store(const Tensor& tensor, void* data, const std::vector<float>& values, Blend blend) {
  with_type(tensor.type, [&]<class T>(T*) {
    T* elements = static_cast<T*>(data);
    each(tensor, [&](std::size_t index, std::ptrdiff_t offset) {
      float value = blend.alpha * values[index];
      if (blend.beta != 0) value += blend.beta * static_cast<float>(elements[offset]);
      elements[offset] = from_float<T>(value);
    });
  });
}

}  // namespace stand_in
