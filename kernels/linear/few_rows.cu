// The form for few rows: a warp computes one output of every row.
//
// Must read the weight, which is nearly all: of a 4096 x 4096 matrix in BF16 that is 33.6 MB, the row
// of inputs 16 KB. So a weight element is loaded once, and multiplied with the same element of each
// row. The 32 lanes load 128 neighbouring elements at a time, four each: whole sectors, in few
// instructions. x comes out of the cache, since all warps read the same rows.
//
// Lane l adds up elements 4l .. 4l+3 of every 128, then the lanes' sums are added in a fixed tree:
// the order depends on the number of inputs alone. fmaf says which products are rounded, so every
// compiler and every back end computes the same bits.
#include "kernels/common/four.cuh"
#include "kernels/common/launch_size.cuh"
#include "kernels/common/warp.cuh"
#include "kernels/linear/linear.h"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

constexpr int kWarps = 4;

// kRows is a constant so that the sums stay in registers.
template <class Stored, int kRows>
__global__ void __launch_bounds__(32 * kWarps)
    few_rows_kernel(float* out, const float* x, const Stored* weight, LinearShape shape,
                    bool in_fours) {
  const std::int64_t lane = threadIdx.x % warpSize, inputs = shape.inputs;
  const std::int64_t output = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / warpSize;
  if (output >= shape.outputs) return;  // the whole warp
  weight += output * inputs;

  float sums[kRows] = {};
  for (std::int64_t i = 4 * lane; i < inputs; i += 4 * warpSize) {
    const Four w = in_fours ? load_four(weight + i) : load_up_to_four(weight + i, inputs - i);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const float* from = x + row * inputs + i;
      const Four xs = in_fours ? load_four(from) : load_up_to_four(from, inputs - i);
      for (int j = 0; j < 4; ++j) sums[row] = fmaf(w.values[j], xs.values[j], sums[row]);
    }
  }
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    const float sum = warp_sum(sums[row]);
    if (lane == 0) out[row * shape.outputs + output] = sum;
  }
}

}  // namespace

template <class Stored>
void linear_few_rows(float* out, const float* x, const Stored* weight, const LinearShape& shape,
                     simt::Stream stream) {
  using Kernel = void (*)(float*, const float*, const Stored*, LinearShape, bool);
  static constexpr Kernel kKernels[] = {few_rows_kernel<Stored, 1>, few_rows_kernel<Stored, 2>,
                                        few_rows_kernel<Stored, 3>, few_rows_kernel<Stored, 4>,
                                        few_rows_kernel<Stored, 5>, few_rows_kernel<Stored, 6>,
                                        few_rows_kernel<Stored, 7>, few_rows_kernel<Stored, 8>};
  static_assert(std::size(kKernels) == kFewRows);
  if (shape.rows == 0 || shape.outputs == 0) return;
  const bool in_fours =
      has_rows_of_fours(x, shape.inputs) && has_rows_of_fours(weight, shape.inputs);
  simt::launch(
      kKernels[shape.rows - 1],
      {.grid = blocks_for(shape.outputs, kWarps), .block = dim3(32 * kWarps), .stream = stream},
      out, x, weight, shape, in_fours);
}

template void linear_few_rows(float*, const float*, const float*, const LinearShape&, simt::Stream);
template void linear_few_rows(float*, const float*, const Float16*, const LinearShape&,
                              simt::Stream);
template void linear_few_rows(float*, const float*, const BFloat16*, const LinearShape&,
                              simt::Stream);

}  // namespace quire::kernels
