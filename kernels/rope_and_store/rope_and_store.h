/// \file
/// \brief Rotary positions and the store of keys and values, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief What a step brings to the store.
struct RopeShape {
  std::int64_t rows = 0;      ///< of the step
  std::int64_t heads = 0;     ///< query heads
  std::int64_t kv_heads = 0;  ///< key/value heads
  std::int64_t head_dim = 0;  ///< elements a head, even
};

/// \brief Rotates every head of q in place, and stores the rotated k, and v, as the rows' keys and
/// values.
///
/// Pairs are half-split: element i goes with i + head_dim / 2.
/// \tparam Stored  what keys and values are stored as: float, Float16 or BFloat16
/// \param q         [rows, heads, head_dim], rotated in place
/// \param k         [rows, kv_heads, head_dim], left as it is
/// \param v         [rows, kv_heads, head_dim]
/// \param rotation  [rows, 2, head_dim / 2]: each row's cosines, then its sines
/// \param keys      [slots, kv_heads, head_dim]
/// \param values    [slots, kv_heads, head_dim]
/// \param slots     [rows]: where each row goes, all different, inside keys and values
/// \param shape     the extents
/// \param stream    where the work is enqueued
template <class Stored>
void rope_and_store(float* q, const float* k, const float* v, const float* rotation, Stored* keys,
                    Stored* values, const std::int64_t* slots, const RopeShape& shape,
                    simt::Stream stream);

}  // namespace quire::kernels
