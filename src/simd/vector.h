/// \file
/// \brief Vectors of floats, as wide as the instruction set of the build.
///
/// GNU vector types do the arithmetic; intrinsics appear only for what they cannot say: a fused
/// multiply-add and the widening of halves. Nothing here asks the processor: the width follows from
/// the options that this file is compiled with.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__FMA__) || defined(__F16C__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "src/core/tensor.h"

namespace quire::simd {

#if defined(__AVX512F__)
/// \brief Floats in a vector.
inline constexpr int kLanes = 16;
/// \brief Vectors that a tile may sum into: three quarters of the registers.
inline constexpr int kAccumulators = 24;
#elif defined(__AVX2__)
/// \brief Floats in a register.
inline constexpr int kLanes = 8;
/// \brief Vectors that a tile may sum into: three quarters of the registers.
inline constexpr int kAccumulators = 12;
#elif defined(__aarch64__)
/// \brief Floats in a register.
inline constexpr int kLanes = 4;
/// \brief Vectors that a tile may sum into: three quarters of the registers.
inline constexpr int kAccumulators = 24;
#else
/// \brief Floats in a register.
inline constexpr int kLanes = 4;
/// \brief Vectors that a tile may sum into: three quarters of the registers.
inline constexpr int kAccumulators = 12;
#endif

/// \brief A vector of floats.
typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));
/// \brief A vector of as many unsigned integers.
typedef std::uint32_t UVec __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));
/// \brief A vector of as many signed integers; also what a comparison gives: 0 or -1.
typedef std::int32_t IVec __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
/// \brief A vector of as many 16-bit numbers.
typedef std::uint16_t HalfVec __attribute__((vector_size(kLanes * sizeof(std::uint16_t))));

/// \brief The same float in every lane.
/// \param x  the float
inline Vec splat(float x) {
  // Subtracting +0 keeps the sign of a zero, which adding it would not.
  return x - Vec{};
}

/// \brief Reads a vector from anywhere.
/// \tparam V    the vector
/// \param from  sizeof(V) bytes
template <class V = Vec>
inline V load(const void* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// \brief Reads the first floats of a vector; the other lanes are 0.
/// \param from  `n` floats
/// \param n     0 <= n <= kLanes
inline Vec load(const float* from, Index n) {
  Vec v{};
  std::memcpy(&v, from, static_cast<std::size_t>(n) * sizeof(float));
  return v;
}

/// \brief Writes a vector to anywhere.
/// \param v   what
/// \param to  kLanes floats
inline void store(Vec v, float* to) {
  std::memcpy(to, &v, sizeof v);
}

/// \brief Writes the first floats of a vector.
/// \param v   what
/// \param to  `n` floats
/// \param n   0 <= n <= kLanes
inline void store(Vec v, float* to, Index n) {
  std::memcpy(to, &v, static_cast<std::size_t>(n) * sizeof(float));
}

/// \brief Asks for a line of memory that will soon be read; any address is allowed.
/// \param address  somewhere in the line
inline void prefetch(const void* address) {
  constexpr int kToRead = 0, kSecondCache = 2;
  __builtin_prefetch(address, kToRead, kSecondCache);
}

/// \brief a * b + c, rounded once where the instruction set can.
/// \param a  a factor
/// \param b  a factor
/// \param c  a summand
inline Vec multiply_add(Vec a, Vec b, Vec c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#elif defined(__FMA__)
  return _mm_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
  return vfmaq_f32(c, a, b);
#else
  return a * b + c;
#endif
}

/// \brief The bits of floats.
/// \param v  any vector
inline UVec bits_of(Vec v) {
  return std::bit_cast<UVec>(v);
}

/// \brief The floats of bits.
/// \param bits  any vector
inline Vec float_of(UVec bits) {
  return std::bit_cast<Vec>(bits);
}

/// \brief The greater of two numbers in every lane; where one is NaN, `b`.
/// \param a  any vector
/// \param b  any vector
inline Vec greater_of(Vec a, Vec b) {
  return a > b ? a : b;
}

/// \brief The sum of the lanes, halves first: (0 + n/2), (1 + n/2 + 1) ..., then quarters.
/// \param v  any vector
inline float sum_of(Vec v) {
  float lanes[kLanes];
  store(v, lanes);
  for (int n = kLanes / 2; n > 0; n /= 2) {
    for (int i = 0; i < n; ++i) lanes[i] += lanes[i + n];
  }
  return lanes[0];
}

/// \brief Widens halves exactly, like to_float(Float16): subnormals, infinities and NaN too.
/// \param halves  kLanes stored halves
inline Vec widen_halves(HalfVec halves) {
#if defined(__AVX512F__)
  return _mm512_cvtph_ps(std::bit_cast<__m256i>(halves));
#elif defined(__AVX2__) && defined(__F16C__)
  return _mm256_cvtph_ps(std::bit_cast<__m128i>(halves));
#elif defined(__aarch64__)
  return vcvt_f32_f16(std::bit_cast<float16x4_t>(halves));
#else
  const UVec bits = __builtin_convertvector(halves, UVec);
  const UVec magnitude = bits & 0x7fffu;
  // The fraction moved to its place in a float is too small by 2^112; the product is exact.
  const UVec finite = bits_of(float_of(magnitude << 13) * 0x1p112f);
  const UVec wide = magnitude < 0x7c00u ? finite : 0x7f800000u | (magnitude << 13);
  return float_of(wide | (bits & 0x8000u) << 16);
#endif
}

/// \brief Reads kLanes stored numbers, widened exactly.
/// \param from  F32
inline Vec load_wide(const float* from) {
  return load(from);
}
/// \copydoc load_wide(const float*)
inline Vec load_wide(const Float16* from) {
  return widen_halves(load<HalfVec>(from));
}
/// \copydoc load_wide(const float*)
inline Vec load_wide(const BFloat16* from) {
  return float_of(__builtin_convertvector(load<HalfVec>(from), UVec) << 16);
}

/// \brief Reads `n` stored numbers, widened exactly; the other lanes are 0.
/// \tparam Stored  float, Float16 or BFloat16
/// \param from     `n` of them
/// \param n        0 <= n <= kLanes
template <class Stored>
inline Vec load_wide(const Stored* from, Index n) {
  Stored padded[kLanes]{};
  std::memcpy(padded, from, static_cast<std::size_t>(n) * sizeof(Stored));
  return load_wide(padded);
}

/// \brief Calls `body(i, n)` for the vectors that cover a range: n is kLanes but for the last one.
///
/// The last vector does the same arithmetic as the others, with lanes that nobody stores: what is
/// computed for an element does not depend on its place.
/// \param count  the length of the range
/// \param body   gets the first index of a vector, and how many of its lanes count
template <class Body>
inline void for_each_vector(Index count, const Body& body) {
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes) body(i, Index{kLanes});
  if (i < count) body(i, count - i);
}

}  // namespace quire::simd
