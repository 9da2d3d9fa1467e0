// A block sums a row of 128 numbers, and each of its threads writes the sum. Four warps sum 32 numbers
// each and meet in shared memory, where one thread adds what they found. Every kernel below but the first has one mistake.
#include "chapters/06_cuda_kernels/broken.h"
#include "kernels/common/warp.cuh"
#include "kernels/simt/cuda.h"

namespace quire {
namespace {

using kernels::warp_sum;

constexpr unsigned kWarps = kBrokenThreads / 32;

__device__ float sum_of(const float* numbers, unsigned count) {
  float sum = 0.0f;
  for (unsigned i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

// [whole]
__global__ void whole(float* out, const float* x) {
  float* of_warps = simt::dynamic_shared<float>();
  const float mine = warp_sum(x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) of_warps[kWarps] = sum_of(of_warps, kWarps);
  __syncthreads();
  out[threadIdx.x] = of_warps[kWarps];
}
// [whole]

// The last thread does not wait for the other warps' sums.
// [missing_barrier]
__global__ void missing_barrier(float* out, const float* x) {
  float* of_warps = simt::dynamic_shared<float>();
  const float mine = warp_sum(x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  if (threadIdx.x == blockDim.x - 1) of_warps[kWarps] = sum_of(of_warps, kWarps);
  __syncthreads();
  out[threadIdx.x] = of_warps[kWarps];
}
// [missing_barrier]

// Two sums in the same memory, of x and of 1: a quick warp writes the second before a slow one has read
// the first.
// [early_reuse]
__global__ void early_reuse(float* out, const float* x) {
  float* of_warps = simt::dynamic_shared<float>();
  float sums[2];
  for (int turn = 0; turn < 2; ++turn) {
    const float mine = warp_sum(turn == 0 ? x[threadIdx.x] : 1.0f);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    sums[turn] = sum_of(of_warps, kWarps);
  }
  out[threadIdx.x] = sums[0] + (sums[1] - kBrokenThreads);
}
// [early_reuse]

// Four warps read the sum, add and write it back: on a GPU one may overwrite what another wrote.
// [lost_update]
__global__ void lost_update(float* out, const float* x) {
  float* sum = simt::dynamic_shared<float>();
  if (threadIdx.x == 0) *sum = 0.0f;
  __syncthreads();
  const float mine = warp_sum(x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) *sum += mine;
  __syncthreads();
  out[threadIdx.x] = *sum;
}
// [lost_update]

// The last 28 threads do not go round the loop, so they never come to its barrier.
// [divergent_barrier]
__global__ void divergent_barrier(float* out, const float* x) {
  float* of_warps = simt::dynamic_shared<float>();
  for (unsigned i = threadIdx.x; i < 100; i += blockDim.x) {
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x[i];
    __syncthreads();
  }
  __syncthreads();
  out[threadIdx.x] = sum_of(of_warps, kWarps);
}
// [divergent_barrier]

// A block of 128 threads has four warps, not eight.
// [unwritten]
__global__ void unwritten(float* out, const float* x) {
  float* of_warps = simt::dynamic_shared<float>();
  const float mine = warp_sum(x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  out[threadIdx.x] = sum_of(of_warps, 8);
}
// [unwritten]

// The last lane of each warp adds what the others write, as if lanes still went in step.
// [missing_syncwarp]
__global__ void missing_syncwarp(float* out, const float* x) {
  float* numbers = simt::dynamic_shared<float>();
  float* of_warps = numbers + kBrokenThreads;
  numbers[threadIdx.x] = x[threadIdx.x];
  const unsigned first = threadIdx.x / 32 * 32;
  if (threadIdx.x == first + 31) of_warps[threadIdx.x / 32] = sum_of(numbers + first, 32);
  __syncthreads();
  out[threadIdx.x] = sum_of(of_warps, kWarps);
}
// [missing_syncwarp]

template <void (*kernel)(float*, const float*)>
void launch(float* out, const float* x) {
  constexpr std::size_t kSharedBytes = (kBrokenThreads + 8) * sizeof(float);
  simt::launch(kernel, {.grid = 1, .block = kBrokenThreads, .shared_bytes = kSharedBytes}, out, x);
}

}  // namespace

std::span<const BrokenKernel> broken_kernels() {
  static constexpr BrokenKernel kKernels[] = {
      {"whole", "nothing is wrong", launch<whole>},
      {"missing-barrier", "no barrier between writing and reading", launch<missing_barrier>},
      {"early-reuse", "no barrier between reading and writing again", launch<early_reuse>},
      {"lost-update", "+= where atomicAdd is needed", launch<lost_update>},
      {"divergent-barrier", "a barrier that some threads never reach", launch<divergent_barrier>},
      {"unwritten", "reads what nobody wrote", launch<unwritten>},
      {"missing-syncwarp", "lanes that do not wait for each other", launch<missing_syncwarp>},
  };
  return kKernels;
}

}  // namespace quire
