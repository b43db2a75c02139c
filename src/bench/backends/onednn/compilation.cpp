#include "bench/backends/onednn/compilation.h"

#include <algorithm>

namespace mgbench::onednn {

Compilation::Compilation(const NetworkRequest& request, const std::uint64_t& iteration)
    : request_(request),
      iteration_(iteration),
      engine_(dnnl::engine::kind::cpu, 0),
      stream_(engine_),
      fusion_(*request.model),
      parameters_(*request.model, engine_),
      pool_(engine_),
      gradients_(*this),
      activations_(request.model->layers.size()) {}

Bytes Compilation::bytes() const {
  return pool_.bytes() + scratch_bytes_ + static_cast<Bytes>(3 * parameters_.values().size_bytes());
}

dnnl::primitive_attr Compilation::attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::memory Compilation::scratch(const Layout& layout) {
  scratch_users_.emplace_back(layout, engine_, nullptr);
  return scratch_users_.back();
}

void Compilation::allocate_scratch() {
  std::size_t largest = 0;
  for (const dnnl::memory& user : scratch_users_) largest = std::max(largest, user.get_desc().get_size());
  // Not from the pool: what lies free there now is in use while tasks run.
  scratch_ = allocate_floats(largest / sizeof(float) + 1);
  scratch_bytes_ = static_cast<Bytes>(largest);
  for (dnnl::memory& user : scratch_users_) user.set_data_handle(scratch_.get());
}

Buffer Compilation::in_layout(const Buffer& buffer, const Layout& layout) {
  if (buffer.layout() == layout) return buffer;
  if (interchangeable(buffer.layout(), layout)) return pool_.view(buffer, layout);
  Buffer copy = pool_.take(layout);
  emit_reorder(buffer.memory, copy.memory);
  return copy;
}

void Compilation::emit_reorder(const dnnl::memory& from, const dnnl::memory& to) {
  const dnnl::reorder::primitive_desc description(from, to, attributes());
  emit<dnnl::reorder>(description, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

void Compilation::set_activation(int layer, const Buffer& buffer) {
  activations_[static_cast<std::size_t>(layer)] = buffer;
  if (const int relu = fusion_.relu_of(layer); relu >= 0) activations_[static_cast<std::size_t>(relu)] = buffer;
}

Buffer Compilation::input_in(int layer, const Layout& layout, std::size_t i) {
  const int source = input(layer, i);
  const Buffer& buffer = activation(source);
  if (!std::holds_alternative<Input>(spec(source).operation)) return in_layout(buffer, layout);
  if (buffer.layout() == layout) return buffer;
  Buffer images = pool_.take(layout);
  dnnl::memory from = buffer.memory;
  dnnl::reorder(from, images.memory).execute(stream_, from, images.memory);
  stream_.wait();
  return images;
}

}  // namespace mgbench::onednn
