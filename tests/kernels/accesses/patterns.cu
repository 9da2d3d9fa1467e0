#include "tests/kernels/accesses/patterns.h"

#include "kernels/simt/cuda.h"

namespace quire::test::access_patterns {
namespace {

__global__ void strided_kernel(float* out, const float* in, unsigned stride, unsigned offset) {
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}

__global__ void vectors_kernel(float* out, const float* in) {
  reinterpret_cast<float4*>(out)[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
}

__global__ void sums_of_vectors_kernel(float* out, const float* in) {
  const float4 four = reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

__global__ void bytes_kernel(unsigned char* out, const unsigned char* in) {
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void rows_kernel(float* out, const float* in, unsigned rows) {
  const unsigned mine = threadIdx.x % 32 < 16 ? rows : rows / 2;
  for (unsigned row = 0; row < mine; ++row) {
    const unsigned i = (blockIdx.x * rows + row) * 64 + threadIdx.x;
    out[i] = in[i];
  }
}

template <int pitch>
__global__ void transpose_kernel(float* out, const float* in) {
  __shared__ float tile[32 * pitch];
  const unsigned lane = threadIdx.x;
  for (unsigned row = 0; row < 32; ++row) tile[row * pitch + lane] = in[row * 32 + lane];
  __syncwarp();
  for (unsigned row = 0; row < 32; ++row) out[row * 32 + lane] = tile[lane * pitch + row];
}

__global__ void shared_strided_kernel(float* out, unsigned stride) {
  float* tile = simt::dynamic_shared<float>();
  tile[threadIdx.x] = 1.0f;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x * stride];
}

__global__ void shared_vectors_kernel(float* out) {
  float4* tile = simt::dynamic_shared<float4>();
  reinterpret_cast<float4*>(out)[threadIdx.x] = tile[threadIdx.x];
}

__global__ void atomics_kernel(float* out) {
  atomicAdd(out, 1.0f);
}

}  // namespace

void strided(float* out, const float* in, int stride, int offset) {
  simt::launch(strided_kernel, {.grid = 1, .block = 32}, out, in, stride, offset);
}
void vectors(float* out, const float* in) {
  simt::launch(vectors_kernel, {.grid = 1, .block = 32}, out, in);
}
void sums_of_vectors(float* out, const float* in) {
  simt::launch(sums_of_vectors_kernel, {.grid = 1, .block = 32}, out, in);
}
void bytes(unsigned char* out, const unsigned char* in) {
  simt::launch(bytes_kernel, {.grid = 1, .block = 32}, out, in);
}
void rows(float* out, const float* in, int blocks, int rows) {
  simt::launch(rows_kernel, {.grid = static_cast<unsigned>(blocks), .block = 64}, out, in, rows);
}
void transpose(float* out, const float* in) {
  simt::launch(transpose_kernel<32>, {.grid = 1, .block = 32}, out, in);
}
void transpose_padded(float* out, const float* in) {
  simt::launch(transpose_kernel<33>, {.grid = 1, .block = 32}, out, in);
}
void shared_strided(float* out, int stride) {
  simt::launch(shared_strided_kernel, {.grid = 1, .block = 32, .shared_bytes = 32 * 32 * 4}, out,
               stride);
}
void shared_vectors(float* out) {
  simt::launch(shared_vectors_kernel, {.grid = 1, .block = 32, .shared_bytes = 32 * 16}, out);
}
void atomics(float* out) {
  simt::launch(atomics_kernel, {.grid = 1, .block = 32}, out);
}

}  // namespace quire::test::access_patterns
