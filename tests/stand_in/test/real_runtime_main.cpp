// CUDA's own runtime beside one of the drivers of trouble: what it answers.
#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
  int count = 0, version = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  cudaDriverGetVersion(&version);
  std::printf("%d, driver %d\n", static_cast<int>(error), version);
}
