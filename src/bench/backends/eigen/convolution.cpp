#include "bench/backends/eigen/layer.h"
#include "bench/backends/eigen/matrix.h"

namespace mgbench {
namespace {

/// Per image and group: output = weight [outputs, inputs k k] times patches [inputs k k, pixels].
template <typename Scalar>
class ConvolutionLayer final : public Layer<Scalar> {
 public:
  ConvolutionLayer(const Convolution& convolution, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)),
        convolution_(convolution),
        inputs_(this->input().shape.channels / convolution.groups),
        outputs_(convolution.outputs / convolution.groups),
        pixels_(this->output().shape.height * this->output().shape.width),
        patches_(std::ptrdiff_t{inputs_} * convolution.kernel * convolution.kernel, pixels_),
        patch_gradients_(patches_.rows(), pixels_) {}

  void forward() override {
    for_each_group([&](int image, int group) {
      gather(image, group);
      MatrixView<Scalar> out = pixels_of(this->output().value, image, group);
      out.noalias() = weight(this->context().parameters, group) * patches_;
      if (convolution_.bias) out.colwise() += bias(this->context().parameters, group);
    });
  }

  void backward(BackwardPart part) override {
    if (part == BackwardPart::weights)
      backward_weights();
    else
      backward_data();
  }

 private:
  void backward_weights() {
    for (const std::span<Scalar> gradient : this->context().gradients)
      std::fill(gradient.begin(), gradient.end(), Scalar{0});
    for_each_group([&](int image, int group) {
      gather(image, group);
      const MatrixView<Scalar> out = pixels_of(this->output().gradient, image, group);
      weight(this->context().gradients, group).noalias() += out * patches_.transpose();
      if (convolution_.bias) bias(this->context().gradients, group) += out.rowwise().sum();
    });
  }

  void backward_data() {
    for_each_group([&](int image, int group) {
      patch_gradients_.noalias() =
          weight(this->context().parameters, group).transpose() * pixels_of(this->output().gradient, image, group);
      for_each_patch_element(group, [&](std::ptrdiff_t row, int column, int channel, int y, int x) {
        Activation<Scalar>& in = this->input();
        in.gradient[in.index(image, channel, y, x)] += patch_gradients_(row, column);
      });
    });
  }

  /// patches_ := the input under each position of the kernel; zero outside the image.
  void gather(int image, int group) {
    patches_.setZero();
    for_each_patch_element(group, [&](std::ptrdiff_t row, int column, int channel, int y, int x) {
      const Activation<Scalar>& in = this->input();
      patches_(row, column) = in.value[in.index(image, channel, y, x)];
    });
  }

  template <typename Function>
  void for_each_group(Function function) {
    for (int image = 0; image < this->input().batch; ++image)
      for (int group = 0; group < convolution_.groups; ++group) function(image, group);
  }

  template <typename Function>
  void for_each_patch_element(int group, Function function) {
    const Shape& in = this->input().shape;
    const Shape& out = this->output().shape;
    std::ptrdiff_t row = 0;
    for (int channel = 0; channel < inputs_; ++channel)
      for (int ky = 0; ky < convolution_.kernel; ++ky)
        for (int kx = 0; kx < convolution_.kernel; ++kx, ++row)
          for (int oy = 0; oy < out.height; ++oy)
            for (int ox = 0; ox < out.width; ++ox) {
              const int y = oy * convolution_.stride - convolution_.padding + ky;
              const int x = ox * convolution_.stride - convolution_.padding + kx;
              if (y >= 0 && y < in.height && x >= 0 && x < in.width)
                function(row, oy * out.width + ox, group * inputs_ + channel, y, x);
            }
  }

  MatrixView<Scalar> weight(const std::vector<std::span<Scalar>>& tensors, int group) const {
    return {tensors[0].data() + group * outputs_ * patches_.rows(), outputs_, patches_.rows()};
  }
  VectorView<Scalar> bias(const std::vector<std::span<Scalar>>& tensors, int group) const {
    return {tensors[1].data() + std::ptrdiff_t{group} * outputs_, outputs_};
  }
  MatrixView<Scalar> pixels_of(std::vector<Scalar>& values, int image, int group) const {
    return {values.data() + this->output().index(image, group * outputs_, 0, 0), outputs_, pixels_};
  }

  Convolution convolution_;
  int inputs_;   ///< channels a group
  int outputs_;  ///< channels a group
  int pixels_;   ///< of an output channel
  Matrix<Scalar> patches_;
  Matrix<Scalar> patch_gradients_;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const Convolution& convolution, LayerContext<Scalar> context) {
  return std::make_unique<ConvolutionLayer<Scalar>>(convolution, std::move(context));
}
template LayerPointer<float> make_layer(const Convolution&, LayerContext<float>);
template LayerPointer<double> make_layer(const Convolution&, LayerContext<double>);

}  // namespace mgbench
