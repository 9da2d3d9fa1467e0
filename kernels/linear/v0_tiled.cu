// v0: a block computes a tile of 64 x 64 results, a thread 4 x 4 of them.
//
// Must read x and the weight, and write the result. A result needs all of one row of x and one of the
// weight, so without reuse every row would be read once for each row of the other. A tile shares: its
// 64 + 64 rows come into shared memory, 16 inputs at a time, and each element is used 64 times. From
// there a thread reads 4 + 4 numbers for 16 multiply-adds; one result a thread would take 2 for each.
//
// The tiles lie in shared memory by input, [input, row], so that a thread's four rows are one load of
// 16 bytes. A pitch of 68 instead of 64 keeps that alignment and moves the columns that a warp writes
// to other banks. Rows and inputs beyond the ends are zeros there, and their products change no sum.
// Each sum runs over the inputs in order, whatever the tile.
#include "kernels/common/four.cuh"
#include "kernels/common/launch_size.cuh"
#include "kernels/linear/linear.h"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

constexpr int kTile = 64, kDepth = 16, kEach = 4, kPitch = kTile + 4;
constexpr int kThreads = (kTile / kEach) * (kTile / kEach);

// A matrix [rows, inputs] of which 64 rows are needed.
template <class Stored>
struct Rows {
  const Stored* first;  // of the 64
  std::int64_t count;   // that there are, maybe fewer or more than 64
  std::int64_t inputs;
  bool in_fours;  // whether every row can be read four elements at a time
};

// Brings 16 inputs of 64 rows into shared memory; each thread four neighbouring elements of one row.
template <class Stored>
__device__ void load_tile(float (*tile)[kPitch], const Rows<Stored>& rows, std::int64_t input) {
  const int row = static_cast<int>(threadIdx.x) / 4, column = static_cast<int>(threadIdx.x) % 4 * 4;
  const std::int64_t left = row < rows.count ? rows.inputs - input - column : 0;
  const Stored* from = rows.first + row * rows.inputs + input + column;
  const Four four = rows.in_fours && left >= 4 ? load_four(from) : load_up_to_four(from, left);
  for (int i = 0; i < 4; ++i) tile[column + i][row] = four.values[i];
}

template <class Stored>
__global__ void __launch_bounds__(kThreads)
    tiled_kernel(float* out, const float* x, const Stored* weight, LinearShape shape,
                 bool x_in_fours, bool weight_in_fours) {
  __shared__ __align__(16) float x_tile[kDepth][kPitch];
  __shared__ __align__(16) float weight_tile[kDepth][kPitch];
  const std::int64_t row = std::int64_t{blockIdx.x} * kTile;
  const std::int64_t output = std::int64_t{blockIdx.y} * kTile, inputs = shape.inputs;
  const Rows<float> x_rows{x + row * inputs, shape.rows - row, inputs, x_in_fours};
  const Rows<Stored> weight_rows{weight + output * inputs, shape.outputs - output, inputs,
                                 weight_in_fours};
  const int mine_down = static_cast<int>(threadIdx.x) / (kTile / kEach) * kEach;
  const int mine_across = static_cast<int>(threadIdx.x) % (kTile / kEach) * kEach;

  float sums[kEach][kEach] = {};
  for (std::int64_t input = 0; input < inputs; input += kDepth) {
    load_tile(x_tile, x_rows, input);
    load_tile(weight_tile, weight_rows, input);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const Four down = load_four(&x_tile[i][mine_down]);
      const Four across = load_four(&weight_tile[i][mine_across]);
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int o = 0; o < kEach; ++o) {
          sums[r][o] = fmaf(down.values[r], across.values[o], sums[r][o]);
        }
      }
    }
    __syncthreads();  // the tiles are loaded anew
  }
  for (int r = 0; r < kEach; ++r) {
    for (int o = 0; o < kEach; ++o) {
      const std::int64_t to_row = row + mine_down + r, to_output = output + mine_across + o;
      if (to_row >= shape.rows || to_output >= shape.outputs) continue;
      out[to_row * shape.outputs + to_output] = sums[r][o];
    }
  }
}

}  // namespace

template <class Stored>
void linear_tiled(float* out, const float* x, const Stored* weight, const LinearShape& shape,
                  simt::Stream stream) {
  if (shape.rows == 0 || shape.outputs == 0) return;
  const dim3 grid(grid_extent(pieces(shape.rows, kTile)),
                  grid_extent(pieces(shape.outputs, kTile), simt::kMostBlocksY));
  simt::launch(tiled_kernel<Stored>, {.grid = grid, .block = dim3(kThreads), .stream = stream}, out,
               x, weight, shape, has_rows_of_fours(x, shape.inputs),
               has_rows_of_fours(weight, shape.inputs));
}

template void linear_tiled(float*, const float*, const float*, const LinearShape&, simt::Stream);
template void linear_tiled(float*, const float*, const Float16*, const LinearShape&, simt::Stream);
template void linear_tiled(float*, const float*, const BFloat16*, const LinearShape&, simt::Stream);

}  // namespace quire::kernels
