#include <gtest/gtest.h>

#include <limits>

#include "kernels/argmax/argmax.h"
#include "tests/kernels/support/guarded_array.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/support/close.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using Argmax = KernelTest;
using Indices = std::vector<std::int32_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Indices argmax_of(const std::vector<float>& x, std::size_t width) {
  const simt::DeviceArray<float> in(x);
  const GuardedArray<std::int32_t> out(x.size() / width);
  kernels::argmax(out.data(), in.data(), static_cast<std::int64_t>(x.size() / width),
                  static_cast<std::int64_t>(width), nullptr);
  return out.to_host();
}

TEST_F(Argmax, FindsTheLargestOfEveryWidth) {
  in_every_order([](std::uint64_t salt) {
    for (const std::size_t width : {1u, 2u, 31u, 32u, 33u, 255u, 256u, 257u, 2048u}) {
      TestRandom random(salt + 10 * width);
      std::vector<float> x(4 * width);
      for (float& value : x) value = static_cast<float>(random.normal());
      Indices expected;
      for (auto row = x.begin(); row != x.end(); row += static_cast<std::ptrdiff_t>(width)) {
        const auto end = row + static_cast<std::ptrdiff_t>(width);
        expected.push_back(static_cast<std::int32_t>(std::max_element(row, end) - row));
      }
      EXPECT_EQ(argmax_of(x, width), expected)
          << width << "\n"
          << Fact{.invariant = "nobody reads shared memory before all warps have written to it",
                  .section = "06#five-numbers-on-four-threads"};
    }
  });
}

TEST_F(Argmax, TheLowestOfEqualsWins) {
  in_every_order([](std::uint64_t) {
    // Pairs in one lane, in two lanes, in two warps, and around a walk of the block.
    for (const auto& [first, second] :
         {std::pair(0, 256), {3, 4}, {40, 200}, {299, 555}, {7, 39}}) {
      std::vector<float> x(600, -1.0f);
      x[static_cast<std::size_t>(first)] = x[static_cast<std::size_t>(second)] = 5;
      EXPECT_EQ(argmax_of(x, 600), Indices{first})
          << Fact{.invariant = "of equal values the lowest index wins, whoever meets whom first",
                  .section = "06#code-tour"};
    }
    EXPECT_EQ(argmax_of(std::vector<float>(300, 0.0f), 300), Indices{0});
  });
}

TEST_F(Argmax, MinusZeroIsNoLessThanZero) {
  EXPECT_EQ(argmax_of({-1, -0.0f, 0.0f}, 3), Indices{1});
}

TEST_F(Argmax, InfinitiesAreNumbersLikeOthers) {
  EXPECT_EQ(argmax_of({1, kInfinity, 2, kInfinity}, 4), Indices{1});
  EXPECT_EQ(argmax_of(std::vector<float>(70, -kInfinity), 70), Indices{0});
}

TEST_F(Argmax, ARowWithANanHasNoneAndSpoilsNoOther) {
  in_every_order([](std::uint64_t) {
    for (const std::size_t place : {0u, 31u, 32u, 255u, 256u, 299u}) {
      std::vector<float> x(600, 1.0f);
      x[17] = kInfinity;
      x[place] = kNan;
      x[450] = 2;
      EXPECT_EQ(argmax_of(x, 300), (Indices{-1, 150})) << place;
    }
  });
}

}  // namespace
}  // namespace quire::test
