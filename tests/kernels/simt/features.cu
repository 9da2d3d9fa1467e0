#include "tests/kernels/simt/features.h"

#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::test::simt_kernels {
namespace {

constexpr unsigned kAll = 0xffffffffu;

__global__ void indices_kernel(int* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  out[i] = static_cast<int>(i);
}

__global__ void reverse_static_kernel(float* out, const float* in) {
  __shared__ float tile[128];
  const unsigned first = blockIdx.x * 128;
  tile[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();
  out[first + threadIdx.x] = tile[127 - threadIdx.x];
}

__global__ void reverse_dynamic_kernel(float* out, const float* in) {
  float* tile = simt::dynamic_shared<float>();
  const unsigned first = blockIdx.x * blockDim.x;
  tile[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();
  out[first + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void shuffles_kernel(int* out, const int* in) {
  const unsigned lane = threadIdx.x;
  const int mine = in[lane];
  out[lane] = __shfl_sync(kAll, mine, 3, 8);
  out[32 + lane] = __shfl_down_sync(kAll, mine, 2, 8);
  out[64 + lane] = __shfl_up_sync(kAll, mine, 3, 8);
  out[96 + lane] = __shfl_xor_sync(kAll, mine, 5, 8);
  out[128 + lane] = __shfl_xor_sync(kAll, mine, 16);
}

__global__ void shuffle_struct_kernel(float* out, const float* in) {
  const float4 mine = reinterpret_cast<const float4*>(in)[threadIdx.x];
  const int other = 31 - static_cast<int>(threadIdx.x);
  float4 got;
  got.x = __shfl_sync(kAll, mine.x, other);
  got.y = __shfl_sync(kAll, mine.y, other);
  got.z = __shfl_sync(kAll, mine.z, other);
  got.w = __shfl_sync(kAll, mine.w, other);
  reinterpret_cast<float4*>(out)[threadIdx.x] = got;
}

__device__ int half_sum(unsigned mask, int value) {
  for (int d = 8; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d);
  return value;
}

__global__ void half_warps_kernel(int* out, const int* in) {
  const unsigned lane = threadIdx.x;
  int sum = 0;
  if (lane < 16) {
    sum = half_sum(0x0000ffffu, in[lane]);
  } else {
    for (int i = 0; i < 4; ++i) sum += half_sum(0xffff0000u, in[lane]);
  }
  out[lane] = sum;
}

__global__ void group_barriers_kernel(int* out, const int* in) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x, group = lane / 8, mask = 0xffu << (group * 8);
  int mine = in[lane];
  for (unsigned i = 0; i < 2 * group + 1; ++i) {
    tile[lane] = mine;
    __syncwarp(mask);
    mine = tile[group * 8 + 7 - lane % 8];
    __syncwarp(mask);
  }
  out[lane] = mine;
}

__global__ void votes_kernel(int* out, const int* in) {
  const unsigned lane = threadIdx.x;
  const int mine = in[lane];
  out[lane] = static_cast<int>(__ballot_sync(kAll, mine > 0));
  out[32 + lane] = __any_sync(kAll, mine == in[7]);
  out[64 + lane] = __all_sync(kAll, mine == in[7]);
  out[96 + lane] = __reduce_add_sync(kAll, mine);
  out[128 + lane] = __reduce_min_sync(kAll, mine);
  out[160 + lane] = __reduce_max_sync(kAll, mine);
}

__global__ void block_votes_kernel(int* out, int thresholds) {
  if (threadIdx.x >= 64) return;
  for (int threshold = 0; threshold < thresholds; ++threshold) {
    const bool below = static_cast<int>(threadIdx.x) < threshold;
    const int count = __syncthreads_count(below);
    const int one = __syncthreads_or(below);
    const int all = __syncthreads_and(below);
    if (threadIdx.x != 5) continue;
    out[threshold * 3] = count;
    out[threshold * 3 + 1] = one;
    out[threshold * 3 + 2] = all;
  }
}

__global__ void early_exit_kernel(float* out, const float* in, int live) {
  __shared__ float tile[128];
  if (static_cast<int>(threadIdx.x) >= live) return;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 0) return;
  float sum = 0.0f;
  for (int i = 0; i < live; ++i) sum += tile[i];
  out[0] = sum;
}

__global__ void atomics_kernel(int* integers, float* sum) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&integers[0], 1);
  atomicAdd(sum, 0.5f);
  atomicMax(&integers[1], i * 37 % 101);
  atomicMin(&integers[2], i * 37 % 101 + 7);
  atomicOr(&integers[3], 1 << i % 5);
  if (atomicExch(&integers[4], 1) == 0) atomicAdd(&integers[5], 100);
  for (int seen = 0;;) {
    const int before = atomicCAS(&integers[5], seen, seen + 1);
    if (before == seen) break;
    seen = before;
  }
}

__global__ void vectors_kernel(float* out, const float* in, int fours) {
  for (int i = static_cast<int>(threadIdx.x); i < fours; i += static_cast<int>(blockDim.x)) {
    const float4 four = reinterpret_cast<const float4*>(in)[fours - 1 - i];
    const uint4 bits = make_uint4(__float_as_uint(four.x), __float_as_uint(four.y),
                                  __float_as_uint(four.z), __float_as_uint(four.w));
    reinterpret_cast<uint4*>(out)[i] = bits;
    reinterpret_cast<int2*>(out)[2 * i] =
        make_int2(static_cast<int>(bits.x), static_cast<int>(bits.y));
  }
}

__global__ void narrow_kernel(BFloat16* bfloat16, Float16* float16, std::uint8_t* float8,
                              const float* in, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  bfloat16[i] = simt::narrow<BFloat16>(in[i]);
  float16[i] = simt::narrow<Float16>(in[i]);
  float8[i] = simt::narrow<simt::Float8E4M3>(in[i]).bits;
}

}  // namespace

