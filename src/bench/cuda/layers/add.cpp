#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

class AddLayer final : public Layer {
 public:
  explicit AddLayer(LayerContext context) : Layer(std::move(context)) {
    check(cudnnSetOpTensorDescriptor(sum_, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN),
          "cudnnSetOpTensorDescriptor");
  }

  void forward() override {
    check(cudnnOpTensor(network().cudnn, sum_, &kOne, input(0).descriptor, input(0).value, &kOne, input(1).descriptor,
                        input(1).value, &kZero, output().descriptor, output().value),
          "cudnnOpTensor");
  }

  /// Nothing to do for an input whose gradient is the sum's own.
  void backward(BackwardPart) override {
    for (std::size_t i = 0; i < inputs(); ++i) {
      if (input(i).gradient == nullptr || input(i).gradient == output().gradient) continue;
      if (adds(i))
        check(cudnnAddTensor(network().cudnn, &kOne, output().descriptor, output().gradient, &kOne, input(i).descriptor,
                             input(i).gradient),
              "cudnnAddTensor");
      else
        network().copy(input(i).gradient, output().gradient,
                       static_cast<Bytes>(output().count) * size_of(network().type));
    }
  }

 private:
  OperationDescriptor sum_;
};

}  // namespace

LayerPointer make_layer(const Add&, LayerContext context) {
  return std::make_unique<AddLayer>(std::move(context));
}

}  // namespace mgbench::cuda
