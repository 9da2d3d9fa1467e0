/// \file
/// \brief Rows that become columns.
#pragma once

#include <array>

#include "src/simd/vector.h"

namespace quire::simd {

/// \brief Four rows become four neighbouring columns: to[i * kStride + j] = from[j][i].
/// \tparam kStride  from a row of the result to the next
/// \param from      four rows
/// \param n         elements a row
/// \param to        n rows
template <Index kStride>
void transpose_four(const std::array<const float*, 4>& from, Index n, float* to) {
  typedef float Four __attribute__((vector_size(16)));
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const Four a = load<Four>(from[0] + i), b = load<Four>(from[1] + i);
    const Four c = load<Four>(from[2] + i), d = load<Four>(from[3] + i);
    const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Four ab_rest = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four cd_rest = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Four columns[] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                            __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                            __builtin_shufflevector(ab_rest, cd_rest, 0, 1, 4, 5),
                            __builtin_shufflevector(ab_rest, cd_rest, 2, 3, 6, 7)};
    for (Index k = 0; k < 4; ++k) std::memcpy(to + (i + k) * kStride, &columns[k], sizeof(Four));
  }
  for (; i < n; ++i) {
    for (std::size_t j = 0; j < 4; ++j) to[i * kStride + static_cast<Index>(j)] = from[j][i];
  }
}

}  // namespace quire::simd
