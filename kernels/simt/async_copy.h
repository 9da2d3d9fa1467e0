/// \file
/// \brief Copies into shared memory that go on while the thread computes: `cp.async`, from compute
/// capability 8.0 on. Include it in kernels beside cuda.h.
///
/// The emulator is as late as CUDA allows: the bytes arrive in the `__pipeline_wait_prior` that
/// waits for them, and until then the target is NaN. So a kernel that forgets to wait, or that
/// still reads the old bytes, fails.
#pragma once

#include "kernels/simt/cuda.h"

#ifdef __CUDACC__
#include <cuda_pipeline.h>
#else
#include <cstdint>
#include <cstring>

// CUDA's own names, which CUDA documents.
/// \cond
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    quire::simt::CallSite site = "__pipeline_memcpy_async") {
  const auto aligned = [&](const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
  };
  if ((bytes != 4 && bytes != 8 && bytes != 16) || !aligned(to) || !aligned(from)) {
    quire::simt::detail::fail_in_kernel(site, "it copies 4, 8 or 16 bytes, aligned to as many");
  }
  if (quire::simt::detail::is_device_memory(to)) {
    quire::simt::detail::fail_in_kernel(site, "its target is not shared memory");
  }
  std::memset(to, quire::simt::detail::kNeverWritten, bytes);
  quire::simt::detail::enqueue({to, from, bytes, 0});
}
inline void __pipeline_commit() {
  quire::simt::detail::commit_group();
}
inline void __pipeline_wait_prior(std::size_t groups_left) {
  quire::simt::detail::wait_for_groups(static_cast<unsigned>(groups_left));
}
/// \endcond
#endif
