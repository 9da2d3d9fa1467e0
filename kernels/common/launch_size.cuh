/// \file
/// \brief How much work becomes how many blocks and threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/simt/cuda.h"
#include "kernels/simt/grid_limits.h"

namespace quire::kernels {

/// \brief The extent of a grid.
/// \param blocks  at least 1
/// \param most    what the axis allows
/// \throws simt::Error if there are more
unsigned grid_extent(std::int64_t blocks, std::int64_t most = simt::kMostBlocksX);

/// \brief How many pieces of some size cover a number of elements.
/// \param elements  0 or more
/// \param size      at least 1
constexpr std::int64_t pieces(std::int64_t elements, std::int64_t size) {
  return (elements + size - 1) / size;
}

/// \brief Blocks that cover a number of elements, a thread for each.
///
/// Along x, the longest axis.
/// \param elements  at least 1
/// \param threads   of a block
inline dim3 blocks_for(std::int64_t elements, int threads) {
  return dim3(grid_extent(pieces(elements, threads)));
}

/// \brief Threads for a block that walks along a row: whole warps, no more than the row keeps busy.
///
/// It depends on the row's length alone, so a sum over a row has one order whatever is beside it.
/// \param width  elements a row
inline dim3 threads_for_row(std::int64_t width) {
  return dim3(static_cast<unsigned>(32 * std::clamp<std::int64_t>(pieces(width, 32), 1, 8)));
}

}  // namespace quire::kernels
