/// \file
/// \brief How attention is split over threads.
#pragma once

#include <cstddef>

#include "src/core/tensor.h"

/// \brief What the fast CPU operators are made of.
namespace quire::simd {

/// \brief What one thread computes at a time.
struct AttendJob {
  std::size_t span = 0;  ///< which of the view's spans
  int first_row = 0;     ///< the first row, counted within the span
  int rows = 0;          ///< how many
  Index kv_head = 0;     ///< which KV head, and so which query heads
};

}  // namespace quire::simd
