// Prints what the libraries answer to calls that need no device, so that CUDA's own and those that stand in for them
// can be compared.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <nccl.h>
#include <nvrtc.h>

#include <cstdio>
#include <initializer_list>

namespace {

constexpr auto kFloat = CUDNN_DATA_FLOAT;
constexpr auto kPlain = CUDNN_TENSOR_NCHW;
constexpr auto kQuiet = CUDNN_NOT_PROPAGATE_NAN;

cudnnTensorDescriptor_t tensor, other;
cudnnFilterDescriptor_t filter;
cudnnConvolutionDescriptor_t convolution;
cudnnPoolingDescriptor_t pooling;

void say(const char* what, std::initializer_list<long> numbers) {
  std::printf("%s:", what);
  for (const long number : numbers) std::printf(" %ld", number);
  std::printf("\n");
}

void say_tensor(const char* what, int status, cudnnTensorDescriptor_t descriptor) {
  if (status != 0) return say(what, {status});
  cudnnDataType_t type{};
  int n = 0, c = 0, h = 0, w = 0, strides[4] = {};
  std::size_t bytes = 0;
  cudnnGetTensor4dDescriptor(descriptor, &type, &n, &c, &h, &w, &strides[0], &strides[1], &strides[2], &strides[3]);
  cudnnGetTensorSizeInBytes(descriptor, &bytes);
  say(what, {status, type, n, c, h, w, strides[0], strides[1], strides[2], strides[3], static_cast<long>(bytes)});
}

void tensors() {
  for (const auto format : {CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC, static_cast<cudnnTensorFormat_t>(9)})
    for (const auto type : {CUDNN_DATA_FLOAT, CUDNN_DATA_HALF, CUDNN_DATA_BFLOAT16, static_cast<cudnnDataType_t>(99)})
      for (const int size : {-1, 0, 1, 3, 1024})
        for (const int images : {1, 2, 1023}) {
          cudnnSetTensor4dDescriptor(tensor, kPlain, kFloat, 1, 1, 1, 1);
          const int status = cudnnSetTensor4dDescriptor(tensor, format, type, images, size, 1024, size);
          say_tensor("tensor", status, tensor);
        }
  say("null tensor", {cudnnSetTensor4dDescriptor(nullptr, kPlain, kFloat, 1, 1, 1, 1)});
  say_tensor("strides", cudnnSetTensor4dDescriptorEx(tensor, kFloat, 2, 2, 2, 2, 100, 10, 3, 1), tensor);
  say_tensor("a stride of 0", cudnnSetTensor4dDescriptorEx(tensor, kFloat, 2, 2, 2, 2, 100, 10, 3, 0), tensor);
  say("filters", {cudnnSetFilter4dDescriptor(filter, kFloat, kPlain, 0, 1, 1, 1),
                  cudnnSetFilter4dDescriptor(filter, kFloat, static_cast<cudnnTensorFormat_t>(7), 1, 1, 1, 1),
                  cudnnSetFilter4dDescriptor(nullptr, kFloat, kPlain, 1, 1, 1, 1)});
}

void convolutions() {
  const auto set = [](int pad, int stride, int dilation, cudnnConvolutionMode_t mode, cudnnDataType_t type) {
    return cudnnSetConvolution2dDescriptor(convolution, pad, pad, stride, stride, dilation, dilation, mode, type);
  };
  say("descriptors of convolutions",
      {set(-1, 1, 1, CUDNN_CROSS_CORRELATION, kFloat), set(0, 0, 1, CUDNN_CROSS_CORRELATION, kFloat),
       set(0, 1, 0, CUDNN_CROSS_CORRELATION, kFloat), set(0, 1, 1, static_cast<cudnnConvolutionMode_t>(5), kFloat),
       set(0, 1, 1, CUDNN_CROSS_CORRELATION, static_cast<cudnnDataType_t>(77)),
       cudnnSetConvolutionGroupCount(convolution, 0)});
  for (const int groups : {1, 2})
    for (const int size : {1, 2, 7, 8, 224})
      for (const int window : {1, 3, 7})
        for (const int stride : {1, 2, 3})
          for (const int pad : {0, 1, 3})
            for (const int dilation : {1, 2}) {
              int n = 0, c = 0, h = 0, w = 0;
              cudnnSetTensor4dDescriptor(tensor, kPlain, kFloat, 2, 4, size, size);
              cudnnSetFilter4dDescriptor(filter, kFloat, kPlain, 6, 2, window, window);
              set(pad, stride, dilation, CUDNN_CROSS_CORRELATION, kFloat);
              cudnnSetConvolutionGroupCount(convolution, groups);
              const int status = cudnnGetConvolution2dForwardOutputDim(convolution, tensor, filter, &n, &c, &h, &w);
              if (status != 0) n = c = h = w = 0;
              say("convolution", {status, n, c, h, w});
            }
}

void poolings() {
  const auto set = [](int window, int pad, int stride, cudnnPoolingMode_t mode, cudnnNanPropagation_t nan) {
    return cudnnSetPooling2dDescriptor(pooling, mode, nan, window, window, pad, pad, stride, stride);
  };
  say("descriptors of poolings", {set(0, 0, 1, CUDNN_POOLING_MAX, kQuiet), set(3, 0, 0, CUDNN_POOLING_MAX, kQuiet),
                                  set(3, 0, 1, static_cast<cudnnPoolingMode_t>(8), kQuiet),
                                  set(3, 0, 1, CUDNN_POOLING_MAX, static_cast<cudnnNanPropagation_t>(8))});
  for (const int size : {1, 2, 5, 7, 112})
    for (const int window : {1, 2, 3, 7})
      for (const int stride : {1, 2, 3})
        for (const int pad : {0, 1, 3}) {
          int n = 0, c = 0, h = 0, w = 0;
          cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NHWC, kFloat, 2, 4, size, size);
          const int set_status = set(window, pad, stride, CUDNN_POOLING_MAX, kQuiet);
          const int status = cudnnGetPooling2dForwardOutputDim(pooling, tensor, &n, &c, &h, &w);
          if (status != 0) n = c = h = w = 0;
          say("pooling", {set_status, status, n, c, h, w});
        }
}

