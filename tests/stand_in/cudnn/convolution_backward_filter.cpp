// Convolution's gradients of its filter and bias, and the search for an algorithm.
#include "cudnn/algorithms.h"

using namespace stand_in;

extern "C" {

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return call(__func__, [&] {
    require_handle(handle);
    require_consistent(count != nullptr, "count is null");
    *count = kBackwardFilterAlgorithms.size();
  });
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                            cudnnTensorDescriptor_t dy,
                                                            cudnnConvolutionDescriptor_t settings,
                                                            cudnnFilterDescriptor_t dw, int requested, int* returned,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  return call(__func__, [&] {
    require_handle(handle);
    list(kBackwardFilterAlgorithms, convolution(x, dw, settings, dy), SIZE_MAX, false, requested, returned, results);
  });
}

cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                          cudnnTensorDescriptor_t dy,
                                                          cudnnConvolutionDescriptor_t settings,
                                                          cudnnFilterDescriptor_t dw, int requested, int* returned,
                                                          cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  return call(__func__, [&] {
    list(kBackwardFilterAlgorithms, convolution(x, dw, settings, dy), SIZE_MAX, true, requested, returned, results);
    finish(handle);
  });
}

cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x_descriptor, const void* x, cudnnTensorDescriptor_t dy_descriptor,
    const void* dy, cudnnConvolutionDescriptor_t settings, cudnnFilterDescriptor_t dw_descriptor, void* dw,
    int requested, int* returned, cudnnConvolutionBwdFilterAlgoPerf_t* results, void* workspace, size_t bytes) {
  return call(__func__, [&] {
    const Convolution problem = convolution(x_descriptor, dw_descriptor, settings, dy_descriptor);
    const Tensor filter = problem.w.as_tensor();
    require_memory(problem.x, x, "x");
    require_memory(filter, dw, "dw");
    require_memory(problem.y, dy, "dy");
    require(bytes == 0 || memory().on_device(workspace, bytes), CUDNN_STATUS_EXECUTION_FAILED, "no such workspace");
    list(kBackwardFilterAlgorithms, problem, bytes, true, requested, returned, results);
    // The search leaves anything in the output.
    run(handle, [=] {
      spoil(workspace, bytes);
      store(filter, dw, std::vector(filter.elements(), std::numeric_limits<float>::quiet_NaN()), {1, 0});
    });
    finish(handle);
  });
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                             cudnnTensorDescriptor_t dy,
                                                             cudnnConvolutionDescriptor_t settings,
                                                             cudnnFilterDescriptor_t dw,
                                                             cudnnConvolutionBwdFilterAlgo_t algorithm, size_t* bytes) {
  return call(__func__, [&] {
    require_handle(handle);
    const Convolution problem = convolution(x, dw, settings, dy);
    require_consistent(bytes != nullptr, "sizeInBytes is null");
    *bytes = workspace_bytes(chosen(kBackwardFilterAlgorithms, algorithm, problem), problem);
  });
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             cudnnTensorDescriptor_t x_descriptor, const void* x,
                                             cudnnTensorDescriptor_t dy_descriptor, const void* dy,
                                             cudnnConvolutionDescriptor_t settings,
                                             cudnnConvolutionBwdFilterAlgo_t algorithm, void* workspace, size_t bytes,
                                             const void* beta, cudnnFilterDescriptor_t dw_descriptor, void* dw) {
  return call(__func__, [&] {
    const Convolution problem = convolution(x_descriptor, dw_descriptor, settings, dy_descriptor);
    const Tensor filter = problem.w.as_tensor();
    const Blend scales = blend(alpha, beta);
    const Algorithm& how = chosen(kBackwardFilterAlgorithms, algorithm, problem);
    require_workspace(how, problem, workspace, bytes);
    require_memory(problem.x, x, "x");
    require_memory(filter, dw, "dw");
    require_memory(problem.y, dy, "dy");
    const std::size_t used = workspace_bytes(how, problem);
    run(handle, [=] {
      spoil(workspace, used);
      store(filter, dw, convolve_back_to_filter(problem, load(problem.x, x), load(problem.y, dy)), scales);
    });
  });
}

cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void* alpha,
                                           cudnnTensorDescriptor_t dy_descriptor, const void* dy, const void* beta,
                                           cudnnTensorDescriptor_t db_descriptor, void* db) {
  return call(__func__, [&] {
    const Tensor in = described(dy_descriptor, "dyDesc");
    const Tensor out = described(db_descriptor, "dbDesc");
    const Blend scales = blend(alpha, beta);
    require_consistent(out.size == std::array{1, in.size[1], 1, 1}, "a bias of " + text(out) + " for " + text(in));
    require_consistent(in.type == out.type, "different data types");
    require_memory(in, dy, "dy");
    require_memory(out, db, "db");
    run(handle, [=] {
      const std::vector<float> values = load(in, dy);
      std::vector<float> sums(out.elements());
      const std::size_t plane = static_cast<std::size_t>(in.size[2]) * static_cast<std::size_t>(in.size[3]);
      for (std::size_t i = 0; i < values.size(); ++i) sums[i / plane % sums.size()] += values[i];
      store(out, db, sums, scales);
    });
  });
}

}  // extern "C"
