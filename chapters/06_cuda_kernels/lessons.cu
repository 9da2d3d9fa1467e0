#include "chapters/06_cuda_kernels/lessons.h"

#include "kernels/common/launch_size.cuh"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire {
namespace {

// [strided]
__global__ void strided_kernel(float* out, const float* in, unsigned stride) {
  out[threadIdx.x] = in[threadIdx.x * stride];
}
// [strided]

__global__ void rotate_kernel(float* x, const float* rotation, std::int64_t heads,
                              std::int64_t head_dim) {
  const std::int64_t half = head_dim / 2;
  float* row = x + blockIdx.x * heads * head_dim;
  const float* angles = rotation + blockIdx.x * head_dim;
  for (std::int64_t i = threadIdx.x; i < heads * half; i += blockDim.x) {
    float* head = row + i / half * head_dim;
    const float cosine = angles[i % half], sine = angles[half + i % half];
    const float first = head[i % half], second = head[half + i % half];
    head[i % half] = fmaf(first, cosine, -(second * sine));
    head[half + i % half] = fmaf(second, cosine, first * sine);
  }
}

__global__ void store_kernel(BFloat16* keys, BFloat16* values, const float* k, const float* v,
                             const std::int64_t* slots, std::int64_t width) {
  const std::int64_t from = blockIdx.x * width, to = slots[blockIdx.x] * width;
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
    keys[to + i] = simt::narrow<BFloat16>(k[from + i]);
    values[to + i] = simt::narrow<BFloat16>(v[from + i]);
  }
}

}  // namespace

void copy_strided(float* out, const float* in, unsigned stride) {
  simt::launch(strided_kernel, {.grid = 1, .block = 32}, out, in, stride);
}

void rotate_apart(float* x, const float* rotation, std::int64_t rows, std::int64_t heads,
                  std::int64_t head_dim) {
  simt::launch(rotate_kernel,
               {.grid = dim3(kernels::grid_extent(rows)),
                .block = kernels::threads_for_row(heads * head_dim / 2)},
               x, rotation, heads, head_dim);
}

void store_apart(BFloat16* keys, BFloat16* values, const float* k, const float* v,
                 const std::int64_t* slots, std::int64_t rows, std::int64_t width) {
  simt::launch(store_kernel,
               {.grid = dim3(kernels::grid_extent(rows)), .block = kernels::threads_for_row(width)},
               keys, values, k, v, slots, width);
}

}  // namespace quire
