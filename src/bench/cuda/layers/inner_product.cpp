#include <optional>

#include "bench/cuda/bias.h"

namespace mgbench::cuda {
namespace {

/// output [batch, outputs] = input [batch, inputs] times weight [outputs, inputs] transposed. cuBLAS counts by columns:
/// to it each of these is the transposed matrix.
class InnerProductLayer final : public Layer {
 public:
  InnerProductLayer(const InnerProduct& product, LayerContext context)
      : Layer(std::move(context)),
        batch_(network().request.batch),
        inputs_(static_cast<int>(input().shape.elements())),
        outputs_(product.outputs) {
    if (product.bias) bias_.emplace(network(), parameters(), output(), layer());
  }

  void forward() override {
    const ElementType type = network().type;
    multiply(CUBLAS_OP_T, CUBLAS_OP_N, outputs_, batch_, inputs_, parameters().value(layer(), 0), inputs_,
             input().value, inputs_, kZero, output().value, type, outputs_);
    if (bias_) bias_->forward();
  }

  void backward(BackwardPart part) override {
    if (part != BackwardPart::data) backward_parameters();
    if (part == BackwardPart::weights) return;
    multiply(CUBLAS_OP_N, CUBLAS_OP_N, inputs_, batch_, outputs_, parameters().value(layer(), 0), inputs_,
             output().gradient, outputs_, kept(), input().gradient, network().type, inputs_);
  }

 private:
  void backward_parameters() {
    const ElementType type = network().type;
    const ElementType weight_type = network().request.gradients == ElementType::float32 ? ElementType::float32 : type;
    multiply(CUBLAS_OP_N, CUBLAS_OP_T, inputs_, outputs_, batch_, input().value, inputs_, output().gradient, outputs_,
             kZero, parameters().target(layer(), 0, weight_type), weight_type, inputs_);
    parameters().deliver(layer(), 0, weight_type);
    if (bias_) bias_->backward();
  }

  /// c [rows, columns] = a b + kept c, all by columns.
  void multiply(cublasOperation_t a_operation, cublasOperation_t b_operation, int rows, int columns, int inner,
                const void* a, int a_stride, const void* b, int b_stride, float kept, void* c, ElementType c_type,
                int c_stride) const {
    const cudaDataType_t type = cuda_type(network().type);
    const cublasComputeType_t compute =
        network().request.precision == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    check(cublasGemmEx(network().cublas, a_operation, b_operation, rows, columns, inner, &kOne, a, type, a_stride, b,
                       type, b_stride, &kept, c, cuda_type(c_type), c_stride, compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  }

  int batch_, inputs_, outputs_;
  std::optional<Bias> bias_;
};

}  // namespace

LayerPointer make_layer(const InnerProduct& product, LayerContext context) {
  return std::make_unique<InnerProductLayer>(product, std::move(context));
}

}  // namespace mgbench::cuda
