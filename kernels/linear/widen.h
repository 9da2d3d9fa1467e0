/// \file
/// \brief Stored numbers as floats, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[i] = stored[i], widened to F32 exactly.
/// \tparam Stored  Float16 or BFloat16
/// \param out     [size]
/// \param stored  [size]
/// \param size    0 or more
/// \param stream  where the work is enqueued
template <class Stored>
void widen(float* out, const Stored* stored, std::int64_t size, simt::Stream stream);

}  // namespace quire::kernels
