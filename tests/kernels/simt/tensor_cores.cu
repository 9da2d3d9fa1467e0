#include "kernels/simt/tensor_core.h"

#include "kernels/simt/async_copy.h"
#include "kernels/simt/cuda.h"
#include "tests/kernels/simt/features.h"

namespace quire::test::simt_kernels {
namespace {

// What wmma calls our storage types.
template <class T>
using Element = std::conditional_t<std::is_same_v<T, BFloat16>, __nv_bfloat16, __half>;

// One warp for each 16 x 16 tile of c.
template <class T>
__global__ void wmma_kernel(float* c, const T* a, const T* b, int n, int k) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, Element<T>, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, Element<T>, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  const int row = static_cast<int>(blockIdx.y) * 16, column = static_cast<int>(blockIdx.x) * 16;
  for (int first = 0; first < k; first += 16) {
    const T* a_tile = a + row * k + first;
    const T* b_tile = b + first * n + column;
    wmma::load_matrix_sync(left, reinterpret_cast<const Element<T>*>(a_tile),
                           static_cast<unsigned>(k));
    wmma::load_matrix_sync(right, reinterpret_cast<const Element<T>*>(b_tile),
                           static_cast<unsigned>(n));
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, static_cast<unsigned>(n), wmma::mem_row_major);
}

__device__ std::uint32_t pair(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

// One warp for each 16 x 8 tile of c.
template <class T>
__global__ void mma_kernel(float* c, const T* a, const T* b, int n, int k) {
  const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
  const int row = static_cast<int>(blockIdx.y) * 16 + g, column = static_cast<int>(blockIdx.x) * 8;
  float sum[4] = {};
  for (int first = 0; first < k; first += 16) {
    std::uint32_t left[4], right[2];
    for (int i = 0; i < 4; ++i) {
      const T* p = a + (row + i % 2 * 8) * k + first + i / 2 * 8 + 2 * t;
      left[i] = pair(p[0].bits, p[1].bits);
    }
    for (int i = 0; i < 2; ++i) {
      const T* p = b + (first + i * 8 + 2 * t) * n + column + g;
      right[i] = pair(p[0].bits, p[n].bits);
    }
    simt::mma_m16n8k16<T>(sum, left, right);
  }
  for (int i = 0; i < 4; ++i) c[(row + i / 2 * 8) * n + column + 2 * t + i % 2] = sum[i];
}

// While one half of the buffer is summed, the next tile arrives in the other.
template <Pipeline variant>
__global__ void pipeline_kernel(float* out, const float* in, int tiles) {
  float* buffer = simt::dynamic_shared<float>();  // [2][4][64]
  const int i = static_cast<int>(threadIdx.x);
  const auto fetch = [&](int tile) {
    if (tile < tiles) {
      __pipeline_memcpy_async(&buffer[tile % 2 * 256 + i * 4], &in[tile * 256 + i * 4], 16);
    }
    __pipeline_commit();
  };
  fetch(0);
  float sum = 0.0f;
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + 1);
    if constexpr (variant == Pipeline::right) __pipeline_wait_prior(1);
    if constexpr (variant == Pipeline::late) __pipeline_wait_prior(2);
    __syncthreads();
    for (int j = 0; j < 4; ++j) sum += buffer[tile % 2 * 256 + j * 64 + i];
    __syncthreads();
  }
  out[i] = sum;
}

}  // namespace

template <class T>
void wmma_product(float* c, const T* a, const T* b, int m, int n, int k) {
  const dim3 grid(static_cast<unsigned>(n) / 16, static_cast<unsigned>(m) / 16);
  simt::launch(wmma_kernel<T>, {.grid = grid, .block = 32}, c, a, b, n, k);
}
template void wmma_product<BFloat16>(float*, const BFloat16*, const BFloat16*, int, int, int);
template void wmma_product(float*, const Float16*, const Float16*, int, int, int);

template <class T>
void mma_product(float* c, const T* a, const T* b, int m, int n, int k) {
  const dim3 grid(static_cast<unsigned>(n) / 8, static_cast<unsigned>(m) / 16);
  simt::launch(mma_kernel<T>, {.grid = grid, .block = 32}, c, a, b, n, k);
}
template void mma_product(float*, const BFloat16*, const BFloat16*, int, int, int);
template void mma_product(float*, const Float16*, const Float16*, int, int, int);

void pipeline(float* out, const float* in, int tiles, Pipeline variant) {
  const simt::LaunchConfig config{.grid = 1, .block = 64, .shared_bytes = 2 * 256 * sizeof(float)};
  switch (variant) {
    case Pipeline::right:
      return simt::launch(pipeline_kernel<Pipeline::right>, config, out, in, tiles);
    case Pipeline::no_wait:
      return simt::launch(pipeline_kernel<Pipeline::no_wait>, config, out, in, tiles);
    case Pipeline::late:
      return simt::launch(pipeline_kernel<Pipeline::late>, config, out, in, tiles);
  }
}

}  // namespace quire::test::simt_kernels
