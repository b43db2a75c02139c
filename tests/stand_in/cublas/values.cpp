// Matrices and vectors in memory, and as floats without gaps.
#include <cstdlib>

#include "core/element.h"
#include "core/memory.h"
#include "cublas/call.h"

namespace stand_in {

namespace {

/// Calls with a null pointer of the C++ type of elements.
template <class Visit>
void with_type(cudaDataType type, Visit visit) {
  if (type == CUDA_R_16F) return visit(static_cast<Half*>(nullptr));
  if (type == CUDA_R_16BF) return visit(static_cast<BFloat16*>(nullptr));
  visit(static_cast<float*>(nullptr));
}

std::size_t bytes_of(cudaDataType type) {
  return type == CUDA_R_32F ? 4 : 2;
}

/// Where an element of the vector lies.
std::size_t place(const Strided& vector, std::size_t index) {
  const auto step = static_cast<std::size_t>(std::abs(vector.step));
  return (vector.step > 0 ? index : vector.count - 1 - index) * step;
}

void require_range(const void* data, std::size_t bytes, const char* name) {
  if (bytes == 0) return;
  require_valid(data != nullptr, std::string(name) + " is null");
  require(
      memory().reachable_by_device(data, bytes), CUBLAS_STATUS_EXECUTION_FAILED,
      std::string(name) + " and the " + std::to_string(bytes) + " bytes from it are not within memory of the device");
}

}  // namespace

void require_memory(const Columns& matrix, const void* data, const char* name) {
  if (matrix.rows == 0 || matrix.columns == 0) return;
  require_range(data, ((matrix.columns - 1) * matrix.leading + matrix.rows) * bytes_of(matrix.type), name);
}

void require_memory(const Strided& vector, const float* data, const char* name) {
  if (vector.count == 0) return;
  require_range(data, ((vector.count - 1) * static_cast<std::size_t>(std::abs(vector.step)) + 1) * sizeof(float), name);
}

std::vector<float> load(const Columns& matrix, const void* data) {
  std::vector<float> values(matrix.rows * matrix.columns);
  with_type(matrix.type, [&]<class T>(T*) {
    const T* elements = static_cast<const T*>(data);
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        values[j * matrix.rows + i] = static_cast<float>(elements[j * matrix.leading + i]);
      }
    }
  });
  return values;
}

void store(const Columns& matrix, void* data, const std::vector<float>& values, float beta) {
  with_type(matrix.type, [&]<class T>(T*) {
    T* elements = static_cast<T*>(data);
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        T& element = elements[j * matrix.leading + i];
        const float value = values[j * matrix.rows + i];
        element = from_float<T>(beta == 0 ? value : value + beta * static_cast<float>(element));
      }
    }
  });
}

std::vector<float> load(const Strided& vector, const float* data) {
  std::vector<float> values(vector.count);
  for (std::size_t i = 0; i < vector.count; ++i) values[i] = data[place(vector, i)];
  return values;
}

void store(const Strided& vector, float* data, const std::vector<float>& values) {
  for (std::size_t i = 0; i < vector.count; ++i) data[place(vector, i)] = values[i];
}

std::vector<float> transposed(std::size_t rows, std::size_t columns, const std::vector<float>& values) {
  std::vector<float> result(values.size());
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) result[i * columns + j] = values[j * rows + i];
  }
  return result;
}

}  // namespace stand_in
