// v0: a thread takes one place in a block and copies it for every pair, in order.
//
// Must read and write one block a pair. Pairs are ordered, and threads are not; but a place in a block
// only ever depends on the same place in other blocks. So one thread for a place keeps the order
// without a barrier, and places are independent. A place is 16 bytes where blocks permit, since a thread
// asks for no more at a time, and 2 bytes, the smallest stored number, where they do not.
#include "kernels/common/launch_size.cuh"
#include "kernels/copy_blocks/copy_blocks.h"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {
namespace {

constexpr int kThreads = 256;

template <class Place>
__global__ void copy_blocks_kernel(Place* storage, const std::int32_t* pairs, std::int64_t count,
                                   std::int64_t places) {
  const std::int64_t place = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (place >= places) return;
  for (std::int64_t i = 0; i < count; ++i) {
    storage[pairs[2 * i + 1] * places + place] = storage[pairs[2 * i] * places + place];
  }
}

template <class Place>
void copy_places(void* storage, const std::int32_t* pairs, std::int64_t count,
                 std::int64_t block_bytes, simt::Stream stream) {
  const std::int64_t places = block_bytes / static_cast<std::int64_t>(sizeof(Place));
  simt::launch(copy_blocks_kernel<Place>,
               {.grid = blocks_for(places, kThreads), .block = dim3(kThreads), .stream = stream},
               static_cast<Place*>(storage), pairs, count, places);
}

}  // namespace

void copy_blocks(void* storage, const std::int32_t* pairs, std::int64_t count,
                 std::int64_t block_bytes, simt::Stream stream) {
  if (count == 0 || block_bytes == 0) return;
  const bool sixteen = block_bytes % 16 == 0 && reinterpret_cast<std::uintptr_t>(storage) % 16 == 0;
  const auto copy = sixteen ? copy_places<uint4> : copy_places<BFloat16>;
  copy(storage, pairs, count, block_bytes, stream);
}

}  // namespace quire::kernels
