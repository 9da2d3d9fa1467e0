/// \file
/// \brief Element types of tensors, and the two 16-bit floating-point formats.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/core/ids.h"

namespace quire {

/// \brief What a tensor's elements are.
enum class DType {
  f32,   ///< IEEE 754 single precision
  f16,   ///< IEEE 754 half precision
  bf16,  ///< the upper half of an f32: 8 exponent bits, 7 fraction bits
  i32,   ///< 32-bit signed integers: token ids, positions, block ids
  i64,   ///< 64-bit signed integers: slots
};

/// \brief The bytes that one element takes.
/// \param dtype  the element type
/// \return 2, 4 or 8
std::size_t size_of(DType dtype);

/// \brief The name of an element type as readers know it.
/// \param dtype  the element type
/// \return "F32", "F16", "BF16", "I32" or "I64"
std::string_view name_of(DType dtype);

/// \brief A bfloat16 number as it is stored.
struct BFloat16 {
  std::uint16_t bits = 0;  ///< sign, 8 exponent bits, 7 fraction bits
};

/// \brief An IEEE half-precision number as it is stored.
struct Float16 {
  std::uint16_t bits = 0;  ///< sign, 5 exponent bits, 10 fraction bits
};

/// \brief Widens exactly: every bfloat16 is a float.
/// \param x  the stored number
/// \return the same number
inline float to_float(BFloat16 x) {
  return std::bit_cast<float>(std::uint32_t{x.bits} << 16);
}

/// \brief Widens exactly: every half is a float. Handles subnormals, infinities and NaN.
/// \param x  the stored number
/// \return the same number
inline float to_float(Float16 x) {
  const std::uint32_t magnitude = x.bits & 0x7fffu;
  const std::uint32_t sign = (x.bits & 0x8000u) * 0x10000u;
  // The fraction moved to its place in a float is too small by 2^112; the product is exact.
  const float finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const std::uint32_t bits =
      magnitude < 0x7c00u ? std::bit_cast<std::uint32_t>(finite) : 0x7f800000u | (magnitude << 13);
  return std::bit_cast<float>(sign | bits);
}

/// \brief A float is its own widening.
/// \param x  the stored number
/// \return the same number
inline float to_float(float x) {
  return x;
}

/// \brief Rounds to the nearest bfloat16, ties to even. NaN stays NaN.
/// \param x  any float
/// \return the nearest bfloat16, infinite beyond the largest finite one
BFloat16 to_bfloat16(float x);

/// \brief Rounds to the nearest half, ties to even. NaN stays NaN.
/// \param x  any float
/// \return the nearest half, infinite from 65520 on
Float16 to_float16(float x);

/// \brief The DType of a C++ element type: `dtype_of<float>` is DType::f32.
/// \tparam T  float, BFloat16, Float16, an integer of 32 or 64 bits, or a strong type over one
template <class T>
inline constexpr DType dtype_of = sizeof(T) == 8 ? DType::i64 : DType::i32;
/// \brief A float is F32.
template <>
inline constexpr DType dtype_of<float> = DType::f32;
/// \brief A Float16 is F16.
template <>
inline constexpr DType dtype_of<Float16> = DType::f16;
/// \brief A BFloat16 is BF16.
template <>
inline constexpr DType dtype_of<BFloat16> = DType::bf16;

}  // namespace quire
