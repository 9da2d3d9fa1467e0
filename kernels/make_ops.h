/// \file
/// \brief The one function that a module of kernels exports.
#pragma once

#include <memory>

#include "src/ops/ops.h"

namespace quire {

/// \brief Makes operators. In C++ types: programs and modules come from one build.
/// \param ops  receives them
/// \throws Error if there is no device; it crosses the border of the module
using MakeKernelOps = void(std::unique_ptr<Ops>& ops);

/// \brief The name under which a module exports its MakeKernelOps.
inline constexpr const char* kMakeKernelOps = "quire_make_kernel_ops";

}  // namespace quire
