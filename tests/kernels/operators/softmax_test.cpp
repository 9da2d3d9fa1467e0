#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/softmax/softmax.h"
#include "tests/kernels/support/guarded_array.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/ops/oracle.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using Softmax = KernelTest;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kUnit = 0x1p-24;

std::vector<float> softmax_of(const std::vector<float>& x, std::size_t width) {
  const simt::DeviceArray<float> in(x);
  const GuardedArray<float> out(x.size());
  kernels::softmax(out.data(), in.data(), static_cast<std::int64_t>(x.size() / width),
                   static_cast<std::int64_t>(width), nullptr);
  return out.to_host();
}

std::vector<float> random_floats(std::size_t count, std::uint64_t salt) {
  TestRandom random(salt);
  std::vector<float> x(count);
  for (float& value : x) value = static_cast<float>(3 * random.normal());
  return x;
}

// In double precision. An exponential is off by its argument's rounding and four units in the last
// place, the sum of n of them by n roundings more, the quotient by one.
Oracle softmax_oracle(const std::vector<float>& x, std::size_t width) {
  Oracle oracle{.values = {}, .slack = {}, .row_size = width};
  for (std::size_t first = 0; first < x.size(); first += width) {
    const std::vector<double> row(x.begin() + static_cast<std::ptrdiff_t>(first),
                                  x.begin() + static_cast<std::ptrdiff_t>(first + width));
    const auto [lowest, top] = std::minmax_element(row.begin(), row.end());
    double sum = 0;
    for (const double value : row) sum += std::exp(value - *top);
    const double roundings = 2 * (*top - *lowest + 4) + static_cast<double>(width) + 1;
    for (const double value : row) {
      oracle.values.push_back(std::exp(value - *top) / sum);
      oracle.slack.push_back(oracle.values.back() * gamma(roundings, kUnit));
    }
  }
  return oracle;
}

TEST_F(Softmax, EveryWidthIsRightWithinItsRoundings) {
  in_every_order([](std::uint64_t salt) {
    for (const std::size_t width : {1u, 2u, 31u, 32u, 33u, 255u, 256u, 257u, 1000u}) {
      const std::vector<float> x = random_floats(3 * width, salt + 10 * width);
      EXPECT_TRUE(within_slack(softmax_of(x, width), softmax_oracle(x, width))) << width;
    }
  });
}

TEST_F(Softmax, ASumThatLacksOneElementIsNoticed) {
  const std::vector<float> x = random_floats(64, 0);
  Oracle oracle = softmax_oracle(x, 64);
  for (double& value : oracle.values) value /= 1 - oracle.values[63];
  EXPECT_FALSE(within_slack(softmax_of(x, 64), oracle));
}

TEST_F(Softmax, LargeScoresDoNotOverflow) {
  EXPECT_EQ(softmax_of({1e30f, -1e30f, 1e30f}, 3), (std::vector<float>{0.5f, 0, 0.5f}));
}

TEST_F(Softmax, ScoresFarBelowZeroDoNotVanish) {
  EXPECT_EQ(softmax_of({-1e4f, -1e4f, -1e30f}, 3), (std::vector<float>{0.5f, 0.5f, 0}));
}

TEST_F(Softmax, MinusInfinityGetsNothing) {
  EXPECT_EQ(softmax_of({-kInfinity, 2, 2, -kInfinity}, 4), (std::vector<float>{0, 0.5f, 0.5f, 0}));
}

TEST_F(Softmax, ARowWithoutAnAnswerIsNanAndSpoilsNoOther) {
  for (const float x : {kNan, kInfinity}) {
    const std::vector<float> result = softmax_of({1, x, 1, 1, -kInfinity, -kInfinity}, 2);
    EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
    EXPECT_EQ(result[2], 0.5f);
    EXPECT_TRUE(std::isnan(result[4]) && std::isnan(result[5]));
  }
}

TEST_F(Softmax, MayWriteOverItsInput) {
  const std::vector<float> x = random_floats(600, 1);
  const GuardedArray<float> in_place(x);
  kernels::softmax(in_place.data(), in_place.data(), 2, 300, nullptr);
  EXPECT_EQ(in_place.to_host(), softmax_of(x, 300));
}

TEST_F(Softmax, ARowDependsOnThatRowAlone) {
  const std::vector<float> x = random_floats(3 * 77, 2);
  const std::vector<float> together = softmax_of(x, 77);
  for (auto row = 0; row < 3 * 77; row += 77) {
    EXPECT_EQ(softmax_of({x.begin() + row, x.begin() + row + 77}, 77),
              std::vector<float>(together.begin() + row, together.begin() + row + 77));
  }
}

}  // namespace
}  // namespace quire::test
