#include "src/report/ruler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/error.h"
#include "src/core/random.h"

namespace quire {
namespace {

using Ticks = std::vector<double>;

Ticks ticks(Scale scale, const std::vector<double>& values) {
  return make_ruler(scale, values, 5).ticks;
}

TEST(Ruler, LinearTicksStepBy125AndIncludeZero) {
  EXPECT_EQ(ticks(Scale::linear, {17.9}), (Ticks{0, 5, 10, 15, 20}));
  EXPECT_EQ(ticks(Scale::linear, {-3, 9}), (Ticks{-5, 0, 5, 10}));
  EXPECT_EQ(ticks(Scale::linear, {1000}), (Ticks{0, 200, 400, 600, 800, 1000}));
}

TEST(Ruler, LogarithmicTicksAre125UntilThereAreTooMany) {
  EXPECT_EQ(ticks(Scale::log10, {3, 40}), (Ticks{2, 5, 10, 20, 50}));
  EXPECT_EQ(ticks(Scale::log10, {0.02, 30'000}),
            (Ticks{0.01, 0.1, 1, 10, 100, 1000, 10'000, 100'000}));
}

TEST(Ruler, PowersOfTwo) {
  EXPECT_EQ(ticks(Scale::log2, {64, 500}), (Ticks{64, 128, 256, 512}));
  EXPECT_EQ(ticks(Scale::log2, {1, 65'536}).size(), 7u);
}

TEST(Ruler, DegenerateDataStillHasAnAxis) {
  EXPECT_EQ(ticks(Scale::linear, {}), (Ticks{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(Scale::linear, {0, 0}), ticks(Scale::linear, {}));
  EXPECT_EQ(ticks(Scale::log10, {}), (Ticks{1, 2}));
  EXPECT_EQ(ticks(Scale::log10, {5, 5}), (Ticks{5, 10}));
  EXPECT_EQ(ticks(Scale::log2, {8}), (Ticks{8, 16}));
}

TEST(Ruler, MayEndAtTheValues) {
  const std::vector<double> values{32, 512};
  const Ruler ruler = make_ruler(Scale::linear, values, 5, Ends::at_values);
  EXPECT_EQ(ruler.ticks, (Ticks{0, 200, 400}));
  EXPECT_DOUBLE_EQ(ruler.fraction(512), 1);
  const std::vector<double> equal{4, 4};
  EXPECT_EQ(make_ruler(Scale::log2, equal, 5, Ends::at_values).ticks, (Ticks{4, 8}));
}

TEST(Ruler, RefusesWhatHasNoPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ticks(Scale::linear, {1, nan}), Error);
  EXPECT_THROW(ticks(Scale::linear, {std::numeric_limits<double>::infinity()}), Error);
  EXPECT_THROW(ticks(Scale::log10, {0}), Error);
  EXPECT_THROW(ticks(Scale::log2, {-1}), Error);
}

TEST(Ruler, HoldsWhateverItIsGiven) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto scale = static_cast<Scale>(round % 3);
    std::vector<double> values;
    for (int i = 0; i <= round % 4; ++i) values.push_back(std::exp(20 * random.normal()));
    const Ruler ruler = make_ruler(scale, values, 5);
    ASSERT_TRUE(std::is_sorted(ruler.ticks.begin(), ruler.ticks.end())) << "round " << round;
    ASSERT_GE(ruler.ticks.size(), 2u) << "round " << round;
    ASSERT_LE(ruler.ticks.size(), 10u) << "round " << round;
    for (double value : values) {
      ASSERT_GE(ruler.fraction(value), -1e-6) << "round " << round << ", value " << value;
      ASSERT_LE(ruler.fraction(value), 1 + 1e-6) << "round " << round << ", value " << value;
    }
  }
}

TEST(Ruler, FractionsFollowTheScale) {
  EXPECT_DOUBLE_EQ((Ruler{Scale::linear, 0, 10, {}}.fraction(2.5)), 0.25);
  EXPECT_DOUBLE_EQ((Ruler{Scale::log10, 1, 100, {}}.fraction(10)), 0.5);
  EXPECT_DOUBLE_EQ((Ruler{Scale::log2, 1, 16, {}}.fraction(2)), 0.25);
}

}  // namespace
}  // namespace quire
