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

// [better]
__device__ Candidate better(Candidate a, Candidate b) {
  // exercise 06.1 begin: Choose the candidate with the larger value; of equal values, the lower index.
  const bool b_wins = b.value > a.value || (b.value == a.value && b.index < a.index);
  return b_wins ? b : a;
  // exercise 06.1 end
}
// [better]

__device__ Candidate candidate_at(const float* row, std::int64_t i) {
  const bool is_nan = row[i] != row[i];
  return is_nan ? Candidate{INFINITY, -1} : Candidate{row[i], static_cast<std::int32_t>(i)};
}

// [reduce]
// The best of the elements that this thread meets.
__device__ Candidate best_of_thread(const float* row, std::int64_t width) {
  // exercise 06.2 begin: Walk along the row so that neighbouring threads read neighbouring elements,
  // and keep the best candidate_at() that this thread meets; nobody() if it meets none.
  Candidate best = nobody();
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
    best = better(best, candidate_at(row, i));
  }
  return best;
  // exercise 06.2 end
}

// The best of the candidates of a warp's lanes, for each of them.
__device__ Candidate best_of_warp(Candidate mine) {
  // exercise 06.3 begin: Five times, look at the candidate of a lane some places apart and keep the
  // better one; afterwards all 32 lanes must know the best.
  for (int apart = warpSize / 2; apart > 0; apart /= 2) {
    mine = better(mine, {__shfl_xor_sync(0xffffffffu, mine.value, apart),
                         __shfl_xor_sync(0xffffffffu, mine.index, apart)});
  }
  return mine;
  // exercise 06.3 end
}

// The best of the candidates of a block's threads, for those of the first warp.
__device__ Candidate best_of_block(Candidate mine) {
  // exercise 06.4 begin: Let each warp leave its best in shared memory, wait for the others, and let the
  // first warp choose among them.
  __shared__ Candidate of_warps[32];
  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  mine = best_of_warp(mine);
  if (lane == 0) of_warps[warp] = mine;
  __syncthreads();
  if (warp > 0) return mine;
  return best_of_warp(lane < blockDim.x / warpSize ? of_warps[lane] : nobody());
  // exercise 06.4 end
}
// [reduce]

__global__ void argmax_kernel(std::int32_t* out, const float* x, std::int64_t width) {
  const Candidate best = best_of_block(best_of_thread(x + blockIdx.x * width, width));
  if (threadIdx.x == 0) out[blockIdx.x] = best.index;
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
