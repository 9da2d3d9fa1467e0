#include "src/core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace quire {
namespace {

TEST(Random, GivesThePublishedNumbersOfSplitMix64) {
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
        16408922859458223821u}) {
    EXPECT_EQ(random.bits(), expected);
  }
}

TEST(Random, UniformNumbersFillTheHalfOpenUnitInterval) {
  constexpr int kDraws = 100000, kBins = 10;
  Random random(7);
  std::array<int, kBins> bins{};
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    ++bins[static_cast<std::size_t>(x * kBins)];
  }
  // Six standard deviations of a binomial count.
  const double mean = kDraws / kBins, deviation = std::sqrt(mean * (1 - 1.0 / kBins));
  for (const int n : bins) EXPECT_NEAR(n, mean, 6 * deviation);
}

TEST(Random, NormalNumbersHaveMeanZeroAndDeviationOne) {
  constexpr int kDraws = 100000;
  Random random(8);
  double sum = 0, squares = 0, within_one = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    within_one += std::fabs(x) < 1 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 6 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 6 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(within_one / kDraws, std::erf(std::sqrt(0.5)), 6 * 0.5 / std::sqrt(kDraws));
}

TEST(Random, BelowReachesEveryNumberAndNoOther) {
  Random random(9);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, StreamsOfOneSeedDifferAndAreNoStreamsOfItsNeighbours) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      seen.insert(Random::of(seed, stream).bits());
    }
  }
  EXPECT_EQ(seen.size(), 900u);
  EXPECT_EQ(Random::of(5, 0).bits(), Random(5).bits());
}

TEST(Random, EqualSeedsGiveEqualStreams) {
  Random a(3), b(3), c(4);
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(a.bits(), c.bits());
}

}  // namespace
}  // namespace quire
