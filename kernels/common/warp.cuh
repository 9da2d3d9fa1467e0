/// \file
/// \brief Reductions over the 32 lanes of a warp.
#pragma once

#include "kernels/simt/cuda.h"

namespace quire::kernels {

// [warp_sum]
/// \brief The sum over the lanes of a warp, for each of them. All lanes take part.
/// \param x  this lane's
__device__ inline float warp_sum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x += __shfl_xor_sync(0xffffffffu, x, distance);
  }
  return x;
}
// [warp_sum]

/// \brief The largest over the lanes of a warp, for each of them. All lanes take part; NaN is passed
/// over.
/// \param x  this lane's
__device__ inline float warp_max(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, distance));
  }
  return x;
}

}  // namespace quire::kernels
