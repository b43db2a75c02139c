// Convolution's gradient of its input and the search for its algorithm.
#include "cudnn/algorithms.h"

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return call(__func__, [&] {
    require_handle(handle);
    require_consistent(count != nullptr, "count is null");
    *count = kBackwardDataAlgorithms.size();
  });
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, cudnnFilterDescriptor_t w,
                                                          cudnnTensorDescriptor_t dy,
                                                          cudnnConvolutionDescriptor_t settings,
                                                          cudnnTensorDescriptor_t dx, int requested, int* returned,
                                                          cudnnConvolutionBwdDataAlgoPerf_t* results) {
  return call(__func__, [&] {
    require_handle(handle);
    list(kBackwardDataAlgorithms, convolution(dx, w, settings, dy), SIZE_MAX, false, requested, returned, results);
  });
}

cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(cudnnHandle_t handle, cudnnFilterDescriptor_t w,
                                                        cudnnTensorDescriptor_t dy,
                                                        cudnnConvolutionDescriptor_t settings,
                                                        cudnnTensorDescriptor_t dx, int requested, int* returned,
                                                        cudnnConvolutionBwdDataAlgoPerf_t* results) {
  return call(__func__, [&] {
    list(kBackwardDataAlgorithms, convolution(dx, w, settings, dy), SIZE_MAX, true, requested, returned, results);
    finish(handle);
  });
}

cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, cudnnFilterDescriptor_t w_descriptor, const void* w, cudnnTensorDescriptor_t dy_descriptor,
    const void* dy, cudnnConvolutionDescriptor_t settings, cudnnTensorDescriptor_t dx_descriptor, void* dx,
    int requested, int* returned, cudnnConvolutionBwdDataAlgoPerf_t* results, void* workspace, size_t bytes) {
  return call(__func__, [&] {
    const Convolution problem = convolution(dx_descriptor, w_descriptor, settings, dy_descriptor);
    require_memory(problem.x, dx, "dx");
    require_memory(problem.w.as_tensor(), w, "w");
    require_memory(problem.y, dy, "dy");
    require(bytes == 0 || memory().on_device(workspace, bytes), CUDNN_STATUS_EXECUTION_FAILED, "no such workspace");
    list(kBackwardDataAlgorithms, problem, bytes, true, requested, returned, results);
    // The search leaves anything in the output.
    run(handle, [=] {
      spoil(workspace, bytes);
      store(problem.x, dx, std::vector(problem.x.elements(), std::numeric_limits<float>::quiet_NaN()), {1, 0});
    });
    finish(handle);
  });
}

cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, cudnnFilterDescriptor_t w,
                                                           cudnnTensorDescriptor_t dy,
                                                           cudnnConvolutionDescriptor_t settings,
                                                           cudnnTensorDescriptor_t dx,
                                                           cudnnConvolutionBwdDataAlgo_t algorithm, size_t* bytes) {
  return call(__func__, [&] {
    require_handle(handle);
    const Convolution problem = convolution(dx, w, settings, dy);
    require_consistent(bytes != nullptr, "sizeInBytes is null");
    *bytes = workspace_bytes(chosen(kBackwardDataAlgorithms, algorithm, problem), problem);
  });
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           cudnnFilterDescriptor_t w_descriptor, const void* w,
                                           cudnnTensorDescriptor_t dy_descriptor, const void* dy,
                                           cudnnConvolutionDescriptor_t settings,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace, size_t bytes,
                                           const void* beta, cudnnTensorDescriptor_t dx_descriptor, void* dx) {
  return call(__func__, [&] {
    const Convolution problem = convolution(dx_descriptor, w_descriptor, settings, dy_descriptor);
    const Blend scales = blend(alpha, beta);
    const Algorithm& how = chosen(kBackwardDataAlgorithms, algorithm, problem);
    require_workspace(how, problem, workspace, bytes);
    require_memory(problem.x, dx, "dx");
    require_memory(problem.w.as_tensor(), w, "w");
    require_memory(problem.y, dy, "dy");
    const std::size_t used = workspace_bytes(how, problem);
    run(handle, [=] {
      spoil(workspace, used);
      store(problem.x, dx, convolve_back_to_data(problem, load(problem.w.as_tensor(), w), load(problem.y, dy)), scales);
    });
  });
}

}  // extern "C"
