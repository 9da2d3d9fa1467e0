#include "src/model/sampling_options.h"

#include <gtest/gtest.h>

#include <limits>

#include "src/model/sampler.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is said of a request for a vocabulary of 10.
std::string refusal(const SamplingOptions& options) {
  return error_of([&] { check(options, 10); });
}

TEST(SamplingOptions, TheDefaultsAndTheEndsOfEveryRangeAreRight) {
  check({}, 10);
  for (const double end : {0.0, 1.0}) check({.top_p = end, .min_p = end}, 10);
  for (const double end : {-2.0, 2.0})
    check({.presence_penalty = end, .frequency_penalty = end}, 10);
  for (const double end : {0.01, 100.0}) check({.repetition_penalty = end}, 10);
  for (const double end : {-100.0, 100.0}) check({.logit_bias = {{TokenId{9}, end}}}, 10);
  for (const int k : {-1, 0, 1, 10, 15, std::numeric_limits<int>::max()}) check({.top_k = k}, 10);
}

TEST(SamplingOptions, WhatIsOutOfItsRangeIsRefusedByName) {
  for (const double wrong : {-0.1, kNaN, kInfinity}) {
    EXPECT_NE(refusal({.temperature = wrong}).find("temperature"), std::string::npos);
  }
  for (const double wrong : {-0.1, 1.5, kNaN}) {
    EXPECT_NE(refusal({.top_p = wrong}).find("top_p"), std::string::npos);
    EXPECT_NE(refusal({.min_p = wrong}).find("min_p"), std::string::npos);
  }
  for (const double wrong : {-2.1, 2.1, kNaN}) {
    EXPECT_NE(refusal({.presence_penalty = wrong}).find("presence_penalty"), std::string::npos);
    EXPECT_NE(refusal({.frequency_penalty = wrong}).find("frequency_penalty"), std::string::npos);
  }
  for (const double wrong : {-1.0, 0.0, 101.0, kNaN}) {
    EXPECT_NE(refusal({.repetition_penalty = wrong}).find("repetition_penalty"), std::string::npos);
  }
  EXPECT_NE(refusal({.top_k = -2}).find("top_k is -2"), std::string::npos);
  EXPECT_NE(refusal({.sample = -1}).find("sample"), std::string::npos);
}

TEST(SamplingOptions, ABiasNamesATokenOfTheVocabulary) {
  EXPECT_NE(refusal({.logit_bias = {{TokenId{10}, 1}}}).find("token 10"), std::string::npos);
  EXPECT_NE(refusal({.logit_bias = {{TokenId{-1}, 1}}}).find("0 to 9"), std::string::npos);
  EXPECT_NE(refusal({.logit_bias = {{TokenId{1}, 101}}}).find("-100 to 100"), std::string::npos);
  EXPECT_NE(refusal({.logit_bias = {{TokenId{1}, kNaN}}}).find("nan"), std::string::npos);
}

TEST(SamplingOptions, ASamplerRefusesWhatCheckRefuses) {
  expect_error([] { Sampler({.top_p = 1.5}, 10); }, {"top_p is 1.5", "0 to 1"});
}

TEST(SamplingOptions, ARepetitionPenaltyRefusesAPromptOutsideTheVocabulary) {
  const std::vector<TokenId> prompt = {TokenId{3}, TokenId{10}};
  expect_error([&] { Sampler({.repetition_penalty = 2}, 10, prompt); }, {"token 10", "0 to 9"});
}

}  // namespace
}  // namespace quire::test
