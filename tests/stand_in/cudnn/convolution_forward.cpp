// Forward convolution and the search for its algorithm.
#include "cudnn/algorithms.h"

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return call(__func__, [&] {
    require_handle(handle);
    require_consistent(count != nullptr, "count is null");
    *count = kForwardAlgorithms.size();
  });
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                     cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t settings,
                                                     cudnnTensorDescriptor_t y, int requested, int* returned,
                                                     cudnnConvolutionFwdAlgoPerf_t* results) {
  return call(__func__, [&] {
    require_handle(handle);
    list(kForwardAlgorithms, convolution(x, w, settings, y), SIZE_MAX, false, requested, returned, results);
  });
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                   cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t settings,
                                                   cudnnTensorDescriptor_t y, int requested, int* returned,
                                                   cudnnConvolutionFwdAlgoPerf_t* results) {
  return call(__func__, [&] {
    list(kForwardAlgorithms, convolution(x, w, settings, y), SIZE_MAX, true, requested, returned, results);
    finish(handle);
  });
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, cudnnTensorDescriptor_t x_descriptor,
                                                     const void* x, cudnnFilterDescriptor_t w_descriptor, const void* w,
                                                     cudnnConvolutionDescriptor_t settings,
                                                     cudnnTensorDescriptor_t y_descriptor, void* y, int requested,
                                                     int* returned, cudnnConvolutionFwdAlgoPerf_t* results,
                                                     void* workspace, size_t bytes) {
  return call(__func__, [&] {
    const Convolution problem = convolution(x_descriptor, w_descriptor, settings, y_descriptor);
    require_memory(problem.x, x, "x");
    require_memory(problem.w.as_tensor(), w, "w");
    require_memory(problem.y, y, "y");
    require(bytes == 0 || memory().on_device(workspace, bytes), CUDNN_STATUS_EXECUTION_FAILED, "no such workspace");
    list(kForwardAlgorithms, problem, bytes, true, requested, returned, results);
    // The search leaves anything in the output.
    run(handle, [=] {
      spoil(workspace, bytes);
      store(problem.y, y, std::vector(problem.y.elements(), std::numeric_limits<float>::quiet_NaN()), {1, 0});
    });
    finish(handle);
  });
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                      cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t settings,
                                                      cudnnTensorDescriptor_t y, cudnnConvolutionFwdAlgo_t algorithm,
                                                      size_t* bytes) {
  return call(__func__, [&] {
    require_handle(handle);
    const Convolution problem = convolution(x, w, settings, y);
    require_consistent(bytes != nullptr, "sizeInBytes is null");
    *bytes = workspace_bytes(chosen(kForwardAlgorithms, algorithm, problem), problem);
  });
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x_descriptor,
                                      const void* x, cudnnFilterDescriptor_t w_descriptor, const void* w,
                                      cudnnConvolutionDescriptor_t settings, cudnnConvolutionFwdAlgo_t algorithm,
                                      void* workspace, size_t bytes, const void* beta,
                                      cudnnTensorDescriptor_t y_descriptor, void* y) {
  return call(__func__, [&] {
    const Convolution problem = convolution(x_descriptor, w_descriptor, settings, y_descriptor);
    const Blend scales = blend(alpha, beta);
    const Algorithm& how = chosen(kForwardAlgorithms, algorithm, problem);
    require_workspace(how, problem, workspace, bytes);
    require_memory(problem.x, x, "x");
    require_memory(problem.w.as_tensor(), w, "w");
    require_memory(problem.y, y, "y");
    const std::size_t used = workspace_bytes(how, problem);
    run(handle, [=] {
      spoil(workspace, used);
      store(problem.y, y, convolve(problem, load(problem.x, x), load(problem.w.as_tensor(), w)), scales);
    });
  });
}

}  // extern "C"
