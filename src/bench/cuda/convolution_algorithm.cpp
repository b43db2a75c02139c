#include "bench/cuda/convolution_algorithm.h"

#include <array>
#include <map>
#include <string>

namespace mgbench::cuda {
namespace {

/// `find(count, returned, results)` calls one of cuDNN's Find...Ex, which lists results from the fastest on.
template <typename Algorithm, typename Performance, typename Find>
ChosenAlgorithm<Algorithm> choose(const std::string& key, const char* what, const Workspace& workspace, Find find) {
  constexpr int kMost = 16;
  static std::map<std::string, ChosenAlgorithm<Algorithm>> known;
  if (const auto found = known.find(key); found != known.end()) return found->second;
  std::array<Performance, kMost> results{};
  int returned = 0;
  check(find(kMost, &returned, results.data()), what);
  for (int i = 0; i < returned; ++i) {
    const Performance& result = results[static_cast<std::size_t>(i)];
    if (result.status != CUDNN_STATUS_SUCCESS || result.determinism != CUDNN_DETERMINISTIC) continue;
    if (static_cast<Bytes>(result.memory) > workspace.bytes()) continue;
    const ChosenAlgorithm<Algorithm> chosen{
        .algorithm = result.algo, .workspace = static_cast<Bytes>(result.memory), .math = result.mathType};
    known.emplace(key, chosen);
    return chosen;
  }
  fail(ExitCode::not_measured, "{}: none of {} algorithms is deterministic and fits {} of workspace (convolution {})",
       what, returned, format_bytes(workspace.bytes()), key);
}

}  // namespace

ChosenAlgorithm<cudnnConvolutionFwdAlgo_t> choose_forward(cudnnHandle_t cudnn, const ConvolutionTensors& tensors,
                                                          cudnnConvolutionDescriptor_t convolution,
                                                          const Workspace& workspace) {
  return choose<cudnnConvolutionFwdAlgo_t, cudnnConvolutionFwdAlgoPerf_t>(
      tensors.key, "cudnnFindConvolutionForwardAlgorithmEx", workspace,
      [&](int most, int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
        return cudnnFindConvolutionForwardAlgorithmEx(cudnn, tensors.input, tensors.input_data, tensors.filter,
                                                      tensors.filter_data, convolution, tensors.output,
                                                      tensors.output_data, most, returned, results, workspace.data(),
                                                      static_cast<std::size_t>(workspace.bytes()));
      });
}

ChosenAlgorithm<cudnnConvolutionBwdDataAlgo_t> choose_backward_data(cudnnHandle_t cudnn,
                                                                    const ConvolutionTensors& tensors,
                                                                    cudnnConvolutionDescriptor_t convolution,
                                                                    const Workspace& workspace) {
  return choose<cudnnConvolutionBwdDataAlgo_t, cudnnConvolutionBwdDataAlgoPerf_t>(
      tensors.key, "cudnnFindConvolutionBackwardDataAlgorithmEx", workspace,
      [&](int most, int* returned, cudnnConvolutionBwdDataAlgoPerf_t* results) {
        return cudnnFindConvolutionBackwardDataAlgorithmEx(
            cudnn, tensors.filter, tensors.filter_data, tensors.output, tensors.output_data, convolution, tensors.input,
            tensors.input_data, most, returned, results, workspace.data(), static_cast<std::size_t>(workspace.bytes()));
      });
}

ChosenAlgorithm<cudnnConvolutionBwdFilterAlgo_t> choose_backward_filter(cudnnHandle_t cudnn,
                                                                        const ConvolutionTensors& tensors,
                                                                        cudnnConvolutionDescriptor_t convolution,
                                                                        const Workspace& workspace) {
  return choose<cudnnConvolutionBwdFilterAlgo_t, cudnnConvolutionBwdFilterAlgoPerf_t>(
      tensors.key, "cudnnFindConvolutionBackwardFilterAlgorithmEx", workspace,
      [&](int most, int* returned, cudnnConvolutionBwdFilterAlgoPerf_t* results) {
        return cudnnFindConvolutionBackwardFilterAlgorithmEx(
            cudnn, tensors.input, tensors.input_data, tensors.output, tensors.output_data, convolution, tensors.filter,
            tensors.filter_data, most, returned, results, workspace.data(),
            static_cast<std::size_t>(workspace.bytes()));
      });
}

}  // namespace mgbench::cuda
