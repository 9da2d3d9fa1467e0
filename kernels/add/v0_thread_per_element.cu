// v0: a thread adds an element.
//
// Must read two arrays and write one, 12 bytes for one addition: memory is all that counts here. The
// cheapest way to do this is not to do it, but to add while the sum is read anyway: rms_norm can.
#include "kernels/add/add.h"
#include "kernels/common/launch_size.cuh"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

constexpr int kThreads = 256;

__global__ void add_kernel(float* out, const float* x, std::int64_t size) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) out[i] += x[i];
}

}  // namespace

void add(float* out, const float* x, std::int64_t size, simt::Stream stream) {
  if (size == 0) return;
  simt::launch(add_kernel,
               {.grid = blocks_for(size, kThreads), .block = dim3(kThreads), .stream = stream}, out,
               x, size);
}

}  // namespace quire::kernels
