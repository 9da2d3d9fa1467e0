/// \file
/// \brief The bias of a linear layer, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[r, i] += bias[i].
/// \tparam Stored  float, Float16 or BFloat16
/// \param out     [rows, width]
/// \param bias    [width]
/// \param rows    0 or more
/// \param width   elements a row
/// \param stream  where the work is enqueued
template <class Stored>
void add_bias(float* out, const Stored* bias, std::int64_t rows, std::int64_t width,
              simt::Stream stream);

}  // namespace quire::kernels
