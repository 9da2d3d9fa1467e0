/// \file
/// \brief The largest element of each row, on a device: the greedy choice.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[r] = the index of the row's largest element, the lowest one where several are equal.
///
/// A row that holds a NaN gets -1, since nothing can be chosen from it; the sampler refuses such logits
/// too. Infinities are numbers like others.
/// \param out     [rows]
/// \param x       [rows, width]
/// \param rows    0 or more
/// \param width   elements a row, at least 1, below 2^31
/// \param stream  where the work is enqueued
void argmax(std::int32_t* out, const float* x, std::int64_t rows, std::int64_t width,
            simt::Stream stream);

}  // namespace quire::kernels
