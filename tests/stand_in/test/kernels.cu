// Kernels of the stand-ins' own tests.

extern "C" __global__ void stand_in_scale(float* values, float factor, unsigned long long count) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

extern "C" __global__ void stand_in_places(unsigned int* places) {
  const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned int place = block * blockDim.x * blockDim.y * blockDim.z + thread;
  places[place] = place;
}
