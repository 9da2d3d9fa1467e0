/// \file
/// \brief Tensors in host memory, seen as Eigen matrices.
#pragma once

#include <Eigen/Core>

#include "src/core/tensor.h"

namespace quire {

/// \brief A dense, row-major F32 matrix.
using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// \brief An F32 tensor as a matrix: its outermost dimension down, all others across.
/// \param x  F32, of rank 1 or more
inline Eigen::Map<const RowMatrix> matrix(ConstTensor x) {
  return {x.values<float>().data(), x.extent(0), x.shape().row_size()};
}

/// \brief An F32 tensor as a matrix that may be written.
/// \param x  F32, of rank 1 or more
inline Eigen::Map<RowMatrix> matrix(Tensor x) {
  return {x.values<float>().data(), x.extent(0), x.shape().row_size()};
}

}  // namespace quire
