/// \file
/// \brief Products with a weight by the vendor's library, where there is one.
#pragma once

#include <memory>

#include "kernels/simt/runtime.h"
#include "src/core/tensor.h"

namespace quire::kernels {

/// \brief out[r, o] = sum over i of x[r, i] * weight[o, i], computed by a library.
class LibraryProduct {
 public:
  virtual ~LibraryProduct() = default;
  /// \brief Enqueues a product in F32 arithmetic on exactly the stored weights.
  /// \param x       F32 [rows, inputs], in device memory
  /// \param weight  F32, F16 or BF16 [outputs, inputs], in device memory
  /// \param out     F32 [rows, outputs]; does not overlap x
  virtual void multiply(ConstTensor x, ConstTensor weight, Tensor out) = 0;
};

/// \brief The library of this build's back end; null where it has none: in the emulator, and without
/// cuBLASLt.
/// \param stream  where products are enqueued
/// \throws simt::Error if the library cannot start
std::unique_ptr<LibraryProduct> library_product(simt::Stream stream);

}  // namespace quire::kernels
