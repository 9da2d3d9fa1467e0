/// \file
/// \brief From tensors to the pointers that launchers take.
#pragma once

#include "src/core/tensor.h"

namespace quire::kernels {

/// \brief The first element of a tensor in device memory.
/// \tparam T  a type with `dtype_of<T> == tensor.dtype()`
/// \param tensor  any
template <class T, class Byte>
auto* first_of(const TensorView<Byte>& tensor) {
  return tensor.template values<T>().data();
}

/// \brief Calls `body(pointer)` with the first element of a tensor as what it is stored as.
/// \param tensor  F32, F16 or BF16
/// \param body    callable with a pointer to float, Float16 or BFloat16
template <class Byte, class Body>
void with_stored(const TensorView<Byte>& tensor, const Body& body) {
  if (tensor.dtype() == DType::f32) return body(first_of<float>(tensor));
  if (tensor.dtype() == DType::f16) return body(first_of<Float16>(tensor));
  body(first_of<BFloat16>(tensor));
}

}  // namespace quire::kernels
