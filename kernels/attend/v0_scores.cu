// Attention as it is written down: scores, softmax over them, weighted sum of the values. Three
// kernels, and between them a matrix in memory with a number for every head and visible key.
//
// Reads q, k and v and writes out, as every version must. Besides it writes each score, reads it for
// the maximum, reads and writes it for the exponential and again for the division, and reads it for
// the sum: 28 bytes for each head and key, where the key and value themselves are 4 * head_dim bytes
// in BF16, shared by a group of heads.
#include "kernels/attend/attend.h"
#include "kernels/attend/head_of_row.cuh"
#include "kernels/common/warp.cuh"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

constexpr int kKeysPerBlock = 128;

// [scores]
// scores[item, p] = scale * q.k, a thread for each; p counts from the first visible position.
template <class T>
__global__ void scores_kernel(AttendArguments<T> arguments, float* scores) {
  const std::int64_t item = blockIdx.x;
  const HeadOfRow<T> head(arguments, item);
  const int p = static_cast<int>(blockIdx.y * kKeysPerBlock + threadIdx.x);
  if (p >= head.keys()) return;
  scores[item * arguments.shape.longest + p] = head.score(head.offset(head.first + p));
}

// scores[item] becomes a distribution, a warp for each. Every lane reads and writes entries of its
// own, so only the two reductions need the others.
template <class T>
__global__ void softmax_kernel(AttendArguments<T> arguments, float* scores) {
  const std::int64_t item = blockIdx.x;
  const int keys = HeadOfRow<T>(arguments, item).keys(), lane = static_cast<int>(threadIdx.x);
  float* row = scores + item * arguments.shape.longest;
  float top = -INFINITY, sum = 0;
  for (int p = lane; p < keys; p += warpSize) top = fmaxf(top, row[p]);
  top = warp_max(top);
  for (int p = lane; p < keys; p += warpSize) {
    row[p] = expf(row[p] - top);
    sum += row[p];
  }
  sum = warp_sum(sum);
  for (int p = lane; p < keys; p += warpSize) row[p] /= sum;
}

// out[item, i] = sum over p of weights[item, p] * v[p, i], a thread for each.
template <class T>
__global__ void values_kernel(AttendArguments<T> arguments, const float* weights) {
  const std::int64_t item = blockIdx.x;
  const HeadOfRow<T> head(arguments, item);
  const int i = static_cast<int>(threadIdx.x), head_dim = arguments.shape.head_dim;
  if (i >= head_dim) return;
  const float* row = weights + item * arguments.shape.longest;
  float sum = 0;
  for (int p = 0; p < head.keys(); ++p) {
    sum = fmaf(row[p], simt::widen(arguments.v[head.offset(head.first + p) + i]), sum);
  }
  arguments.out[item * head_dim + i] = sum;
}
// [scores]

}  // namespace

template <class T>
void attend_scores(const AttendArguments<T>& arguments, float* scores, simt::Stream stream) {
  const AttendShape& shape = arguments.shape;
  if (shape.rows == 0) return;
  const auto items = static_cast<unsigned>(shape.rows) * static_cast<unsigned>(shape.heads);
  const auto blocks = static_cast<unsigned>((shape.longest - 1) / kKeysPerBlock + 1);
  const auto threads = static_cast<unsigned>((shape.head_dim + 31) / 32 * 32);
  simt::launch(scores_kernel<T>,
               {.grid = {items, blocks}, .block = {kKeysPerBlock}, .stream = stream}, arguments,
               scores);
  simt::launch(softmax_kernel<T>, {.grid = {items}, .block = {32}, .stream = stream}, arguments,
               scores);
  simt::launch(values_kernel<T>, {.grid = {items}, .block = {threads}, .stream = stream}, arguments,
               scores);
}

template void attend_scores(const AttendArguments<float>&, float*, simt::Stream);
template void attend_scores(const AttendArguments<Float16>&, float*, simt::Stream);
template void attend_scores(const AttendArguments<BFloat16>&, float*, simt::Stream);

}  // namespace quire::kernels
