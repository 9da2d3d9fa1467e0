/// \file
/// \brief The gate of a gated FFN, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[i] = silu(gate[i]) * up[i], where silu(x) = x / (1 + e^-x).
/// \param out     [size]; may be gate or up itself
/// \param gate    [size]
/// \param up      [size]
/// \param size    0 or more
/// \param stream  where the work is enqueued
void silu_mul(float* out, const float* gate, const float* up, std::int64_t size,
              simt::Stream stream);

}  // namespace quire::kernels
