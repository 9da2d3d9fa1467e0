// v0: a block takes a row, in three walks: its maximum, the exponentials and their sum, the quotients.
//
// Must read and write each element once, 8 bytes; v0 reads and writes it twice, and reads it once more
// for the maximum. Attention needs no such kernel once it rescales what it has added up so far
// (kernels/attend).
//
// A thread reads again only elements that it wrote itself. out may be x: no walk reads an element of x
// that an earlier one has overwritten.
#include "kernels/common/launch_size.cuh"
#include "kernels/common/reduce.cuh"
#include "kernels/simt/cuda.h"
#include "kernels/softmax/softmax.h"

namespace quire::kernels {
namespace {

__global__ void softmax_kernel(float* out, const float* x, std::int64_t width) {
  const float* from = x + blockIdx.x * width;
  float* to = out + blockIdx.x * width;

  float maximum = -INFINITY;
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) maximum = fmaxf(maximum, from[i]);
  maximum = block_max(maximum);

  float sum = 0.0f;
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
    to[i] = expf(from[i] - maximum);
    sum += to[i];
  }
  sum = block_sum(sum);

  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) to[i] /= sum;
}

}  // namespace

void softmax(float* out, const float* x, std::int64_t rows, std::int64_t width,
             simt::Stream stream) {
  if (rows == 0) return;
  simt::launch(softmax_kernel,
               {.grid = dim3(grid_extent(rows)), .block = threads_for_row(width), .stream = stream},
               out, x, width);
}

}  // namespace quire::kernels
