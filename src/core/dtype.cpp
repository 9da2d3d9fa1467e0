#include "src/core/dtype.h"

#include <cmath>

namespace quire {

std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::i64:
      return 8;
    default:
      return 4;
  }
}

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "F32";
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
    case DType::i32:
      return "I32";
    default:
      return "I64";
  }
}

BFloat16 to_bfloat16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if (std::isnan(x)) return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  // Half of the last kept bit, less one where that bit is even: ties go to even.
  const std::uint32_t rounding = 0x7fffu + ((bits >> 16) & 1u);
  return {static_cast<std::uint16_t>((bits + rounding) >> 16)};
}

Float16 to_float16(float x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000u : 0u);
  if (std::isnan(x)) return {static_cast<std::uint16_t>(sign | 0x7e00u)};
  const float magnitude = std::fabs(x);
  if (magnitude >= 65520.0f) return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  // In units of the last place of the result: 2^-24 for subnormals, else 2^(exponent - 10).
  const int exponent = magnitude < std::ldexp(1.0f, -14) ? -14 : std::ilogb(magnitude);
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry out of the fraction raises the exponent by itself.
  const std::uint32_t biased = static_cast<std::uint32_t>(exponent + 14) << 10;
  return {static_cast<std::uint16_t>(sign | (biased + units))};
}

}  // namespace quire
