/// \file
/// \brief A residual connection, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[i] += x[i].
/// \param out     [size]
/// \param x       [size]; does not overlap out
/// \param size    0 or more
/// \param stream  where the work is enqueued
void add(float* out, const float* x, std::int64_t size, simt::Stream stream);

}  // namespace quire::kernels
