#include "kernels/simt/async_copy.h"
#include "kernels/simt/cuda.h"
#include "kernels/simt/tensor_core.h"
#include "tests/kernels/simt/broken/broken.h"

namespace quire::test::simt_kernels {
namespace {

__global__ void shared_sum_kernel(float* out, float salt) {
  float* value = simt::dynamic_shared<float>();
  if (threadIdx.x < 127) value[threadIdx.x] = salt;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float sum = 0.0f;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += value[i];
  out[0] = sum;
}

__global__ void accumulate_kernel(float* out, float salt) {
  out[threadIdx.x] += salt;
}

__global__ void copy_kernel(float* out) {
  __shared__ float value;
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(&value, out, sizeof(float));
    __pipeline_commit();
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void copy_misaligned_kernel(float* out) {
  alignas(16) __shared__ float value[4];
  __pipeline_memcpy_async(value, out + 1, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[0] = value[0];
}

__global__ void static_overrun_kernel(float* out, float salt, unsigned shift) {
  __shared__ float value[128];
  value[threadIdx.x] = salt;
  __syncthreads();
  out[threadIdx.x] = value[threadIdx.x + shift];
}

__global__ void dynamic_overrun_kernel(float* out, float salt, unsigned shift) {
  float* value = simt::dynamic_shared<float>();
  value[threadIdx.x] = salt;
  __syncthreads();
  out[threadIdx.x] = value[threadIdx.x + shift];
}

__global__ void global_overrun_kernel(float* out, float salt, unsigned shift) {
  out[threadIdx.x + shift] = salt;
}

__global__ void misaligned_kernel(float* out, float salt, unsigned shift) {
  *reinterpret_cast<float4*>(out + shift) = make_float4(salt, salt, salt, salt);
}

__global__ void copy_out_of_shared_kernel(float* out) {
  __shared__ __align__(16) float tile[4];
  __pipeline_memcpy_async(out, tile, 16);
}

__global__ void tile_kernel(float* out, unsigned shift, unsigned stride) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
  nvcuda::wmma::fill_fragment(sum, 0.0f);
  nvcuda::wmma::store_matrix_sync(out + shift, sum, stride, nvcuda::wmma::mem_row_major);
}

__device__ int descend(int depth) {
  volatile int frame[256];
  frame[depth % 256] = depth;
  return depth == 0 ? 0 : descend(depth - 1) + frame[depth % 256];
}

__global__ void descend_kernel(float* out, int depth) {
  out[0] = static_cast<float>(descend(depth));
}

}  // namespace

void shared_memory_never_written(float* out, float salt) {
  simt::launch(shared_sum_kernel, {.grid = 1, .block = 128, .shared_bytes = 128 * sizeof(float)},
               out, salt);
}
void global_memory_never_written(float* out, float salt) {
  simt::launch(accumulate_kernel, {.grid = 1, .block = 128}, out, salt);
}
void async_copy_not_waited_for(float* out, float) {
  simt::launch(copy_kernel, {.grid = 1, .block = 128}, out);
}
void async_copy_misaligned(float* out, float) {
  simt::launch(copy_misaligned_kernel, {.grid = 1, .block = 1}, out);
}
void async_copy_out_of_shared_memory(float* out, float) {
  simt::launch(copy_out_of_shared_kernel, {.grid = 1, .block = 1}, out);
}
void tile_misaligned(float* out, float) {
  simt::launch(tile_kernel, {.grid = 1, .block = 32}, out, 4, 16);
}
void tile_with_an_odd_stride(float* out, float) {
  simt::launch(tile_kernel, {.grid = 1, .block = 32}, out, 0, 18);
}
void static_shared_overrun(float* out, float salt) {
  simt::launch(static_overrun_kernel, {.grid = 1, .block = 128}, out, salt, 1);
}
void dynamic_shared_overrun(float* out, float salt) {
  simt::launch(dynamic_overrun_kernel,
               {.grid = 1, .block = 128, .shared_bytes = 128 * sizeof(float)}, out, salt, 1);
}
void global_overrun(float* out, float salt) {
  simt::launch(global_overrun_kernel, {.grid = 1, .block = 128}, out, salt, 1);
}
void misaligned_vector(float* out, float salt) {
  simt::launch(misaligned_kernel, {.grid = 1, .block = 1}, out, salt, 1);
}
void stack_overflow(float* out, float) {
  simt::launch(descend_kernel, {.grid = 1, .block = 1}, out, 10000);
}

}  // namespace quire::test::simt_kernels
