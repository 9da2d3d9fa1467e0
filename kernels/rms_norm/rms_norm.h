/// \file
/// \brief Root-mean-square normalisation, alone or with the residual connection before it, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[r, i] = gain[i] * y[r, i] / sqrt(mean over i of y[r, i]^2 + epsilon), where y is x, or
/// x + residual.
///
/// Norming the heads of Q and K is the same with a head for a row.
/// \tparam Stored  float, Float16 or BFloat16
/// \param out       [rows, width]; may be x itself if nothing is added
/// \param x         [rows, width]
/// \param residual  [rows, width], or null: nothing is added
/// \param sum       receives x + residual: [rows, width]; may be x itself. Null if residual is
/// \param gain      [width]
/// \param epsilon   above 0
/// \param rows      0 or more
/// \param width     elements a row
/// \param stream    where the work is enqueued
template <class Stored>
void rms_norm(float* out, const float* x, const float* residual, float* sum, const Stored* gain,
              float epsilon, std::int64_t rows, std::int64_t width, simt::Stream stream);

}  // namespace quire::kernels
