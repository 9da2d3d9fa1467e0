/// \file
/// \brief How work that is the same for every row or element is split over threads.
#pragma once

#include "src/simd/vector.h"

namespace quire::simd {

/// \brief Elements that are worth a second thread: some microseconds of simple arithmetic.
inline constexpr Index kWorthAThread = 16384;

/// \brief Rows that are worth a second thread.
/// \param row_size  elements a row
constexpr Index rows_worth_a_thread(Index row_size) {
  return row_size > 0 ? kWorthAThread / row_size + 1 : kWorthAThread;
}

/// \brief Calls `body(pointer)` with the elements of a tensor as what they are stored as.
/// \param tensor  F32, F16 or BF16
/// \param body    callable with a pointer to float, Float16 or BFloat16
template <class Byte, class Body>
void with_stored(const TensorView<Byte>& tensor, const Body& body) {
  if (tensor.dtype() == DType::f32) return body(tensor.template values<float>().data());
  if (tensor.dtype() == DType::f16) return body(tensor.template values<Float16>().data());
  body(tensor.template values<BFloat16>().data());
}

}  // namespace quire::simd
