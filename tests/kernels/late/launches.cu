#include "tests/kernels/late/launches.h"

#include "kernels/simt/cuda.h"

namespace quire::test {
namespace {

__global__ void read_through_kernel(float* out, Holder holder) {
  *out = *holder.number;
}

__global__ void shuffle_kernel(float* out) {
  *out = __shfl_sync(1u, 1.0f, 7);
}

}  // namespace

void read_through(float* out, Holder holder, unsigned threads) {
  simt::launch(read_through_kernel, {.grid = 1, .block = threads}, out, holder);
}

void shuffle_from_nobody(float* out) {
  simt::launch(shuffle_kernel, {.grid = 1, .block = 1}, out);
}

}  // namespace quire::test
