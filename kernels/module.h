/// \file
/// \brief The kernels as modules that a program loads when it needs them.
///
/// There is one module for each back end: quire_emulated.so and quire_cuda.so, from the same sources.
/// A program that is linked with neither runs on machines that have no CUDA.
#pragma once

#include <memory>
#include <string_view>

#include "src/ops/ops.h"

namespace quire {

/// \brief The back ends that run the kernels.
enum class KernelBackend {
  emulated,  ///< the processor, thread by thread
  gpu,       ///< a GPU that runs CUDA
};

/// \brief Loads the module of a back end and makes its operators.
///
/// The module is looked for in the folder $QUIRE_KERNELS, or else in the folder lib beside the
/// program's own. It stays loaded to the end of the program.
/// \param backend  which
/// \throws Error if it is not there or cannot be loaded, or if there is no GPU that it runs on
std::unique_ptr<Ops> load_kernel_ops(KernelBackend backend);

}  // namespace quire
