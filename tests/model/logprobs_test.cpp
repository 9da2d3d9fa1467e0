#include "src/model/logprobs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/errors.h"
#include "tests/support/print_ids.h"

namespace quire::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(LogSumExp, OfEqualLogitsIsTheLogarithmOfTheirNumber) {
  EXPECT_NEAR(log_sum_exp(std::vector<float>(4, 0)), std::log(4), 1e-15);
  EXPECT_NEAR(log_sum_exp(std::vector<float>{-3}), -3, 1e-15);
}

TEST(LogSumExp, DoesNotOverflow) {
  EXPECT_NEAR(log_sum_exp(std::vector<float>{3000, 3000}), 3000 + std::numbers::ln2, 1e-12);
  EXPECT_NEAR(log_sum_exp(std::vector<float>{-3000, -3000}), -3000 + std::numbers::ln2, 1e-12);
}

// Probabilities 1/2, 1/4 and 1/4, up to the rounding of ln 2 to F32.
const std::vector<float> kHalves = {0, static_cast<float>(-std::numbers::ln2),
                                    static_cast<float>(-std::numbers::ln2)};

TEST(NegativeLogLikelihood, IsTheSurpriseInNats) {
  EXPECT_NEAR(negative_log_likelihood(kHalves, TokenId{0}), std::numbers::ln2, 1e-7);
  EXPECT_NEAR(negative_log_likelihood(kHalves, TokenId{2}), 2 * std::numbers::ln2, 1e-7);
}

TEST(NegativeLogLikelihood, OfAnImpossibleTokenIsInfinite) {
  EXPECT_EQ(negative_log_likelihood(std::vector<float>{0, -kInfinity}, TokenId{1}),
            std::numeric_limits<double>::infinity());
}

TEST(NegativeLogLikelihood, RefusesTokensOutsideTheVocabularyAndBrokenLogits) {
  for (const int token : {-1, 3}) {
    expect_error([&] { negative_log_likelihood(kHalves, TokenId{token}); }, {"vocabulary of 3"});
  }
  expect_error([] { negative_log_likelihood(std::vector<float>{std::nanf("")}, TokenId{0}); },
               {"NaN"});
  expect_error([] { negative_log_likelihood(std::vector<float>{}, TokenId{0}); }, {"no logits"});
}

TEST(Logprobs, NameTheChosenTokenAndTheLikeliestInOrder) {
  const std::vector<float> logits = {1, 3, 2, 3};
  const ChoiceLogprobs all = logprobs_of(logits, TokenId{0}, 9);
  EXPECT_EQ(all.chosen.token, TokenId{0});
  ASSERT_EQ(all.top.size(), 4u);
  const int order[] = {1, 3, 2, 0};
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(all.top[i].token, TokenId{order[i]});
    sum += std::exp(all.top[i].logprob);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(all.top[3], all.chosen);
}

TEST(Logprobs, OfNoTopTokensNameTheChosenOneAlone) {
  EXPECT_TRUE(logprobs_of(kHalves, TokenId{1}, 0).top.empty());
  expect_error([] { logprobs_of(kHalves, TokenId{1}, -1); }, {"-1 likeliest"});
}

}  // namespace
}  // namespace quire::test
