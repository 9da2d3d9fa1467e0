/// \file
/// \brief CUDA's short vectors: `float4` and its kin.
///
/// A kernel reads four floats, or eight 16-bit numbers, with one access through a pointer to such a
/// type; hence `may_alias`. The pointer must be aligned to the vector's size, on a GPU as here.
#pragma once

// CUDA's own names, which CUDA documents.
/// \cond
#define QUIRE_VECTOR(T, name)                                \
  struct alignas(2 * sizeof(T)) [[gnu::may_alias]] name##2 { \
    T x, y;                                                  \
  };                                                         \
  struct alignas(4 * sizeof(T)) [[gnu::may_alias]] name##4 { \
    T x, y, z, w;                                            \
  };                                                         \
  inline name##2 make_##name##2(T x, T y) {                  \
    return {x, y};                                           \
  }                                                          \
  inline name##4 make_##name##4(T x, T y, T z, T w) {        \
    return {x, y, z, w};                                     \
  }

QUIRE_VECTOR(float, float)
QUIRE_VECTOR(int, int)
QUIRE_VECTOR(unsigned, uint)
#undef QUIRE_VECTOR
/// \endcond
