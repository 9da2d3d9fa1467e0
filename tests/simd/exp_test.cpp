#include "src/simd/exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float exp_of(float x) {
  return simd::exp(simd::splat(x))[simd::kLanes - 1];
}

// How far a result is off, in units in the last place of the right one.
double ulps_off(float x) {
  const double right = std::exp(static_cast<double>(x));
  const int exponent = std::max(std::ilogb(right), -126);
  return std::fabs(exp_of(x) - right) / std::ldexp(1.0, exponent - 23);
}

TEST(SimdExp, IsWithinOneAndAHalfUnitsInTheLastPlace) {
  TestRandom random;
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto x = static_cast<float>(random.uniform() * 176 - 87.3);
    worst = std::max(worst, ulps_off(x));
  }
  for (int n = -126; n <= 127; ++n) {
    // Around the ends of the polynomial's range.
    const auto half = static_cast<float>((n + 0.5) * std::log(2.0));
    for (const float x : {half, std::nextafter(half, 0.0f), std::nextafter(half, 100.0f)}) {
      if (x < 88.7f) worst = std::max(worst, ulps_off(x));
    }
  }
  EXPECT_LE(worst, 1.5);
  EXPECT_GT(worst, 0) << "a float cannot hold every exponential";
}

TEST(SimdExp, SubnormalResultsAreWithinOneOfTheirUnits) {
  for (float x = -103.9f; x < -87.4f; x += 0.01f) EXPECT_LE(ulps_off(x), 1) << x;
}

TEST(SimdExp, ItsEndsAreExact) {
  EXPECT_EQ(exp_of(0.0f), 1.0f);
  EXPECT_EQ(exp_of(-0.0f), 1.0f);
  for (const float x : {-104.0f, -105.0f, -1e30f, -kInfinity}) EXPECT_EQ(exp_of(x), 0.0f) << x;
  for (const float x : {88.8f, 89.0f, 1e30f, kInfinity}) EXPECT_EQ(exp_of(x), kInfinity) << x;
  EXPECT_LT(exp_of(88.7f), kInfinity);
  EXPECT_TRUE(std::isnan(exp_of(std::nanf(""))));
}

TEST(SimdVector, EveryHalfWidensAsTheScalarFunctionSays) {
  for (std::uint32_t first = 0; first < 0x10000; first += simd::kLanes) {
    Float16 halves[simd::kLanes];
    for (std::uint32_t i = 0; i < simd::kLanes; ++i) {
      halves[i].bits = static_cast<std::uint16_t>(first + i);
    }
    const simd::Vec wide = simd::load_wide(halves);
    for (int i = 0; i < simd::kLanes; ++i) {
      const float expected = to_float(halves[i]);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(wide[i])) << halves[i].bits;
      } else {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(wide[i]), std::bit_cast<std::uint32_t>(expected));
      }
    }
  }
}

}  // namespace
}  // namespace quire::test
