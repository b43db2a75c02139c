#pragma once

#include <cudnn.h>

#include <functional>
#include <string>
#include <vector>

#include "core/refusal.h"
#include "cudnn/descriptors.h"

namespace stand_in {

/// The usual refusals: arguments that contradict each other, and what the library (or the stand-in) does not compute.
inline void require_consistent(bool condition, const std::string& reason) {
  require(condition, CUDNN_STATUS_BAD_PARAM, reason);
}
inline void require_supported(bool condition, const std::string& reason) {
  require(condition, CUDNN_STATUS_NOT_SUPPORTED, reason);
}

inline void require_nan_choice(cudnnNanPropagation_t nan) {
  require_consistent(nan == CUDNN_NOT_PROPAGATE_NAN || nan == CUDNN_PROPAGATE_NAN, "no such choice for NaN");
}

template <class Body>
cudnnStatus_t call(const char* function, Body body) {
  return answer<cudnnStatus_t>(function, body);
}

/// What a descriptor describes, once it was set.
template <class Descriptor>
const Descriptor& described(const Descriptor* descriptor, const char* name) {
  require_consistent(descriptor != nullptr, std::string(name) + " is null");
  require_consistent(descriptor->set, std::string(name) + " was never set");
  return *descriptor;
}

/// Makes and destroys descriptors.
template <class Descriptor>
void create(Descriptor** descriptor) {
  require_consistent(descriptor != nullptr, "nowhere to put the descriptor");
  *descriptor = new Descriptor;
}

/// Gives one value of a descriptor to a caller who wants it.
template <class T>
void put(T* place, T value) {
  if (place != nullptr) *place = value;
}

/// "alpha" and "beta": result = alpha * computed + beta * prior, where beta = 0 does not read what was there.
struct Blend {
  float alpha;
  float beta;
};
Blend blend(const void* alpha, const void* beta);
float scalar(const void* value, const char* name);

void require_handle(cudnnHandle_t handle);
/// The tensor's memory: there, on the device, aligned to its elements.
void require_memory(const Tensor& tensor, const void* data, const char* name);
/// Enqueues in the handle's stream.
void run(cudnnHandle_t handle, std::function<void()> operation);
/// Runs whatever is in the handle's stream.
void finish(cudnnHandle_t handle);

std::string text(const Tensor& tensor);
bool same_size(const Tensor& left, const Tensor& right);
bool same_layout(const Tensor& left, const Tensor& right);  // type, size and strides

}  // namespace stand_in
