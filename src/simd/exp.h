/// \file
/// \brief The exponential of a vector.
#pragma once

#include "src/simd/vector.h"

namespace quire::simd {

/// \brief e^x in every lane.
///
/// Within 1.5 units in the last place wherever the result is a normal number, within one unit of the
/// subnormals below; exactly 1 at 0, 0 from -104 down, infinite where no float is large enough, NaN
/// at NaN. x = n ln 2 + r with |r| <= ln(2) / 2, so e^x = 2^n e^r; ln 2 is subtracted in two parts
/// (Cody and Waite, "Software Manual for the Elementary Functions", 1980), and e^r is its Taylor
/// polynomial of degree 7, whose remainder is below 2^-27 there.
/// \param x  any vector
inline Vec exp(Vec x) {
  constexpr float kLog2e = 0x1.715476p+0f;
  // n times the upper part is exact: it has 9 bits, and n at most 8.
  constexpr float kLn2Upper = 0x1.63p-1f, kLn2Lower = -0x1.bd0106p-13f;
  // Adding and subtracting 1.5 * 2^23 rounds to a whole number.
  constexpr float kRound = 0x1.8p23f;
  // Comparisons with NaN are false, so it passes through.
  x = x > 89.0f ? splat(89.0f) : x;
  x = x < -104.0f ? splat(-104.0f) : x;
  const Vec n = multiply_add(x, splat(kLog2e), splat(kRound)) - splat(kRound);
  const Vec r = multiply_add(n, splat(-kLn2Lower), multiply_add(n, splat(-kLn2Upper), x));
  Vec p = splat(1.0f / 5040);
  for (const float coefficient : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    p = multiply_add(p, r, splat(coefficient));
  }
  // In two steps, since 2^n itself may be beyond the floats on either side.
  const IVec whole = __builtin_convertvector(n, IVec), half = whole >> 1;
  const auto power = [](IVec k) { return float_of(std::bit_cast<UVec>(k + 127) << 23); };
  return p * power(half) * power(whole - half);
}

}  // namespace quire::simd
