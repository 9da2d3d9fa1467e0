#include "src/core/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quire {
namespace {

// A binary floating-point format, read off the standard: sign, exponent, fraction.
struct Format {
  int exponent_bits;
  int fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int top_exponent() const { return (1 << exponent_bits) - 1; }

  // The number that a non-negative pattern stands for. The pattern of infinity stands for the
  // number that would come next, which is where rounding begins to overflow.
  double magnitude(int pattern) const {
    const int exponent = pattern >> fraction_bits;
    const int fraction = pattern & ((1 << fraction_bits) - 1);
    const int hidden = exponent == 0 ? 0 : 1 << fraction_bits;
    return std::ldexp(hidden + fraction, std::max(exponent, 1) - bias() - fraction_bits);
  }

  int infinity() const { return top_exponent() << fraction_bits; }
};

constexpr Format kHalf{.exponent_bits = 5, .fraction_bits = 10};
constexpr Format kBrain{.exponent_bits = 8, .fraction_bits = 7};

template <class Stored>
Stored from_pattern(int pattern) {
  return {.bits = static_cast<std::uint16_t>(pattern)};
}

// Checks every non-negative pattern and its negative against the format's definition.
template <class Stored>
void expect_widened(const Format& format) {
  for (int pattern = 0; pattern < 0x8000; ++pattern) {
    const float positive = to_float(from_pattern<Stored>(pattern));
    const float negative = to_float(from_pattern<Stored>(pattern | 0x8000));
    if (pattern > format.infinity()) {
      ASSERT_TRUE(std::isnan(positive) && std::isnan(negative)) << std::hex << pattern;
      continue;
    }
    const double expected = pattern == format.infinity() ? std::numeric_limits<double>::infinity()
                                                         : format.magnitude(pattern);
    ASSERT_EQ(positive, expected) << std::hex << pattern;
    ASSERT_EQ(negative, -expected) << std::hex << pattern;
    ASSERT_TRUE(std::signbit(negative) && !std::signbit(positive)) << std::hex << pattern;
  }
}

TEST(Half, EveryPatternWidensToItsDefinition) {
  expect_widened<Float16>(kHalf);
}

TEST(BFloat16, EveryPatternWidensToItsDefinition) {
  expect_widened<BFloat16>(kBrain);
}

// Checks that widening and rounding again gives every pattern back.
template <class Stored, class Round>
void expect_round_trip(const Format& format, Round round) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const int back = round(to_float(from_pattern<Stored>(pattern))).bits;
    const bool is_nan = (pattern & 0x7fff) > format.infinity();
    if (is_nan) {
      ASSERT_GT(back & 0x7fff, format.infinity()) << std::hex << pattern;
    } else {
      ASSERT_EQ(back, pattern) << std::hex << pattern;
    }
  }
}

TEST(Half, EveryPatternSurvivesTheRoundTrip) {
  expect_round_trip<Float16>(kHalf, to_float16);
}

TEST(BFloat16, EveryPatternSurvivesTheRoundTrip) {
  expect_round_trip<BFloat16>(kBrain, to_bfloat16);
}

// Checks the middle between any two neighbours and the floats on either side of it.
template <class Round>
void expect_nearest(const Format& format, Round round) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (int low = 0; low < format.infinity(); ++low) {
    const int high = low + 1;
    const auto middle = static_cast<float>((format.magnitude(low) + format.magnitude(high)) / 2);
    ASSERT_EQ(round(std::nextafter(middle, 0.0f)).bits, low) << std::hex << low;
    ASSERT_EQ(round(middle).bits, low % 2 == 0 ? low : high) << "no tie to even at " << middle;
    ASSERT_EQ(round(std::nextafter(middle, kInfinity)).bits, high) << std::hex << low;
    ASSERT_EQ(round(-middle).bits, 0x8000 | (low % 2 == 0 ? low : high)) << std::hex << low;
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  expect_nearest(kHalf, to_float16);
}

TEST(BFloat16, RoundsToTheNearestAndTiesToEven) {
  expect_nearest(kBrain, to_bfloat16);
}

TEST(Half, WhatIsTooLargeBecomesInfinite) {
  for (const float x : {65520.0f, 1e30f, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(to_float16(x).bits, 0x7c00);
    EXPECT_EQ(to_float16(-x).bits, 0xfc00);
  }
}

TEST(DType, SizesAndNamesAreThoseOfTheFileFormat) {
  EXPECT_EQ(size_of(DType::f32), 4u);
  EXPECT_EQ(size_of(DType::f16), 2u);
  EXPECT_EQ(size_of(DType::bf16), 2u);
  EXPECT_EQ(size_of(DType::i32), 4u);
  EXPECT_EQ(size_of(DType::i64), 8u);
  EXPECT_EQ(name_of(DType::bf16), "BF16");
  EXPECT_EQ(name_of(DType::i64), "I64");
}

TEST(DType, StrongTypesHaveTheDTypeOfTheirNumber) {
  static_assert(dtype_of<TokenId> == DType::i32);
  static_assert(dtype_of<BlockId> == DType::i32);
  static_assert(dtype_of<Slot> == DType::i64);
  static_assert(dtype_of<BFloat16> == DType::bf16);
}

}  // namespace
}  // namespace quire
