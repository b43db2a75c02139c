#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

/// Copies into, and gradients out of, parts of the output's channels.
class ConcatLayer final : public Layer {
 public:
  explicit ConcatLayer(LayerContext context) : Layer(std::move(context)) {
    std::size_t channels = 0;
    for (std::size_t i = 0; i < inputs(); ++i) {
      const Shape& shape = input(i).shape;
      parts_.emplace_back(network().type, network().layout, network().request.batch, shape, output().shape);
      const std::size_t pixels =
          network().layout == Layout::channels_last ? 1 : static_cast<std::size_t>(shape.height) * shape.width;
      offsets_.push_back(channels * pixels * static_cast<std::size_t>(size_of(network().type)));
      channels += static_cast<std::size_t>(shape.channels);
    }
  }

  void forward() override {
    for (std::size_t i = 0; i < inputs(); ++i)
      check(cudnnTransformTensor(network().cudnn, &kOne, input(i).descriptor, input(i).value, &kZero, parts_[i],
                                 part(output().value, i)),
            "cudnnTransformTensor");
  }

  void backward(BackwardPart) override {
    for (std::size_t i = 0; i < inputs(); ++i) {
      if (input(i).gradient == nullptr) continue;
      const float kept = this->kept(i);
      check(cudnnTransformTensor(network().cudnn, &kOne, parts_[i], part(output().gradient, i), &kept,
                                 input(i).descriptor, input(i).gradient),
            "cudnnTransformTensor");
    }
  }

 private:
  void* part(void* whole, std::size_t i) const { return static_cast<std::byte*>(whole) + offsets_[i]; }

  std::vector<TensorDescriptor> parts_;
  std::vector<std::size_t> offsets_;  ///< in bytes
};

}  // namespace

LayerPointer make_layer(const Concat&, LayerContext context) {
  return std::make_unique<ConcatLayer>(std::move(context));
}

}  // namespace mgbench::cuda
