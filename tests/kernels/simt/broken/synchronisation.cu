#include "kernels/simt/cuda.h"
#include "kernels/simt/tensor_core.h"
#include "tests/kernels/simt/broken/broken.h"

namespace quire::test::simt_kernels {
namespace {

constexpr unsigned kAll = 0xffffffffu;

__global__ void divergent_barrier_kernel(float* out, float salt) {
  if (threadIdx.x < 64) {
    out[threadIdx.x] = salt;
    __syncthreads();
  } else {
    __syncthreads();
  }
}

__global__ void deadlock_kernel(float* out, float salt) {
  if (threadIdx.x % 32 == 5) __syncthreads();
  out[threadIdx.x] = __shfl_xor_sync(kAll, salt, 1);
}

__global__ void absent_lane_kernel(float* out, float salt) {
  if (threadIdx.x % 32 < 16) out[threadIdx.x] = __shfl_down_sync(0x0000ffffu, salt, 16);
}

__global__ void outside_mask_kernel(float* out, float salt) {
  out[threadIdx.x] = __shfl_xor_sync(0x0000ffffu, salt, 1);
}

__global__ void divergent_warp_kernel(float* out, float salt) {
  if (threadIdx.x % 32 < 16) {
    out[threadIdx.x] = __shfl_xor_sync(kAll, salt, 1);
  } else {
    out[threadIdx.x] = static_cast<float>(__any_sync(kAll, salt > 0.0f));
  }
}

__global__ void two_types_kernel(float* out, float salt) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = __shfl_xor_sync(kAll, salt, 1);
  } else {
    out[threadIdx.x] = static_cast<float>(__shfl_xor_sync(kAll, double{salt}, 1));
  }
}

__global__ void reach_kernel(float* out, float salt, int reach, int width) {
  out[threadIdx.x] = __shfl_xor_sync(kAll, salt, reach, width);
}

__global__ void half_a_warp_kernel(float* out, float salt) {
  float sum[4] = {salt, salt, salt, salt};
  const std::uint32_t left[4] = {}, right[2] = {};
  simt::mma_m16n8k16<BFloat16>(sum, left, right);
  out[threadIdx.x] = sum[0];
}

}  // namespace

void divergent_barrier(float* out, float salt) {
  simt::launch(divergent_barrier_kernel, {.grid = 1, .block = 128}, out, salt);
}
void deadlock(float* out, float salt) {
  simt::launch(deadlock_kernel, {.grid = 1, .block = 128}, out, salt);
}
void shuffle_from_absent_lane(float* out, float salt) {
  simt::launch(absent_lane_kernel, {.grid = 1, .block = 128}, out, salt);
}
void lane_outside_its_mask(float* out, float salt) {
  simt::launch(outside_mask_kernel, {.grid = 1, .block = 128}, out, salt);
}
void divergent_warp(float* out, float salt) {
  simt::launch(divergent_warp_kernel, {.grid = 1, .block = 128}, out, salt);
}
void shuffle_of_two_types(float* out, float salt) {
  simt::launch(two_types_kernel, {.grid = 1, .block = 128}, out, salt);
}
void shuffle_beyond_the_warp(float* out, float salt) {
  simt::launch(reach_kernel, {.grid = 1, .block = 128}, out, salt, -1, 32);
}
void shuffle_of_an_odd_width(float* out, float salt) {
  simt::launch(reach_kernel, {.grid = 1, .block = 128}, out, salt, 1, 12);
}
void tensor_core_in_half_a_warp(float* out, float salt) {
  simt::launch(half_a_warp_kernel, {.grid = 1, .block = 16}, out, salt);
}

}  // namespace quire::test::simt_kernels
