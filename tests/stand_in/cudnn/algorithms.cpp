#include "cudnn/algorithms.h"

namespace stand_in {

bool supports(const Algorithm& algorithm, const Convolution& problem) {
  const auto& settings = problem.settings;
  const bool plain = settings.stride == std::array{1, 1} && settings.dilation == std::array{1, 1};
  const int height = problem.w.size[2], width = problem.w.size[3];
  const bool first_formats = problem.w.format == CUDNN_TENSOR_NCHW && problem.w.type != CUDNN_DATA_BFLOAT16;
  switch (algorithm.method) {
    case Method::kGemm:
      return true;
    case Method::kExplicitGemm:
      return first_formats && settings.groups == 1;
    case Method::kFft:
      return first_formats && plain && settings.groups == 1 && problem.x.size[2] + 2 * settings.pad[0] <= 256 &&
             problem.x.size[3] + 2 * settings.pad[1] <= 256 && height > settings.pad[0] && width > settings.pad[1];
    case Method::kWinograd:
      return first_formats && plain && height == 3 && width == 3;
    case Method::kNone:
      return false;
  }
  return false;
}

std::size_t workspace_bytes(const Algorithm& algorithm, const Convolution& problem) {
  if (algorithm.workspace_share == 0) return 0;
  return 512 + problem.y.elements() * bytes_of(problem.y.type) * algorithm.workspace_share / 16;
}

void require_workspace(const Algorithm& algorithm, const Convolution& problem, const void* workspace,
                       std::size_t bytes) {
  const std::size_t needed = workspace_bytes(algorithm, problem);
  require_consistent(bytes >= needed, "a workspace of " + std::to_string(bytes) + " bytes where " +
                                          std::to_string(needed) + " are needed");
  if (needed == 0) return;
  require_consistent(workspace != nullptr, "workSpace is null");
  require(memory().on_device(workspace, bytes), CUDNN_STATUS_EXECUTION_FAILED,
          "the workspace is not within memory of the device");
}

}  // namespace stand_in
