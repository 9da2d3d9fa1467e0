/// \file
/// \brief Picking rows of a matrix, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[i] = x[picked[i]].
/// \param out     [rows, width]; does not overlap x
/// \param x       [n, width]
/// \param picked  [rows], each 0 <= row < n
/// \param rows    0 or more
/// \param width   elements a row
/// \param stream  where the work is enqueued
void gather_rows(float* out, const float* x, const std::int32_t* picked, std::int64_t rows,
                 std::int64_t width, simt::Stream stream);

}  // namespace quire::kernels
