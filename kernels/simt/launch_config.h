/// \file
/// \brief What stands between `<<<` and `>>>`: the shape of a launch. Needs `dim3`, which CUDA or
/// thread_index.h defines.
#pragma once

#include <cstddef>

#include "kernels/simt/call_site.h"
#include "kernels/simt/runtime.h"

namespace quire::simt {

/// \brief The shape of a launch, written with the names of its parts:
/// `{.grid = rows, .block = 256, .stream = stream}`.
struct LaunchConfig {
  dim3 grid{};                   ///< blocks, as many as grid_limits.h says
  dim3 block{};                  ///< threads of a block, at most 1,024
  std::size_t shared_bytes = 0;  ///< dynamic shared memory; with the static at most 227 KiB
  Stream stream = nullptr;       ///< after whose earlier work
  CallSite site = "launch";      ///< where the launch stands; left to the compiler
};

}  // namespace quire::simt
