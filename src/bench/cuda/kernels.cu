// Compiled at run time by NVRTC, so that the project needs no nvcc. Here is only what cuDNN and cuBLAS do not offer:
// casts between element types, and dropout with the masks of bench/synthetic.h, which every backend draws.

// IEEE 754 half precision, to nearest, ties to even.
__device__ unsigned short to_float16(float value) {
  union {
    float number;
    unsigned int bits;
  } in = {value};
  const unsigned int sign = (in.bits >> 16) & 0x8000u;
  const unsigned int magnitude = in.bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);  // rounds to 65536 or above
  if (magnitude < 0x38800000u) {                                          // below 2^-14: multiples of 2^-24
    union {
      unsigned int bits;
      float number;
    } out = {magnitude};
    // The sum's last bit is worth 2^-24.
    union {
      float number;
      unsigned int bits;
    } sum = {out.number + 0.5f};
    return (unsigned short)(sign | (sum.bits - 0x3f000000u));
  }
  const unsigned int rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return (unsigned short)(sign | ((rounded - 0x38000000u) >> 13));
}

__device__ float from_float16(unsigned short half) {
  const unsigned int sign = (unsigned int)(half & 0x8000u) << 16;
  const unsigned int magnitude = half & 0x7fffu;
  union {
    unsigned int bits;
    float number;
  } out;
  if (magnitude >= 0x7c00u) {
    out.bits = sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13);
  } else if (magnitude < 0x400u) {
    const float value = (float)magnitude * 5.9604644775390625e-8f;  // 2^-24
    out.number = sign ? -value : value;
  } else {
    out.bits = sign | ((magnitude << 13) + 0x38000000u);
  }
  return out.number;
}

__device__ unsigned short to_bfloat16(float value) {
  union {
    float number;
    unsigned int bits;
  } in = {value};
  if ((in.bits & 0x7fffffffu) > 0x7f800000u) return (unsigned short)((in.bits >> 16) | 0x40u);
  return (unsigned short)((in.bits + 0x7fffu + ((in.bits >> 16) & 1u)) >> 16);
}

__device__ float from_bfloat16(unsigned short half) {
  union {
    unsigned int bits;
    float number;
  } out = {(unsigned int)half << 16};
  return out.number;
}

extern "C" __global__ void cast_float32_to_float16(const float* from, unsigned short* to, unsigned long long count) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = to_float16(from[i]);
}

extern "C" __global__ void cast_float16_to_float32(const unsigned short* from, float* to, unsigned long long count) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from_float16(from[i]);
}

extern "C" __global__ void cast_float32_to_bfloat16(const float* from, unsigned short* to, unsigned long long count) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = to_bfloat16(from[i]);
}

extern "C" __global__ void cast_bfloat16_to_float32(const unsigned short* from, float* to, unsigned long long count) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from_bfloat16(from[i]);
}

// The finalizer of SplitMix64, as scramble() of bench/synthetic.h.
__device__ unsigned long long scramble(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// The iteration's number, of which masks depend, lives in the device's memory, so that work can be enqueued that holds
// for any iteration.
extern "C" __global__ void advance(unsigned long long* number) {
  if (blockIdx.x == 0 && threadIdx.x == 0) ++*number;
}

// What an element is multiplied by. Masks count elements in plain order [batch, channels, pixels]; `channels_last` says
// that memory holds them as [batch, pixels, channels].
__device__ float dropout_factor(unsigned long long i, unsigned long long channels, unsigned long long pixels,
                                int channels_last, unsigned long long key, unsigned long long threshold, float scale) {
  unsigned long long plain = i;
  if (channels_last) {
    const unsigned long long image = i / (channels * pixels);
    const unsigned long long rest = i % (channels * pixels);
    plain = (image * channels + rest % channels) * pixels + rest / channels;
  }
  return (scramble(key + plain) >> 32) >= threshold ? scale : 0.0f;
}

__device__ float widened(float value) {
  return value;
}

// to = factor from, or to += factor from; `widen` and `narrow` are the element type's.
template <typename Element, float (*widen)(Element), Element (*narrow)(float)>
__device__ void drop(const Element* from, Element* to, int accumulate, unsigned long long count,
                     unsigned long long channels, unsigned long long pixels, int channels_last, unsigned long long base,
                     const unsigned long long* iteration, unsigned long long threshold, float scale) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned long long key = scramble(base ^ scramble(*iteration));  // as DropoutMask of bench/synthetic.h
  const float value = widen(from[i]) * dropout_factor(i, channels, pixels, channels_last, key, threshold, scale);
  to[i] = narrow(accumulate ? widen(to[i]) + value : value);
}

extern "C" __global__ void dropout_float32(const float* from, float* to, int accumulate, unsigned long long count,
                                           unsigned long long channels, unsigned long long pixels, int channels_last,
                                           unsigned long long base, const unsigned long long* iteration,
                                           unsigned long long threshold, float scale) {
  drop<float, widened, widened>(from, to, accumulate, count, channels, pixels, channels_last, base, iteration,
                                threshold, scale);
}

extern "C" __global__ void dropout_float16(const unsigned short* from, unsigned short* to, int accumulate,
                                           unsigned long long count, unsigned long long channels,
                                           unsigned long long pixels, int channels_last, unsigned long long base,
                                           const unsigned long long* iteration, unsigned long long threshold,
                                           float scale) {
  drop<unsigned short, from_float16, to_float16>(from, to, accumulate, count, channels, pixels, channels_last, base,
                                                 iteration, threshold, scale);
}

extern "C" __global__ void dropout_bfloat16(const unsigned short* from, unsigned short* to, int accumulate,
                                            unsigned long long count, unsigned long long channels,
                                            unsigned long long pixels, int channels_last, unsigned long long base,
                                            const unsigned long long* iteration, unsigned long long threshold,
                                            float scale) {
  drop<unsigned short, from_bfloat16, to_bfloat16>(from, to, accumulate, count, channels, pixels, channels_last, base,
                                                   iteration, threshold, scale);
}
