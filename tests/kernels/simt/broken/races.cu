#include "kernels/simt/cuda.h"
#include "tests/kernels/simt/broken/broken.h"

namespace quire::test::simt_kernels {
namespace {

constexpr unsigned kAll = 0xffffffffu;

template <bool before_read, bool before_reuse>
__device__ float block_sum(float value) {
  __shared__ float of_warp[4];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
  if (lane == 0) of_warp[warp] = value;
  if constexpr (before_read) __syncthreads();
  value = of_warp[lane % 4];
  for (int d = 2; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
  if constexpr (before_reuse) __syncthreads();
  return value;
}

template <bool before_read, bool before_reuse>
__global__ void sums_kernel(float* out, float salt) {
  const float once = block_sum<before_read, before_reuse>(salt);
  const float twice = block_sum<before_read, before_reuse>(2.0f * salt);
  if (threadIdx.x != 0) return;
  out[0] = once;
  out[1] = twice;
}

__global__ void neighbour_kernel(float* out, float salt) {
  __shared__ float value[128];
  value[threadIdx.x] = salt + static_cast<float>(threadIdx.x);
  out[threadIdx.x] = value[(threadIdx.x + 1) % 128];
}

__global__ void tree_kernel(float* out, float salt) {
  __shared__ volatile float value[32];
  value[threadIdx.x] = salt;
  for (unsigned d = 16; d > 0; d /= 2) {
    if (threadIdx.x < d) value[threadIdx.x] = value[threadIdx.x] + value[threadIdx.x + d];
  }
  if (threadIdx.x == 0) out[0] = value[0];
}

__global__ void shuffle_kernel(float* out, float salt) {
  __shared__ float value[32];
  value[threadIdx.x] = static_cast<float>(threadIdx.x) + salt;
  const float mine = __shfl_sync(kAll, salt, 0);
  out[threadIdx.x] = value[(threadIdx.x + 1) % 32] + mine - salt;
}

__global__ void update_kernel(float* out) {
  out[0] += 1.0f;
}

}  // namespace

void block_sum_twice(float* out, float salt) {
  simt::launch(sums_kernel<true, true>, {.grid = 1, .block = 128}, out, salt);
}
void no_barrier_before_read(float* out, float salt) {
  simt::launch(sums_kernel<false, true>, {.grid = 1, .block = 128}, out, salt);
}
void no_barrier_before_reuse(float* out, float salt) {
  simt::launch(sums_kernel<true, false>, {.grid = 1, .block = 128}, out, salt);
}
void no_barrier_at_all(float* out, float salt) {
  simt::launch(neighbour_kernel, {.grid = 1, .block = 128}, out, salt);
}
void no_warp_barrier(float* out, float salt) {
  simt::launch(tree_kernel, {.grid = 1, .block = 32}, out, salt);
}
void shuffle_for_barrier(float* out, float salt) {
  simt::launch(shuffle_kernel, {.grid = 1, .block = 32}, out, salt);
}
void lost_update(float* out, float) {
  simt::launch(update_kernel, {.grid = 1, .block = 128}, out);
}

}  // namespace quire::test::simt_kernels
