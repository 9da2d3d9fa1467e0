// v0: a thread computes an element.
//
// Must read gate and up and write the product, 12 bytes an element. silu and the product are one kernel:
// apart, silu(gate) would be written and read again, 8 bytes an element more. expf, not the faster
// __expf, whose error grows with its argument. For a gate far below zero e^-x is infinite and the
// quotient is 0, as it should be.
#include "kernels/common/launch_size.cuh"
#include "kernels/silu_mul/silu_mul.h"
#include "kernels/simt/cuda.h"

namespace quire::kernels {
namespace {

constexpr int kThreads = 256;

__global__ void silu_mul_kernel(float* out, const float* gate, const float* up, std::int64_t size) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}

}  // namespace

void silu_mul(float* out, const float* gate, const float* up, std::int64_t size,
              simt::Stream stream) {
  if (size == 0) return;
  simt::launch(silu_mul_kernel,
               {.grid = blocks_for(size, kThreads), .block = dim3(kThreads), .stream = stream}, out,
               gate, up, size);
}

}  // namespace quire::kernels
