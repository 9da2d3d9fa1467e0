// v0: a block takes a row of the step, its threads pairs of the heads of q, then of k, then elements of
// v.
//
// Must read q, k, v and the angles and write q and the stored row. Rotation and store are one kernel:
// apart, the rotated k would be written and read again. The angles are read for every head, but come
// from memory once; a row's slot is one number for the whole block. A slot's place in the storage
// needs 64 bits: a cache is larger than 2^31 elements.
//
// A pair belongs to one thread, which reads both elements before it writes either, so q can be
// rotated in place without a barrier.
#include "kernels/common/launch_size.cuh"
#include "kernels/rope_and_store/rope_and_store.h"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {
namespace {

struct Pair {
  float first, second;
};

// One pair of a head turned by its angle.
__device__ Pair rotated(const float* head, std::int64_t i, std::int64_t half,
                        const float* rotation) {
  const float cosine = rotation[i], sine = rotation[half + i];
  const float first = head[i], second = head[half + i];
  return {fmaf(first, cosine, -(second * sine)), fmaf(second, cosine, first * sine)};
}

// [store]
template <class Stored>
__global__ void rope_and_store_kernel(float* q, const float* k, const float* v,
                                      const float* rotation, Stored* keys, Stored* values,
                                      const std::int64_t* slots, RopeShape shape) {
  const std::int64_t row = blockIdx.x, head_dim = shape.head_dim, half = head_dim / 2;
  const std::int64_t q_width = shape.heads * head_dim, kv_width = shape.kv_heads * head_dim;
  const float* angles = rotation + row * head_dim;
  q += row * q_width;
  k += row * kv_width;
  v += row * kv_width;
  keys += slots[row] * kv_width;
  values += slots[row] * kv_width;

  for (std::int64_t i = threadIdx.x; i < shape.heads * half; i += blockDim.x) {
    float* head = q + i / half * head_dim;
    const Pair pair = rotated(head, i % half, half, angles);
    head[i % half] = pair.first;
    head[half + i % half] = pair.second;
  }
  for (std::int64_t i = threadIdx.x; i < shape.kv_heads * half; i += blockDim.x) {
    const std::int64_t head = i / half * head_dim;
    const Pair pair = rotated(k + head, i % half, half, angles);
    keys[head + i % half] = simt::narrow<Stored>(pair.first);
    keys[head + half + i % half] = simt::narrow<Stored>(pair.second);
  }
  for (std::int64_t i = threadIdx.x; i < kv_width; i += blockDim.x) {
    values[i] = simt::narrow<Stored>(v[i]);
  }
}
// [store]

}  // namespace

template <class Stored>
void rope_and_store(float* q, const float* k, const float* v, const float* rotation, Stored* keys,
                    Stored* values, const std::int64_t* slots, const RopeShape& shape,
                    simt::Stream stream) {
  if (shape.rows == 0) return;
  const dim3 block = threads_for_row(shape.heads * shape.head_dim / 2);
  simt::launch(rope_and_store_kernel<Stored>,
               {.grid = dim3(grid_extent(shape.rows)), .block = block, .stream = stream}, q, k, v,
               rotation, keys, values, slots, shape);
}

template void rope_and_store(float*, const float*, const float*, const float*, float*, float*,
                             const std::int64_t*, const RopeShape&, simt::Stream);
template void rope_and_store(float*, const float*, const float*, const float*, Float16*, Float16*,
                             const std::int64_t*, const RopeShape&, simt::Stream);
template void rope_and_store(float*, const float*, const float*, const float*, BFloat16*, BFloat16*,
                             const std::int64_t*, const RopeShape&, simt::Stream);

}  // namespace quire::kernels
