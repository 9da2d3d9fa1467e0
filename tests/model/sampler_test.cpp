#include "src/model/sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/support/errors.h"

namespace quire::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> kLogits = {0.5f, -1, 2, 1.5f, -3, 0, 1, -0.5f};

std::vector<TokenId> choose_many(Sampler& sampler, int count) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(sampler.choose(kLogits));
  return tokens;
}

TEST(Argmax, IsTheLargestAndOfEqualOnesTheFirst) {
  EXPECT_EQ(argmax(kLogits), TokenId{2});
  EXPECT_EQ(argmax(std::vector<float>{1, 3, 3, 3}), TokenId{1});
  EXPECT_EQ(argmax(std::vector<float>{-5}), TokenId{0});
  EXPECT_EQ(argmax(std::vector<float>{-kInfinity, -5, -kInfinity}), TokenId{1});
}

TEST(Argmax, BrokenLogitsAreErrors) {
  for (const std::vector<float>& broken :
       {std::vector<float>{kNaN, 1, 2}, {1, 2, kNaN}, {1, kNaN, 2}}) {
    expect_error([&] { argmax(broken); }, {"NaN"});
  }
  expect_error([] { argmax(std::vector<float>(5, -kInfinity)); }, {"the largest logit is -inf"});
  expect_error([] { argmax(std::vector<float>{}); }, {"no logits"});
}

TEST(Sampler, BrokenLogitsAreErrorsAtEveryTemperature) {
  for (const float temperature : {0.0f, 1.0f}) {
    Sampler sampler(temperature, 1);
    expect_error([&] { sampler.choose(std::vector<float>{1, kNaN}); }, {"logit 1", "NaN"});
    expect_error([&] { sampler.choose(std::vector<float>{-kInfinity}); }, {"finite"});
  }
}

TEST(Sampler, AtTemperatureZeroAndNearlyZeroItIsGreedy) {
  for (const float temperature : {0.0f, 1e-7f}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      EXPECT_EQ(Sampler(temperature, seed).choose(kLogits), TokenId{2});
    }
  }
}

TEST(Sampler, ImpossibleTemperaturesAreRefused) {
  for (const float temperature : {-0.1f, kNaN, kInfinity}) {
    expect_error([&] { Sampler(temperature, 1); }, {"temperature", "finite number from 0"});
  }
}

TEST(Sampler, EqualSeedsChooseEquallyAndOthersDoNot) {
  Sampler a(1, 7), b(1, 7), c(1, 8);
  const auto tokens = choose_many(a, 100);
  EXPECT_EQ(choose_many(b, 100), tokens);
  EXPECT_NE(choose_many(c, 100), tokens);
}

TEST(Sampler, ANeighbourConsumesNoneOfItsRandomNumbers) {
  Sampler alone(1, 7), together(1, 7), neighbour(0.5f, 7);
  const auto expected = choose_many(alone, 50);
  std::vector<TokenId> tokens;
  for (int i = 0; i < 50; ++i) {
    neighbour.choose(kLogits);
    tokens.push_back(together.choose(kLogits));
  }
  EXPECT_EQ(tokens, expected);
}

TEST(Sampler, AnImpossibleTokenIsNeverChosen) {
  const std::vector<float> logits = {-kInfinity, 0, -kInfinity, 0, -kInfinity};
  Sampler sampler(2, 3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(to_int(sampler.choose(logits)) % 2, 1) << "a token of weight 0";
  }
}

TEST(Sampler, HugeLogitsDoNotOverflow) {
  Sampler sampler(1e-3f, 3);
  EXPECT_EQ(sampler.choose(std::vector<float>{3e38f, -3e38f, 0}), TokenId{0});
}

// Pearson's statistic of 20,000 choices at 0.7 against the distribution at some temperature.
double chi_square_against(double temperature) {
  constexpr int kDraws = 20000;
  Sampler sampler(0.7f, 11);
  std::array<int, 8> counts{};
  for (int i = 0; i < kDraws; ++i)
    ++counts[static_cast<std::size_t>(to_int(sampler.choose(kLogits)))];
  double total = 0, statistic = 0;
  for (const float logit : kLogits) total += std::exp(logit / temperature);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = kDraws * std::exp(kLogits[i] / temperature) / total;
    statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return statistic;
}

// Chi-square with 7 degrees of freedom is above this once in a million.
constexpr double kOnceInAMillion = 40.5;

TEST(Sampler, TokensComeAsOftenAsTheSoftmaxOfTheirLogits) {
  EXPECT_LT(chi_square_against(0.7f), kOnceInAMillion);
}

TEST(Sampler, ASlightlyDifferentTemperatureWouldBeNoticed) {
  EXPECT_GT(chi_square_against(0.75), kOnceInAMillion);
}

}  // namespace
}  // namespace quire::test
