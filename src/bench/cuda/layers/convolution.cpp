#include <fmt/format.h>

#include <optional>

#include "bench/cuda/bias.h"
#include "bench/cuda/convolution_algorithm.h"

namespace mgbench::cuda {
namespace {

class ConvolutionLayer final : public Layer {
 public:
  ConvolutionLayer(const Convolution& convolution, LayerContext context)
      : Layer(std::move(context)),
        convolution_(convolution),
        filter_(network().type, network().layout, convolution.outputs, input().shape.channels / convolution.groups,
                convolution.kernel),
        forward_(convolution, network().request.precision),
        backward_data_(convolution, network().request.precision),
        backward_filter_(convolution, network().request.precision) {
    if (convolution.bias) bias_.emplace(network(), parameters(), output(), layer());
    choose_algorithms();
  }

  void forward() override {
    check(cudnnConvolutionForward(network().cudnn, &kOne, input().descriptor, input().value, filter_, weight(),
                                  forward_, forward_algorithm_.algorithm, workspace().data(),
                                  static_cast<std::size_t>(workspace().bytes()), &kZero, output().descriptor,
                                  output().value),
          "cudnnConvolutionForward");
    if (bias_) bias_->forward();
  }

  void backward(BackwardPart part) override {
    if (part != BackwardPart::data) backward_parameters();
    if (part == BackwardPart::weights) return;
    const float kept = this->kept();
    check(cudnnConvolutionBackwardData(network().cudnn, &kOne, filter_, weight(), output().descriptor,
                                       output().gradient, backward_data_, data_algorithm_.algorithm, workspace().data(),
                                       static_cast<std::size_t>(workspace().bytes()), &kept, input().descriptor,
                                       input().gradient),
          "cudnnConvolutionBackwardData");
  }

 private:
  const void* weight() const { return parameters().value(layer(), 0); }

  void backward_parameters() {
    const ElementType type = network().type;
    check(cudnnConvolutionBackwardFilter(network().cudnn, &kOne, input().descriptor, input().value, output().descriptor,
                                         output().gradient, backward_filter_, filter_algorithm_.algorithm,
                                         workspace().data(), static_cast<std::size_t>(workspace().bytes()), &kZero,
                                         filter_, parameters().target(layer(), 0, type)),
          "cudnnConvolutionBackwardFilter");
    parameters().deliver(layer(), 0, type);
    if (bias_) bias_->backward();
  }

  std::string key() const {
    const Shape& shape = input().shape;
    return fmt::format(
        "{} images of {} x {} x {}, {} outputs, kernel {}, stride {}, padding {}, {} groups, type {}, precision {}, "
        "layout {}",
        network().request.batch, shape.channels, shape.height, shape.width, convolution_.outputs, convolution_.kernel,
        convolution_.stride, convolution_.padding, convolution_.groups, static_cast<int>(network().type),
        static_cast<int>(network().request.precision), static_cast<int>(network().layout));
  }

  /// On the memory of the layer itself; what it holds is written anew by the first iteration, and parameters are of no
  /// value yet.
  void choose_algorithms() {
    const ElementType type = network().type;
    void* weight = const_cast<void*>(this->weight());  // cuDNN only reads it
    ConvolutionTensors tensors{.key = key(),
                               .input = input().descriptor,
                               .input_data = input().value,
                               .filter = filter_,
                               .filter_data = weight,
                               .output = output().descriptor,
                               .output_data = output().value};
    forward_algorithm_ = choose_forward(network().cudnn, tensors, forward_, workspace());
    check(cudnnSetConvolutionMathType(forward_, forward_algorithm_.math), "cudnnSetConvolutionMathType");
    workspace().need(forward_algorithm_.workspace);

    tensors.output_data = output().gradient;
    tensors.filter_data = parameters().target(layer(), 0, type);
    filter_algorithm_ = choose_backward_filter(network().cudnn, tensors, backward_filter_, workspace());
    check(cudnnSetConvolutionMathType(backward_filter_, filter_algorithm_.math), "cudnnSetConvolutionMathType");
    workspace().need(filter_algorithm_.workspace);

    if (input().gradient == nullptr) return;
    tensors.filter_data = weight;
    tensors.input_data = input().gradient;
    data_algorithm_ = choose_backward_data(network().cudnn, tensors, backward_data_, workspace());
    check(cudnnSetConvolutionMathType(backward_data_, data_algorithm_.math), "cudnnSetConvolutionMathType");
    workspace().need(data_algorithm_.workspace);
  }

  Convolution convolution_;
  FilterDescriptor filter_;
  std::optional<Bias> bias_;
  ConvolutionDescriptor forward_, backward_data_, backward_filter_;
  ChosenAlgorithm<cudnnConvolutionFwdAlgo_t> forward_algorithm_;
  ChosenAlgorithm<cudnnConvolutionBwdDataAlgo_t> data_algorithm_;
  ChosenAlgorithm<cudnnConvolutionBwdFilterAlgo_t> filter_algorithm_;
};

}  // namespace

LayerPointer make_layer(const Convolution& convolution, LayerContext context) {
  return std::make_unique<ConvolutionLayer>(convolution, std::move(context));
}

}  // namespace mgbench::cuda
