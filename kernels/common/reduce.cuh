/// \file
/// \brief One value out of those of all threads of a block.
#pragma once

#include "kernels/simt/cuda.h"
#include "kernels/simt/warp.cuh"

namespace quire::kernels {

/// \brief What all threads of a block share for a reduction: a value of each warp.
struct OfWarps {
  float values[32];  ///< a block has at most 32 warps
};

/// \brief The values of all warps, one for each lane, once every warp has written its own.
///
/// The block must consist of whole warps along x, and all its threads must call.
/// \param shared   shared memory; another call may use it as soon as this one returns
/// \param mine     this warp's value, the same in all its lanes
/// \param nothing  what lanes beyond the last warp get
__device__ inline float value_of_warp(OfWarps& shared, float mine, float nothing) {
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  const int warps = static_cast<int>(blockDim.x) / warpSize;
  if (lane == 0) shared.values[warp] = mine;
  __syncthreads();
  const float value = lane < warps ? shared.values[lane] : nothing;
  __syncthreads();  // the next call writes again
  return value;
}

/// \brief The sum over the threads of a block, for each of them; always added in the same order.
/// \param value  this thread's
__device__ inline float block_sum(float value) {
  __shared__ OfWarps of_warps;
  return warp_sum(value_of_warp(of_warps, warp_sum(value), 0.0f));
}

/// \brief The largest over the threads of a block, for each of them; NaN is passed over.
/// \param value  this thread's
__device__ inline float block_max(float value) {
  __shared__ OfWarps of_warps;
  return warp_max(value_of_warp(of_warps, warp_max(value), -INFINITY));
}

}  // namespace quire::kernels
