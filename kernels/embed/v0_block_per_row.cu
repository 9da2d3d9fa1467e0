// v0: a block copies a row.
//
// Must read rows * hidden stored numbers and rows ids, and write rows * hidden floats; nothing is read
// twice. Neighbouring threads copy neighbouring elements, so the 32 loads of a warp are a few whole
// sectors of memory. A row's place in the table can lie beyond 2^31 elements: 128k tokens of 16k
// elements do. Hence 64 bits.
#include "kernels/common/launch_size.cuh"
#include "kernels/embed/embed.h"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {
namespace {

template <class Stored>
__global__ void embed_kernel(float* out, const Stored* table, const std::int32_t* tokens,
                             std::int64_t hidden) {
  const std::int64_t row = blockIdx.x;
  const Stored* from = table + tokens[row] * hidden;
  float* to = out + row * hidden;
  for (std::int64_t i = threadIdx.x; i < hidden; i += blockDim.x) to[i] = simt::widen(from[i]);
}

}  // namespace

template <class Stored>
void embed(float* out, const Stored* table, const std::int32_t* tokens, std::int64_t rows,
           std::int64_t hidden, simt::Stream stream) {
  if (rows == 0) return;
  simt::launch(
      embed_kernel<Stored>,
      {.grid = dim3(grid_extent(rows)), .block = threads_for_row(hidden), .stream = stream}, out,
      table, tokens, hidden);
}

template void embed(float*, const float*, const std::int32_t*, std::int64_t, std::int64_t,
                    simt::Stream);
template void embed(float*, const Float16*, const std::int32_t*, std::int64_t, std::int64_t,
                    simt::Stream);
template void embed(float*, const BFloat16*, const std::int32_t*, std::int64_t, std::int64_t,
                    simt::Stream);

}  // namespace quire::kernels
