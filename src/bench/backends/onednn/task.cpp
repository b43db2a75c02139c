#include "bench/backends/onednn/task.h"

namespace mgbench::onednn {
namespace {

struct BoundPrimitive {
  dnnl::primitive primitive;
  dnnl::stream stream;
  Arguments arguments;  // keeps the handles below alive
  std::vector<dnnl_exec_arg_t> handles;

  void run() const {
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive.get(), stream.get(), static_cast<int>(handles.size()), handles.data()),
        "cannot execute a oneDNN primitive");
  }
};

}  // namespace

Task primitive_task(const dnnl::primitive& primitive, const dnnl::stream& stream, Arguments arguments) {
  auto bound = std::make_shared<BoundPrimitive>(BoundPrimitive{primitive, stream, std::move(arguments), {}});
  for (const auto& [index, memory] : bound->arguments) bound->handles.push_back({index, memory.get()});
  return [bound] { bound->run(); };
}

}  // namespace mgbench::onednn
