/// \file
/// \brief Softmax of rows, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[r, i] = e^(x[r, i] - m) / sum over j of e^(x[r, j] - m), where m is the row's maximum.
///
/// Subtracting the maximum changes nothing in exact arithmetic and keeps every exponential at 1 or
/// below. An element of minus infinity gets 0. A row that holds NaN or plus infinity, or nothing above
/// minus infinity, becomes NaN.
/// \param out     [rows, width]; may be x itself
/// \param x       [rows, width]
/// \param rows    0 or more
/// \param width   elements a row, at least 1
/// \param stream  where the work is enqueued
void softmax(float* out, const float* x, std::int64_t rows, std::int64_t width,
             simt::Stream stream);

}  // namespace quire::kernels
