/// \file
/// \brief The two spellings of kernels under nvcc. All else in a kernel is CUDA itself.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "kernels/simt/cuda_check.h"
#include "kernels/simt/launch_config.h"

namespace quire::simt {

/// \brief Enqueues a kernel.
/// \param kernel  a `__global__` function, not overloaded
/// \param launch  grid, block, shared memory and stream
/// \param args    what the kernel takes; converted to its parameters' types
/// \throws Error if the device refuses it
template <class... Params, class... Args>
void launch(void (*kernel)(Params...), const LaunchConfig& launch, Args&&... args) {
  // More shared memory than any card used to have must be asked for.
  if (launch.shared_bytes > 48 * 1024) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(launch.shared_bytes)),
          launch.site);
  }
  cudaLaunchConfig_t config{};
  config.gridDim = launch.grid;
  config.blockDim = launch.block;
  config.dynamicSmemBytes = launch.shared_bytes;
  config.stream = launch.stream;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Params>(std::forward<Args>(args))...),
        launch.site);
}

/// \brief The dynamic shared memory of the block, aligned to 128 bytes: for tiles of tensor cores too.
/// \tparam T  the type of its elements
template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(128) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

}  // namespace quire::simt
