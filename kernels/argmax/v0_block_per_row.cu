// v0: a block takes a row; each thread keeps the best element that it met, then the warps choose among
// their lanes' and one warp among the warps'.
//
// Must read each element and write one index a row. A candidate is a value and its index, and which of
// two is better has one answer, so the result does not depend on the order in which they meet. A NaN
// becomes the candidate that beats everything: infinity at index -1.
#include "kernels/argmax/argmax.h"
#include "kernels/common/launch_size.cuh"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

struct Candidate {
  float value;
  std::int32_t index;
};

// Worse than every element.
__device__ Candidate nobody() {
  return {-INFINITY, 0x7fffffff};
}

__device__ Candidate better(Candidate a, Candidate b) {
  const bool b_wins = b.value > a.value || (b.value == a.value && b.index < a.index);
  return b_wins ? b : a;
}

__device__ Candidate best_of_warp(Candidate mine) {
  for (int apart = warpSize / 2; apart > 0; apart /= 2) {
    mine = better(mine, {__shfl_xor_sync(0xffffffffu, mine.value, apart),
                         __shfl_xor_sync(0xffffffffu, mine.index, apart)});
  }
  return mine;
}

__global__ void argmax_kernel(std::int32_t* out, const float* x, std::int64_t width) {
  __shared__ Candidate of_warps[32];
  const float* row = x + blockIdx.x * width;
  Candidate best = nobody();
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
    const bool is_nan = row[i] != row[i];
    best = better(
        best, is_nan ? Candidate{INFINITY, -1} : Candidate{row[i], static_cast<std::int32_t>(i)});
  }
  best = best_of_warp(best);
  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0) of_warps[warp] = best;
  __syncthreads();
  if (warp > 0) return;
  best = best_of_warp(lane < blockDim.x / warpSize ? of_warps[lane] : nobody());
  if (lane == 0) out[blockIdx.x] = best.index;
}

}  // namespace

void argmax(std::int32_t* out, const float* x, std::int64_t rows, std::int64_t width,
            simt::Stream stream) {
  if (rows == 0) return;
  simt::launch(argmax_kernel,
               {.grid = dim3(grid_extent(rows)), .block = threads_for_row(width), .stream = stream},
               out, x, width);
}

}  // namespace quire::kernels
