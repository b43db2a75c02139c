#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bench/backends/onednn/fusion.h"
#include "bench/backends/onednn/gradients.h"
#include "bench/backends/onednn/memory.h"
#include "bench/backends/onednn/parameters.h"
#include "bench/backends/onednn/task.h"
#include "bench/network.h"

namespace mgbench::onednn {

/// What layers share while a model is turned into tasks: memory, the activations and gradients so far, and
/// the list that tasks are appended to. Layers are compiled in the order in which their tasks will run. It
/// owns the memory that tasks work on, and outlives them.
class Compilation {
 public:
  /// `iteration` is where the network will count; read by tasks.
  Compilation(const NetworkRequest& request, const std::uint64_t& iteration);
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  const NetworkRequest& request() const { return request_; }
  const std::uint64_t& iteration() const { return iteration_; }
  const LayerSpec& spec(int layer) const { return request_.model->layers[static_cast<std::size_t>(layer)]; }
  int batch() const { return request_.batch; }
  /// [batch, channels, height, width] of a layer's output.
  Layout plain(int layer) const { return plain_layout(spec(layer).output, batch()); }
  Layout any(int layer) const { return any_layout(plain(layer).dims()); }

  const dnnl::engine& engine() const { return engine_; }
  const Fusion& fusion() const { return fusion_; }
  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  Gradients& gradients() { return gradients_; }
  MemoryPool& pool() { return pool_; }
  Bytes bytes() const;

  /// Where tasks go from now on.
  void emit_into(std::vector<Task>& tasks) { tasks_ = &tasks; }
  void emit(Task task) { tasks_->push_back(std::move(task)); }
  /// The primitive with its arguments, and with the scratch memory that all primitives share.
  template <typename Primitive>
  void emit(const typename Primitive::primitive_desc& description, Arguments arguments) {
    arguments.emplace_back(DNNL_ARG_SCRATCHPAD, scratch(description.scratchpad_desc()));
    emit(primitive_task(Primitive(description), stream_, std::move(arguments)));
  }
  /// For every primitive: scratch memory comes from here.
  static dnnl::primitive_attr attributes();
  /// Once everything has been compiled: gives the shared scratch memory the size of the largest request.
  void allocate_scratch();

  /// `buffer` itself when it already lies so, else a copy; filling it is a task.
  Buffer in_layout(const Buffer& buffer, const Layout& layout);
  void emit_reorder(const dnnl::memory& from, const dnnl::memory& to);

  /// The output of a layer; of a layer that applies a ReLU, the ReLU's.
  const Buffer& activation(int layer) const { return activations_[static_cast<std::size_t>(layer)]; }
  void set_activation(int layer, const Buffer& buffer);
  /// The i-th input of a layer as a primitive wants it. The images, which stay the same, are converted here
  /// and now.
  Buffer input_in(int layer, const Layout& layout, std::size_t i = 0);
  int input(int layer, std::size_t i = 0) const { return spec(layer).inputs[i]; }

 private:
  dnnl::memory scratch(const Layout& layout);

  NetworkRequest request_;
  const std::uint64_t& iteration_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  Fusion fusion_;
  Parameters parameters_;
  MemoryPool pool_;
  Gradients gradients_;
  std::vector<Buffer> activations_;  ///< by layer
  std::vector<Task>* tasks_ = nullptr;
  std::vector<dnnl::memory> scratch_users_;
  std::shared_ptr<float> scratch_;
  Bytes scratch_bytes_ = 0;
};

}  // namespace mgbench::onednn
