#include "bench/backends/outline.h"

#include "planner/model_profile.h"

namespace mgbench {

Profile outline(const ModelSpec& model, const std::string& backend, const NetworkRequest& request) {
  Profile profile = model_profile(model);
  profile.backend = backend;
  profile.ranks = request.ranks;
  profile.batch = request.batch;
  for (Profile::Step& step : profile.steps)
    for (Tensor& tensor : step.tensors)
      tensor.bytes = tensor.bytes / size_of(ElementType::float32) * size_of(request.gradients);
  return profile;
}

void require_computable(const NetworkRequest& request, const std::string& backend) {
  require(request.model != nullptr, "backend '{}' computes a model's layers, and none was given", backend);
  require(request.batch >= 1, "batch {}: expected at least one image a rank", request.batch);
  require(request.threads >= 1, "threads {}: expected at least one", request.threads);
  require(request.ranks >= 1 && request.rank >= 0 && request.rank < request.ranks,
          "rank {} of {}: expected a rank below their number", request.rank, request.ranks);
}

}  // namespace mgbench
