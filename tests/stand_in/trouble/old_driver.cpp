// A driver that is older than any runtime of CUDA 13, and does nothing else.
#include <cuda.h>

extern "C" {

CUresult cuInit(unsigned int) {
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  *version = 11040;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}

}  // extern "C"
