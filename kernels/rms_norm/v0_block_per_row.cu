// v0: a block norms a row. All its threads need the row's sum of squares, so they meet twice: each
// walks along the row and adds up its squares, the block adds the sums, each walks again.
//
// Must read x and write out, 8 bytes an element; the gain comes out of the cache after the first rows,
// and so does x on the second walk. With the residual it must read one array more and write the sum:
// 16 bytes an element, where add and rms_norm one after the other move 12 and 8.
//
// A thread reads again only elements that it wrote itself, so the second walk needs no barrier of its
// own. The root and the quotient are the exact ones: rsqrtf is quicker, once a row, and less exact.
#include "kernels/common/launch_size.cuh"
#include "kernels/common/reduce.cuh"
#include "kernels/rms_norm/rms_norm.h"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {
namespace {

template <class Stored>
__global__ void rms_norm_kernel(float* out, const float* x, const float* residual, float* sum,
                                const Stored* gain, float epsilon, std::int64_t width) {
  const std::int64_t first = blockIdx.x * width;
  const float* y = residual == nullptr ? x + first : sum + first;

  float squares = 0.0f;
  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
    if (residual != nullptr) sum[first + i] = x[first + i] + residual[first + i];
    squares = fmaf(y[i], y[i], squares);
  }
  const float mean = block_sum(squares) / static_cast<float>(width);
  const float scale = 1.0f / sqrtf(mean + epsilon);

  for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
    out[first + i] = y[i] * scale * simt::widen(gain[i]);
  }
}

}  // namespace

template <class Stored>
void rms_norm(float* out, const float* x, const float* residual, float* sum, const Stored* gain,
              float epsilon, std::int64_t rows, std::int64_t width, simt::Stream stream) {
  if (rows == 0) return;
  simt::launch(rms_norm_kernel<Stored>,
               {.grid = dim3(grid_extent(rows)), .block = threads_for_row(width), .stream = stream},
               out, x, residual, sum, gain, epsilon, width);
}

template void rms_norm(float*, const float*, const float*, float*, const float*, float,
                       std::int64_t, std::int64_t, simt::Stream);
template void rms_norm(float*, const float*, const float*, float*, const Float16*, float,
                       std::int64_t, std::int64_t, simt::Stream);
template void rms_norm(float*, const float*, const float*, float*, const BFloat16*, float,
                       std::int64_t, std::int64_t, simt::Stream);

}  // namespace quire::kernels
