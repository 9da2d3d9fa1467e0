/// \file
/// \brief How many blocks a grid can have along each axis: on every GPU since compute capability 3.0.
#pragma once

#include <cstdint>

namespace quire::simt {

/// \brief The most blocks of a grid along x.
inline constexpr std::int64_t kMostBlocksX = (std::int64_t{1} << 31) - 1;
/// \brief The most blocks of a grid along y, and along z.
inline constexpr std::int64_t kMostBlocksY = 65535;

}  // namespace quire::simt
