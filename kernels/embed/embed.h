/// \file
/// \brief Rows of the embedding table, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief out[r] = table[tokens[r]], widened to F32.
/// \tparam Stored  float, Float16 or BFloat16
/// \param out     [rows, hidden]
/// \param table   [vocabulary, hidden]
/// \param tokens  [rows], each 0 <= id < vocabulary
/// \param rows    0 or more
/// \param hidden  elements a row
/// \param stream  where the work is enqueued
template <class Stored>
void embed(float* out, const Stored* table, const std::int32_t* tokens, std::int64_t rows,
           std::int64_t hidden, simt::Stream stream);

}  // namespace quire::kernels
