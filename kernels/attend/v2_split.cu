// v1 walks along all keys of a row with one warp: a long sequence alone would keep a few warps of a
// large card busy. Here every piece of 256 keys has a warp of its own, which leaves its maximum,
// its sum and its weighted values in memory, and a second kernel adds the pieces of each head in
// order: the same additions as in v1, so the same bits.
//
// How a row is cut depends on how many keys it sees and on nothing else, so that neither neighbours
// nor placement can change its result.
#include "kernels/attend/attend.h"
#include "kernels/attend/online_softmax.cuh"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

// Where pieces leave what they found: [items, pieces, 2 + head_dim], each its maximum, its sum and
// its weighted values.
struct Partials {
  float* memory;
  int pieces;  // of the row that sees most

  __device__ float* of(std::int64_t item, int piece, int head_dim) const {
    return memory + (item * pieces + piece) * (2 + head_dim);
  }
};

// [split]
template <int kPerLane, class T>
__global__ void split_kernel(AttendArguments<T> arguments, Partials partials) {
  __shared__ Tile tiles[kWarps];
  const std::int64_t item = std::int64_t{blockIdx.x} * kWarps + threadIdx.y;
  if (item >= std::int64_t{arguments.shape.rows} * arguments.shape.heads) return;
  const HeadOfRow<T> head(arguments, item);
  const int piece = static_cast<int>(blockIdx.y), first = head.first + piece * kKeysInPiece;
  if (first > head.last) return;  // another row sees more
  const auto partial = attend_piece<kPerLane>(head, first, tiles[threadIdx.y]);
  float* mine = partials.of(item, piece, arguments.shape.head_dim);
  if (threadIdx.x == 0) mine[0] = partial.maximum;
  if (threadIdx.x == 0) mine[1] = partial.sum;
  for (int i = 0; i < kPerLane; ++i) {
    const int element = static_cast<int>(threadIdx.x) + 32 * i;
    if (element < arguments.shape.head_dim) mine[2 + element] = partial.weighted[i];
  }
}

template <int kPerLane, class T>
__global__ void merge_kernel(AttendArguments<T> arguments, Partials partials) {
  const std::int64_t item = std::int64_t{blockIdx.x} * kWarps + threadIdx.y;
  if (item >= std::int64_t{arguments.shape.rows} * arguments.shape.heads) return;
  const HeadOfRow<T> head(arguments, item);
  PartialSum<kPerLane> total;
  for (int piece = 0; head.first + piece * kKeysInPiece <= head.last; ++piece) {
    const float* theirs = partials.of(item, piece, arguments.shape.head_dim);
    PartialSum<kPerLane> partial{.maximum = theirs[0], .sum = theirs[1]};
    for (int i = 0; i < kPerLane; ++i) {
      const int element = static_cast<int>(threadIdx.x) + 32 * i;
      if (element < arguments.shape.head_dim) partial.weighted[i] = theirs[2 + element];
    }
    total.add(partial);
  }
  write_result(arguments, item, total);
}
// [split]

template <int kPerLane, class T>
void launch_split(const AttendArguments<T>& arguments, float* memory, simt::Stream stream) {
  const AttendShape& shape = arguments.shape;
  const auto items = static_cast<unsigned>(shape.rows) * static_cast<unsigned>(shape.heads);
  const unsigned blocks = (items - 1) / kWarps + 1;
  const Partials partials{memory, static_cast<int>(pieces_of(shape.longest))};
  simt::launch(split_kernel<kPerLane, T>,
               {.grid = {blocks, static_cast<unsigned>(partials.pieces)},
                .block = {32, kWarps},
                .stream = stream},
               arguments, partials);
  simt::launch(merge_kernel<kPerLane, T>,
               {.grid = {blocks}, .block = {32, kWarps}, .stream = stream}, arguments, partials);
}

}  // namespace

template <class T>
void attend_split(const AttendArguments<T>& arguments, float* partials, simt::Stream stream) {
  if (arguments.shape.rows == 0) return;
  if (arguments.shape.head_dim <= 64) return launch_split<2>(arguments, partials, stream);
  if (arguments.shape.head_dim <= 128) return launch_split<4>(arguments, partials, stream);
  launch_split<kMaxHeadDim / 32>(arguments, partials, stream);
}

template void attend_split(const AttendArguments<float>&, float*, simt::Stream);
template void attend_split(const AttendArguments<Float16>&, float*, simt::Stream);
template void attend_split(const AttendArguments<BFloat16>&, float*, simt::Stream);

}  // namespace quire::kernels
