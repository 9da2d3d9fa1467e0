// v0: a block copies a row, neighbouring threads neighbouring elements.
//
// Must read the rows picked and their numbers, and write as many rows. It is embed without a table of
// stored numbers, and a row's place needs 64 bits for the same reason.
#include "kernels/common/launch_size.cuh"
#include "kernels/gather_rows/gather_rows.h"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

__global__ void gather_rows_kernel(float* out, const float* x, const std::int32_t* picked,
                                   std::int64_t width) {
  const std::int64_t row = blockIdx.x;
  const float* from = x + picked[row] * width;
  float* to = out + row * width;
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) to[i] = from[i];
}

}  // namespace

void gather_rows(float* out, const float* x, const std::int32_t* picked, std::int64_t rows,
                 std::int64_t width, simt::Stream stream) {
  if (rows == 0) return;
  simt::launch(gather_rows_kernel,
               {.grid = dim3(grid_extent(rows)), .block = threads_for_row(width), .stream = stream},
               out, x, picked, width);
}

}  // namespace quire::kernels
