#pragma once

#include <Eigen/Core>

namespace mgbench {

template <typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Views of contiguous rows.
template <typename Scalar>
using MatrixView = Eigen::Map<Matrix<Scalar>>;
template <typename Scalar>
using VectorView = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;

}  // namespace mgbench
