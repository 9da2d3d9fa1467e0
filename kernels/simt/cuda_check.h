/// \file
/// \brief What CUDA's runtime returns, as errors of the project.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/simt/call_site.h"

namespace quire::simt {

/// \brief Throws unless a call of CUDA's runtime succeeded.
/// \param status  what it returned
/// \param site    where it stands
/// \throws Error with the place and CUDA's name and description of what went wrong
void check(cudaError_t status, CallSite site = "CUDA");

}  // namespace quire::simt
