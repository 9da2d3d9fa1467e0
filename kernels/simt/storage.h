/// \file
/// \brief The storage types of kernels: read by widen(), written by narrow(). Arithmetic is in float.
///
/// One type in host code, in kernels on a GPU and in emulated ones; Float16 and BFloat16 live in
/// src/core/dtype.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "src/core/dtype.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
/// \brief Marks a function for host and kernels alike.
#define QUIRE_ANYWHERE __host__ __device__
#else
#define QUIRE_ANYWHERE
#endif

namespace quire::simt {

/// \brief An 8-bit number as it is stored: sign, 4 exponent bits (bias 7), 3 fraction bits. Largest
/// 448; no infinity; NaN is 0x7f and 0xff. (Micikevicius et al., "FP8 Formats for Deep Learning",
/// 2022.)
struct Float8E4M3 {
  std::uint8_t bits = 0;  ///< sign, exponent, fraction
};

/// \brief A float is its own widening.
/// \param x  the stored number
QUIRE_ANYWHERE inline float widen(float x) {
  return x;
}

/// \brief Widens exactly.
/// \param x  the stored number
QUIRE_ANYWHERE inline float widen(BFloat16 x) {
#ifdef __CUDA_ARCH__
  return __bfloat162float(__ushort_as_bfloat16(x.bits));
#else
  return to_float(x);
#endif
}

/// \brief Widens exactly.
/// \param x  the stored number
QUIRE_ANYWHERE inline float widen(Float16 x) {
#ifdef __CUDA_ARCH__
  return __half2float(__ushort_as_half(x.bits));
#else
  return to_float(x);
#endif
}

/// \brief Widens exactly.
/// \param x  the stored number
QUIRE_ANYWHERE inline float widen(Float8E4M3 x) {
#ifdef __CUDA_ARCH__
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E4M3)));
#else
  const int exponent = (x.bits >> 3) & 15, fraction = x.bits & 7;
  if (exponent == 15 && fraction == 7) return NAN;
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(fraction), -9)
                              : std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
  return x.bits & 0x80 ? -magnitude : magnitude;
#endif
}

/// \brief Rounds to the nearest number that T can store, ties to even; NaN stays NaN. Beyond the
/// largest a 16-bit type gives infinity, and Float8E4M3 its largest.
/// \tparam T  float, BFloat16, Float16 or Float8E4M3
/// \param x   any float
template <class T>
QUIRE_ANYWHERE T narrow(float x);

/// \brief A float is stored as it is.
/// \param x  any float
template <>
QUIRE_ANYWHERE inline float narrow<float>(float x) {
  return x;
}

/// \copydoc narrow(float)
template <>
QUIRE_ANYWHERE inline BFloat16 narrow<BFloat16>(float x) {
#ifdef __CUDA_ARCH__
  return {__bfloat16_as_ushort(__float2bfloat16_rn(x))};
#else
  return to_bfloat16(x);
#endif
}

/// \copydoc narrow(float)
template <>
QUIRE_ANYWHERE inline Float16 narrow<Float16>(float x) {
#ifdef __CUDA_ARCH__
  return {__half_as_ushort(__float2half_rn(x))};
#else
  return to_float16(x);
#endif
}

/// \copydoc narrow(float)
template <>
QUIRE_ANYWHERE inline Float8E4M3 narrow<Float8E4M3>(float x) {
#ifdef __CUDA_ARCH__
  return {__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)};
#else
  const int sign = std::signbit(x) ? 0x80 : 0;
  const float magnitude = std::fabs(x);
  if (std::isnan(x)) return {0x7f};
  if (magnitude >= 448.0f) return {static_cast<std::uint8_t>(sign | 0x7e)};
  // In units of the last place of the result: 2^-9 for subnormals, else 2^(exponent - 3).
  const int exponent = magnitude < 0x1p-6f ? -6 : std::ilogb(magnitude);
  const int units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 3 - exponent)));
  // A carry out of the fraction raises the exponent by itself.
  return {static_cast<std::uint8_t>(sign | (((exponent + 6) << 3) + units))};
#endif
}

}  // namespace quire::simt