void write_indices(int* out, int blocks_x) {
  const dim3 grid(static_cast<unsigned>(blocks_x), 3, 2);
  simt::launch(indices_kernel, {.grid = grid, .block = dim3(4, 3, 2)}, out);
}

void reverse_static(float* out, const float* in, int blocks) {
  simt::launch(reverse_static_kernel, {.grid = static_cast<unsigned>(blocks), .block = 128}, out,
               in);
}

void reverse_dynamic(float* out, const float* in, int blocks, int threads) {
  simt::launch(reverse_dynamic_kernel,
               {.grid = static_cast<unsigned>(blocks),
                .block = static_cast<unsigned>(threads),
                .shared_bytes = static_cast<unsigned>(threads) * sizeof(float)},
               out, in);
}

void shuffles(int* out, const int* in) {
  simt::launch(shuffles_kernel, {.grid = 1, .block = 32}, out, in);
}

void shuffle_struct(float* out, const float* in) {
  simt::launch(shuffle_struct_kernel, {.grid = 1, .block = 32}, out, in);
}

void half_warps(int* out, const int* in) {
  simt::launch(half_warps_kernel, {.grid = 1, .block = 32}, out, in);
}

void group_barriers(int* out, const int* in) {
  simt::launch(group_barriers_kernel, {.grid = 1, .block = 32}, out, in);
}

void votes(int* out, const int* in) {
  simt::launch(votes_kernel, {.grid = 1, .block = 32}, out, in);
}

void block_votes(int* out, int thresholds) {
  simt::launch(block_votes_kernel, {.grid = 1, .block = 96}, out, thresholds);
}

void early_exit(float* out, const float* in, int live) {
  simt::launch(early_exit_kernel, {.grid = 1, .block = 128}, out, in, live);
}

void atomics(int* integers, float* sum) {
  simt::launch(atomics_kernel, {.grid = 4, .block = 64}, integers, sum);
}

void vectors(float* out, const float* in, int fours) {
  simt::launch(vectors_kernel, {.grid = 1, .block = 64}, out, in, fours);
}

void narrow_all(BFloat16* bfloat16, Float16* float16, std::uint8_t* float8, const float* in,
                int count) {
  const unsigned blocks = static_cast<unsigned>(count + 255) / 256;
  simt::launch(narrow_kernel, {.grid = blocks, .block = 256}, bfloat16, float16, float8, in, count);
}

}  // namespace quire::test::simt_kernels
