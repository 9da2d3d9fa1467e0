// A thread widens an element. Must read 2 bytes and write 4 for each; a library that multiplies numbers
// of one type only needs it. The other forms of linear widen a number when they have loaded it.
#include "kernels/linear/widen.h"

#include "kernels/common/launch_size.cuh"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {
namespace {

constexpr int kThreads = 256;

template <class Stored>
__global__ void widen_kernel(float* out, const Stored* stored, std::int64_t size) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) out[i] = simt::widen(stored[i]);
}

}  // namespace

template <class Stored>
void widen(float* out, const Stored* stored, std::int64_t size, simt::Stream stream) {
  if (size == 0) return;
  simt::launch(widen_kernel<Stored>,
               {.grid = blocks_for(size, kThreads), .block = dim3(kThreads), .stream = stream}, out,
               stored, size);
}

template void widen(float*, const Float16*, std::int64_t, simt::Stream);
template void widen(float*, const BFloat16*, std::int64_t, simt::Stream);

}  // namespace quire::kernels
