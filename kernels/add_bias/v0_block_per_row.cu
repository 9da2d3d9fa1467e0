// v0: a block walks along a row.
//
// Must read and write each element, and read the bias, which after the first rows comes out of the
// cache. With a block a row the place in the bias is the thread's own; one index over all elements
// would need a division of 64 bits for each of them.
#include "kernels/add_bias/add_bias.h"
#include "kernels/common/launch_size.cuh"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {
namespace {

template <class Stored>
__global__ void add_bias_kernel(float* out, const Stored* bias, std::int64_t width) {
  float* row = out + blockIdx.x * width;
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) row[i] += simt::widen(bias[i]);
}

}  // namespace

template <class Stored>
void add_bias(float* out, const Stored* bias, std::int64_t rows, std::int64_t width,
              simt::Stream stream) {
  if (rows == 0) return;
  simt::launch(add_bias_kernel<Stored>,
               {.grid = dim3(grid_extent(rows)), .block = threads_for_row(width), .stream = stream},
               out, bias, width);
}

template void add_bias(float*, const float*, std::int64_t, std::int64_t, simt::Stream);
template void add_bias(float*, const Float16*, std::int64_t, std::int64_t, simt::Stream);
template void add_bias(float*, const BFloat16*, std::int64_t, std::int64_t, simt::Stream);

}  // namespace quire::kernels
