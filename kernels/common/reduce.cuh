/// \file
/// \brief One value out of those of all threads of a block.
#pragma once

#include "kernels/common/warp.cuh"
#include "kernels/simt/cuda.h"

namespace quire::kernels {

// [reduce]
/// \brief The values of all warps, one for each lane, once every warp has written its own.
///
/// The block must consist of whole warps along x, and all its threads must call. All reductions of a
/// kernel share 128 bytes of shared memory.
/// \param mine     this warp's value, the same in all its lanes
/// \param nothing  what lanes beyond the last warp get
__device__ inline float value_of_warp(float mine, float nothing) {
  __shared__ float of_warps[32];  // a block has at most 32 warps
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  const int warps = static_cast<int>(blockDim.x) / warpSize;
  if (lane == 0) of_warps[warp] = mine;
  __syncthreads();
  const float value = lane < warps ? of_warps[lane] : nothing;
  __syncthreads();  // the next reduction writes again
  return value;
}

/// \brief The sum over the threads of a block, for each of them; always added in the same order.
/// \param value  this thread's
__device__ inline float block_sum(float value) {
  return warp_sum(value_of_warp(warp_sum(value), 0.0f));
}
// [reduce]

/// \brief The largest over the threads of a block, for each of them; NaN is passed over.
/// \param value  this thread's
__device__ inline float block_max(float value) {
  return warp_max(value_of_warp(warp_max(value), -INFINITY));
}

}  // namespace quire::kernels
