/// \file
/// \brief Four neighbouring numbers at a time: how a kernel asks for as many bytes as a load can bring.
#pragma once

#include <cstdint>

#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {

/// \brief Four floats.
struct Four {
  float values[4];  ///< in the order in which they lie in memory
};

/// \brief Whether a matrix can be read four elements at a time: every row begins at a boundary of
/// four elements.
/// \param first  its first element
/// \param width  elements a row
template <class Stored>
bool has_rows_of_fours(const Stored* first, std::int64_t width) {
  return width % 4 == 0 && reinterpret_cast<std::uintptr_t>(first) % (4 * sizeof(Stored)) == 0;
}

/// \brief Four floats with one load of 16 bytes.
/// \param from  at a 16-byte boundary
__device__ inline Four load_four(const float* from) {
  const float4 loaded = *reinterpret_cast<const float4*>(from);
  return {{loaded.x, loaded.y, loaded.z, loaded.w}};
}

/// \brief Four 16-bit numbers with one load of 8 bytes, widened.
/// \param from  at an 8-byte boundary
template <class Stored>
__device__ Four load_four(const Stored* from) {
  static_assert(sizeof(Stored) == 2);
  const uint2 loaded = *reinterpret_cast<const uint2*>(from);
  const auto number = [](unsigned bits) {
    return simt::widen(Stored{static_cast<std::uint16_t>(bits)});
  };
  return {{number(loaded.x), number(loaded.x >> 16), number(loaded.y), number(loaded.y >> 16)}};
}

/// \brief Up to four numbers one by one, widened; zeros in place of those that are missing.
/// \param from   the first
/// \param count  how many there are; the others are not read
template <class Stored>
__device__ Four load_up_to_four(const Stored* from, std::int64_t count) {
  Four result{};
  for (int i = 0; i < 4; ++i) {
    if (i < count) result.values[i] = simt::widen(from[i]);
  }
  return result;
}

}  // namespace quire::kernels
