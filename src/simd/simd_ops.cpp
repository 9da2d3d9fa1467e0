#include "src/simd/simd_ops.h"

#include <cstring>

#include "src/simd/panels.h"

namespace quire {

SimdOps::SimdOps(int threads)
    : threads_(threads), scratch_(static_cast<std::size_t>(threads_.size())) {}

Weight SimdOps::prepare(ConstTensor weight, std::shared_ptr<const void>) {
  const bool matrix = weight.shape().rank() == 2;
  const auto copy = weights_.take(matrix ? simd::packed_bytes(weight) : weight.byte_count());
  if (matrix) {
    simd::pack(weight, copy.get());
  } else if (weight.byte_count() > 0) {
    std::memcpy(copy.get(), weight.bytes(), weight.byte_count());
  }
  return {{copy.get(), weight.dtype(), weight.shape()}, copy};
}

}  // namespace quire
