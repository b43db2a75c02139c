#pragma once

#include <cudnn.h>
#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

template <class Object, cudnnStatus_t (*make)(Object*), cudnnStatus_t (*destroy)(Object)>
class CudnnObject {
 public:
  CudnnObject() { EXPECT_EQ(make(&object_), CUDNN_STATUS_SUCCESS); }
  ~CudnnObject() { EXPECT_EQ(destroy(object_), CUDNN_STATUS_SUCCESS); }
  CudnnObject(const CudnnObject&) = delete;
  CudnnObject& operator=(const CudnnObject&) = delete;
  operator Object() const { return object_; }

 private:
  Object object_ = nullptr;
};

using Handle = CudnnObject<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using PoolingDescriptor =
    CudnnObject<cudnnPoolingDescriptor_t, cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor>;
using ActivationDescriptor =
    CudnnObject<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor>;
using LrnDescriptor = CudnnObject<cudnnLRNDescriptor_t, cudnnCreateLRNDescriptor, cudnnDestroyLRNDescriptor>;
using OpDescriptor =
    CudnnObject<cudnnOpTensorDescriptor_t, cudnnCreateOpTensorDescriptor, cudnnDestroyOpTensorDescriptor>;

struct TensorDescriptor
    : CudnnObject<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor> {
  TensorDescriptor(int n, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW,
                   cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    EXPECT_EQ(cudnnSetTensor4dDescriptor(*this, format, type, n, c, h, w), CUDNN_STATUS_SUCCESS);
  }
};

struct FilterDescriptor
    : CudnnObject<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor> {
  FilterDescriptor(int k, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW,
                   cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    EXPECT_EQ(cudnnSetFilter4dDescriptor(*this, type, format, k, c, h, w), CUDNN_STATUS_SUCCESS);
  }
};

struct ConvolutionDescriptor
    : CudnnObject<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor> {
  explicit ConvolutionDescriptor(int pad, int stride = 1, int dilation = 1, int groups = 1) {
    EXPECT_EQ(cudnnSetConvolution2dDescriptor(*this, pad, pad, stride, stride, dilation, dilation,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
              CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(cudnnSetConvolutionGroupCount(*this, groups), CUDNN_STATUS_SUCCESS);
  }
};

constexpr float kOne = 1, kZero = 0;