void other_layers() {
  cudnnLRNDescriptor_t lrn;
  cudnnActivationDescriptor_t activation;
  cudnnOpTensorDescriptor_t operation;
  cudnnCreateLRNDescriptor(&lrn);
  cudnnCreateActivationDescriptor(&activation);
  cudnnCreateOpTensorDescriptor(&operation);
  unsigned window = 0;
  double alpha = 0, beta = 0, k = 0;
  cudnnGetLRNDescriptor(lrn, &window, &alpha, &beta, &k);
  std::printf("defaults %u %g %g %g\n", window, alpha, beta, k);
  say("normalizations", {cudnnSetLRNDescriptor(lrn, 0, 1, 1, 1), cudnnSetLRNDescriptor(lrn, 17, 1, 1, 1),
                         cudnnSetLRNDescriptor(lrn, 5, 1, 0.001, 1), cudnnSetLRNDescriptor(lrn, 5, 1, 1, 1e-6),
                         cudnnSetLRNDescriptor(lrn, 16, 1, 1, 1)});
  say("activations",
      {cudnnSetActivationDescriptor(activation, static_cast<cudnnActivationMode_t>(55), kQuiet, 0),
       cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, static_cast<cudnnNanPropagation_t>(5), 0),
       cudnnSetActivationDescriptor(nullptr, CUDNN_ACTIVATION_RELU, kQuiet, 0)});
  say("operations", {cudnnSetOpTensorDescriptor(operation, static_cast<cudnnOpTensorOp_t>(44), kFloat, kQuiet),
                     cudnnSetOpTensorDescriptor(operation, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_HALF, kQuiet),
                     cudnnSetOpTensorDescriptor(operation, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_INT32, kQuiet)});
  for (const auto mode : {CUDNN_BATCHNORM_SPATIAL, CUDNN_BATCHNORM_SPATIAL_PERSISTENT})
    for (const auto type : {CUDNN_DATA_FLOAT, CUDNN_DATA_HALF, CUDNN_DATA_BFLOAT16})
      for (const auto format : {CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC}) {
        cudnnSetTensor4dDescriptor(tensor, format, type, 2, 4, 3, 3);
        say_tensor("batch normalization", cudnnDeriveBNTensorDescriptor(other, tensor, mode), other);
      }
}

void handles() {
  const float one = 1;
  cudnnHandle_t cudnn;
  cublasHandle_t cublas;
  int version = 0;
  say("cuDNN", {cudnnCreate(nullptr), cudnnSetStream(nullptr, nullptr), cudnnSetTensor(nullptr, tensor, nullptr, &one),
                cudnnCreateTensorDescriptor(nullptr), cudnnDestroyTensorDescriptor(nullptr), cudnnCreate(&cudnn),
                static_cast<long>(cudnnGetVersion())});
  say("cuBLAS", {cublasCreate(nullptr), cublasSetStream(nullptr, nullptr), cublasCreate(&cublas)});
  ncclComm_t communicator;
  ncclUniqueId id;
  say("NCCL", {ncclGetVersion(&version), version, ncclGetVersion(nullptr), ncclGetUniqueId(nullptr), ncclGroupEnd(),
               ncclGroupStart(), ncclGroupEnd(), ncclCommCount(nullptr, &version), ncclCommDestroy(nullptr),
               ncclCommAbort(nullptr), ncclCommFinalize(nullptr), ncclGetUniqueId(&id),
               ncclCommInitRank(&communicator, 1, id, 0)});
}

void compilations() {
  nvrtcProgram program;
  say("programs",
      {nvrtcCreateProgram(nullptr, "", "", 0, nullptr, nullptr), nvrtcDestroyProgram(nullptr),
       nvrtcCreateProgram(&program, nullptr, "", 0, nullptr, nullptr), nvrtcCompileProgram(nullptr, 0, nullptr)});
  for (const char* source :
       {"extern \"C\" __global__ void k(float* x) { *x = 1; }", "extern \"C\" __global__ void k() {"})
    for (const char* option :
         {"--gpu-architecture=sm_90", "-arch=sm_90", "--gpu-architecture=compute_90", "-arch=compute_90a",
          "--gpu-architecture=sm_10", "--no-such-option", "-std=c++17", "-DX=1", "--fmad=false"}) {
      std::size_t before = 0, portable = 0, binary = 0, log = 0;
      nvrtcCreateProgram(&program, source, "k.cu", 0, nullptr, nullptr);
      nvrtcGetPTXSize(program, &before);
      const int status = nvrtcCompileProgram(program, 1, &option);
      nvrtcGetPTXSize(program, &portable);
      nvrtcGetCUBINSize(program, &binary);
      nvrtcGetProgramLogSize(program, &log);
      say(option, {status, static_cast<long>(before), portable > 1, binary > 0, log > 1});
      nvrtcDestroyProgram(&program);
    }
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // what came before a crash counts
  cudnnCreateTensorDescriptor(&tensor);
  cudnnCreateTensorDescriptor(&other);
  cudnnCreateFilterDescriptor(&filter);
  cudnnCreateConvolutionDescriptor(&convolution);
  cudnnCreatePoolingDescriptor(&pooling);
  tensors();
  convolutions();
  poolings();
  other_layers();
  handles();
  compilations();
}
