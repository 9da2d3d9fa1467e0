// Attention in one pass. A warp takes one query head of one row and walks along its keys, 32 at a
// time: scores them, raises the maximum seen so far, and adds what the values weigh under it. What
// was summed under a lower maximum is scaled down once a tile. Scores and weights live in registers
// and in 384 bytes of shared memory; only q, keys, values and table entries are read, and only out
// is written.
//
// No two warps share anything, so no block-wide barrier is needed.
#include "kernels/attend/attend.h"
#include "kernels/attend/online_softmax.cuh"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

// [online]
template <int kPerLane, class T>
__global__ void online_kernel(AttendArguments<T> arguments) {
  __shared__ Tile tiles[kWarps];
  const std::int64_t item = std::int64_t{blockIdx.x} * kWarps + threadIdx.y;
  if (item >= std::int64_t{arguments.shape.rows} * arguments.shape.heads) return;
  const HeadOfRow<T> head(arguments, item);
  PartialSum<kPerLane> total;
  for (int first = head.first; first <= head.last; first += kKeysInPiece) {
    total.add(attend_piece<kPerLane>(head, first, tiles[threadIdx.y]));
  }
  write_result(arguments, item, total);
}
// [online]

template <int kPerLane, class T>
void launch_online(const AttendArguments<T>& arguments, simt::Stream stream) {
  const auto items =
      static_cast<unsigned>(arguments.shape.rows) * static_cast<unsigned>(arguments.shape.heads);
  simt::launch(online_kernel<kPerLane, T>,
               {.grid = {(items - 1) / kWarps + 1}, .block = {32, kWarps}, .stream = stream},
               arguments);
}

}  // namespace

template <class T>
void attend_online(const AttendArguments<T>& arguments, simt::Stream stream) {
  if (arguments.shape.rows == 0) return;
  if (arguments.shape.head_dim <= 64) return launch_online<2>(arguments, stream);
  if (arguments.shape.head_dim <= 128) return launch_online<4>(arguments, stream);
  launch_online<kMaxHeadDim / 32>(arguments, stream);
}

template void attend_online(const AttendArguments<float>&, simt::Stream);
template void attend_online(const AttendArguments<Float16>&, simt::Stream);
template void attend_online(const AttendArguments<BFloat16>&, simt::Stream);

}  // namespace quire::kernels
