#include <fmt/format.h>

#include "bench/backends/onednn/network.h"
#include "bench/backends/outline.h"

namespace mgbench::backends_entries {
namespace {

std::unique_ptr<Network> make(const NetworkRequest& request) {
  require_computable(request, "onednn");
  try {
    return std::make_unique<onednn::OnednnNetwork>(request);
  } catch (const dnnl::error& error) {
    fail(ExitCode::not_measured, "backend 'onednn', model '{}', batch {}: {}", request.model->name, request.batch,
         error.what());
  }
}

Bytes memory(const NetworkRequest& request) {
  require_computable(request, "onednn");
  return onednn::estimated_memory(request);
}

std::string library() {
  const dnnl_version_t& version = *dnnl::version();
  return fmt::format("oneDNN {}.{}.{}", version.major, version.minor, version.patch);
}

}  // namespace

BackendEntry onednn() {
  return {.name = "onednn",
          .summary = "the CPU, through oneDNN's primitives",
          .explanation =
              "The one to measure with: convolutions, products and their gradients as fast as the CPU has them, on "
              "--threads cores a rank.",
          .library = library,
          .unavailable = [] { return std::string(); },
          .memory = memory,
          .make = make};
}

}  // namespace mgbench::backends_entries
