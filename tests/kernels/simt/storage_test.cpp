// Our storage types against the formats' definition, and against CUDA's own headers where they are.
#include "kernels/simt/storage.h"

#include <gtest/gtest.h>

#if __has_include(<cuda_fp8.h>)
#define QUIRE_HAS_CUDA_HEADERS 1
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#else
#define QUIRE_HAS_CUDA_HEADERS 0
#endif

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/simt/device_array.h"
#include "tests/kernels/simt/features.h"

namespace quire::test {
namespace {

using simt::Float8E4M3;
using simt::narrow;
using simt::widen;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The numbers at which rounding to T may change, for T of `bits` bits: all that T can store, those in
// the middle between two neighbours, and the next floats on either side of each. Rounding never falls
// where its argument rises, so who is right at these is right everywhere.
template <class T>
std::vector<float> turning_points(unsigned patterns) {
  std::vector<float> points = {0.0f, std::numeric_limits<float>::denorm_min(), kInfinity,
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::quiet_NaN()};
  const auto around = [&](float x) {
    points.insert(points.end(), {x, std::nextafter(x, 0.0f), std::nextafter(x, kInfinity)});
  };
  for (unsigned pattern = 0; pattern + 1 < patterns / 2; ++pattern) {
    const float x = widen(T{static_cast<decltype(T::bits)>(pattern)});
    const float next = widen(T{static_cast<decltype(T::bits)>(pattern + 1)});
    if (!std::isfinite(x)) continue;
    around(x);
    // Beyond the largest, the next step would be as long as the last.
    if (std::isfinite(next)) around(static_cast<float>((double{x} + double{next}) / 2));
  }
  for (const float x : {65519.0f, 65520.0f, 65536.0f, 448.0f, 464.0f, 480.0f, 0x1.ffp127f})
    around(x);
  for (std::size_t i = 0, count = points.size(); i < count; ++i) points.push_back(-points[i]);
  return points;
}

TEST(Float8, EveryPatternIsWhatTheFormatSays) {
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    const float x = widen(Float8E4M3{static_cast<std::uint8_t>(pattern)});
    const unsigned exponent = pattern >> 3 & 15, fraction = pattern & 7;
    if (exponent == 15 && fraction == 7) {
      EXPECT_TRUE(std::isnan(x));
      continue;
    }
    const double magnitude = exponent == 0 ? fraction / 8.0 * std::pow(2.0, -6)
                                           : (1 + fraction / 8.0) * std::pow(2.0, exponent - 7.0);
    EXPECT_EQ(x, pattern & 0x80 ? -magnitude : magnitude) << pattern;
    EXPECT_EQ(std::signbit(x), pattern >= 0x80) << pattern;
  }
}

TEST(Float8, RoundsToTheNearestAndTiesToEven) {
  for (unsigned pattern = 0; pattern < 0x7e; ++pattern) {
    const auto bits = static_cast<std::uint8_t>(pattern);
    const auto above = static_cast<std::uint8_t>(pattern + 1);
    const float x = widen(Float8E4M3{bits}), middle = (x + widen(Float8E4M3{above})) / 2;
    EXPECT_EQ(narrow<Float8E4M3>(x).bits, bits);
    EXPECT_EQ(narrow<Float8E4M3>(std::nextafter(middle, 0.0f)).bits, bits);
    EXPECT_EQ(narrow<Float8E4M3>(middle).bits, pattern % 2 == 0 ? bits : above);
    EXPECT_EQ(narrow<Float8E4M3>(std::nextafter(middle, 500.0f)).bits, above);
    EXPECT_EQ(narrow<Float8E4M3>(-x).bits, bits | 0x80);
  }
}

TEST(Float8, BeyondTheLargestItStoresTheLargest) {
  for (const float x : {448.0f, 449.0f, 464.0f, 1e9f, kInfinity}) {
    EXPECT_EQ(narrow<Float8E4M3>(x).bits, 0x7e) << x;
    EXPECT_EQ(narrow<Float8E4M3>(-x).bits, 0xfe) << x;
  }
  EXPECT_EQ(narrow<Float8E4M3>(std::numeric_limits<float>::quiet_NaN()).bits & 0x7f, 0x7f);
}

// Which NaN it is, is left open.
template <class T>
bool same(T ours, unsigned theirs) {
  const float a = widen(ours), b = widen(T{static_cast<decltype(T::bits)>(theirs)});
  return ours.bits == theirs || (std::isnan(a) && std::isnan(b));
}

bool same_float(float a, float b) {
  return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

#if QUIRE_HAS_CUDA_HEADERS
unsigned cuda_narrow(BFloat16, float x) {
  return __bfloat16_as_ushort(__float2bfloat16_rn(x));
}
unsigned cuda_narrow(Float16, float x) {
  return __half_as_ushort(__float2half_rn(x));
}
unsigned cuda_narrow(Float8E4M3, float x) {
  return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
}
float cuda_widen(BFloat16 x) {
  return __bfloat162float(__ushort_as_bfloat16(x.bits));
}
float cuda_widen(Float16 x) {
  return __half2float(__ushort_as_half(x.bits));
}
float cuda_widen(Float8E4M3 x) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E4M3)));
}

template <class T>
void expect_as_cuda(unsigned patterns) {
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    const T x{static_cast<decltype(T::bits)>(pattern)};
    ASSERT_TRUE(same_float(widen(x), cuda_widen(x))) << pattern;
  }
  for (const float x : turning_points<T>(patterns)) {
    ASSERT_TRUE(same(narrow<T>(x), cuda_narrow(T{}, x))) << std::hexfloat << x;
  }
}
#else
template <class T>
void expect_as_cuda(unsigned) {
  GTEST_SKIP() << "there are no CUDA headers here";
}
#endif

TEST(Storage, BFloat16IsAsInCudasHeader) {
  expect_as_cuda<BFloat16>(65536);
}

TEST(Storage, Float16IsAsInCudasHeader) {
  expect_as_cuda<Float16>(65536);
}

TEST(Storage, Float8IsAsInCudasHeader) {
  expect_as_cuda<Float8E4M3>(256);
}

// On a GPU the instructions of the hardware do it; see the same test there.
TEST(Storage, KernelsStoreWhatTheHostStores) {
  const std::vector<float> points = turning_points<Float8E4M3>(256);
  const simt::DeviceArray<float> in(points);
  const simt::DeviceArray<BFloat16> bfloat16(points.size());
  const simt::DeviceArray<Float16> float16(points.size());
  const simt::DeviceArray<std::uint8_t> float8(points.size());
  simt_kernels::narrow_all(bfloat16.data(), float16.data(), float8.data(), in.data(),
                           static_cast<int>(points.size()));
  const auto brains = bfloat16.to_host();
  const auto halves = float16.to_host();
  const auto eighths = float8.to_host();
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_TRUE(same(narrow<BFloat16>(points[i]), brains[i].bits)) << points[i];
    EXPECT_TRUE(same(narrow<Float16>(points[i]), halves[i].bits)) << points[i];
    EXPECT_TRUE(same(narrow<Float8E4M3>(points[i]), eighths[i])) << points[i];
  }
}

}  // namespace
}  // namespace quire::test
