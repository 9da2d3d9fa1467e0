/// \file
/// \brief Chapter 06: small kernels that show what memory asks of neighbouring threads, and what it
/// costs to do in two kernels what one can do.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"
#include "src/core/dtype.h"

namespace quire {

/// \brief A warp copies 32 floats that are some floats apart: out[i] = in[i * stride].
/// \param out     32 floats
/// \param in      31 * stride + 1 floats
/// \param stride  at least 1
void copy_strided(float* out, const float* in, unsigned stride);

/// \brief Rotates every head of every row in place, as rope_and_store does for q.
/// \param x         [rows, heads, head_dim]
/// \param rotation  [rows, 2, head_dim / 2]
/// \param rows      1 or more
/// \param heads     1 or more
/// \param head_dim  even
void rotate_apart(float* x, const float* rotation, std::int64_t rows, std::int64_t heads,
                  std::int64_t head_dim);

/// \brief Stores rows of keys and values in their slots, as rope_and_store does.
/// \param keys    [slots, width]
/// \param values  [slots, width]
/// \param k       [rows, width]
/// \param v       [rows, width]
/// \param slots   [rows]
/// \param rows    1 or more
/// \param width   elements a row
void store_apart(BFloat16* keys, BFloat16* values, const float* k, const float* v,
                 const std::int64_t* slots, std::int64_t rows, std::int64_t width);

}  // namespace quire
