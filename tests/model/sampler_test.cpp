#include "src/model/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/model/plain_sampler.h"
#include "tests/support/chi_square.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/print_ids.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> kLogits = {0.5f, -1, 2, 1.5f, -3, 0, 1, -0.5f};
constexpr int kVocabulary = 8;

Observer& nobody() {
  static Observer observer;
  return observer;
}

TokenId choose_once(const SamplingOptions& options, const std::vector<float>& logits) {
  return Sampler(options, static_cast<int>(logits.size())).choose(logits, nobody());
}

std::vector<TokenId> choose_many(Sampler& sampler, int count) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(sampler.choose(kLogits, nobody()));
  return tokens;
}

std::vector<TokenId> choose_many(const SamplingOptions& options, int count) {
  Sampler sampler(options, kVocabulary);
  return choose_many(sampler, count);
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
  for (const double temperature : {0.0, 1.0}) {
    const SamplingOptions options{.temperature = temperature, .top_k = 2, .top_p = 0.5};
    expect_error([&] { choose_once(options, {1, kNaN}); }, {"logit 1", "NaN"});
    expect_error([&] { choose_once(options, {-kInfinity, -kInfinity}); }, {"finite"});
    expect_error([&] { choose_once(options, {1, kInfinity}); }, {"the largest logit is inf"});
  }
}

TEST(Sampler, AnotherNumberOfLogitsIsAnError) {
  Sampler sampler({}, 7);
  expect_error([&] { sampler.choose(kLogits, nobody()); }, {"8 logits", "vocabulary of 7"});
}

TEST(Sampler, AtTemperatureZeroAndNearlyZeroItIsGreedy) {
  for (const double temperature : {0.0, 1e-7}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      EXPECT_EQ(choose_once({.temperature = temperature, .seed = seed}, kLogits), TokenId{2});
    }
  }
}

TEST(Sampler, ATemperatureJustAboveGreedyGivesNoNaN) {
  const SamplingOptions coldest{.temperature = 1e-5};
  EXPECT_EQ(choose_once(coldest, {3e38f, -3e38f, 0}), TokenId{0});
  EXPECT_EQ(choose_once(coldest, kLogits), TokenId{2});
}

TEST(Sampler, SettingsThatKeepOneTokenAreGreedyAtAnyTemperature) {
  const std::vector<float> tied = {1, 4, 0, 4, 4};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(choose_once({.temperature = 5, .top_k = 1, .seed = seed}, tied), TokenId{1});
    EXPECT_EQ(choose_once({.temperature = 5, .top_p = 0, .seed = seed}, tied), TokenId{1});
    EXPECT_EQ(choose_once({.temperature = 5, .min_p = 1, .seed = seed}, kLogits), TokenId{2});
  }
}

TEST(Sampler, FiltersThatAreOffOrWiderThanTheVocabularyChangeNothing) {
  const auto plain = choose_many({.temperature = 1, .seed = 3}, 100);
  for (const int top_k : {-1, 0, kVocabulary, kVocabulary + 5}) {
    const SamplingOptions off{.temperature = 1, .top_k = top_k, .top_p = 1, .min_p = 0, .seed = 3};
    EXPECT_EQ(choose_many(off, 100), plain) << "top-k " << top_k;
  }
}

TEST(Sampler, EqualSeedsChooseEquallyAndOthersDoNot) {
  const auto tokens = choose_many({.temperature = 1, .seed = 7}, 100);
  EXPECT_EQ(choose_many({.temperature = 1, .seed = 7}, 100), tokens);
  EXPECT_NE(choose_many({.temperature = 1, .seed = 8}, 100), tokens);
}

TEST(Sampler, SamplesOfOneSeedCanBeRepeatedAndDiffer) {
  std::set<std::vector<TokenId>> texts;
  for (int sample = 0; sample < 4; ++sample) {
    const SamplingOptions options{.temperature = 1, .seed = 7, .sample = sample};
    const auto text = choose_many(options, 20);
    EXPECT_EQ(choose_many(options, 20), text);
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 4u);
}

TEST(Sampler, TheFirstSampleIsThatOfTheSeedAndTheSecondIsNotThatOfTheNextSeed) {
  EXPECT_EQ(choose_many({.temperature = 1, .seed = 7, .sample = 0}, 50),
            choose_many({.temperature = 1, .seed = 7}, 50));
  EXPECT_NE(choose_many({.temperature = 1, .seed = 7, .sample = 1}, 50),
            choose_many({.temperature = 1, .seed = 8, .sample = 0}, 50));
}

TEST(Sampler, NeighboursConsumeNoneOfItsRandomNumbersWhateverTheirTemperatures) {
  const auto expected = choose_many({.temperature = 1, .seed = 7}, 50);
  Sampler together({.temperature = 1, .seed = 7}, kVocabulary);
  std::vector<Sampler> neighbours;
  for (const double temperature : {0.0, 1e-7, 0.5}) {
    neighbours.emplace_back(SamplingOptions{.temperature = temperature, .seed = 7}, kVocabulary);
  }
  std::vector<TokenId> tokens;
  for (int i = 0; i < 50; ++i) {
    for (Sampler& neighbour : neighbours) neighbour.choose(kLogits, nobody());
    tokens.push_back(together.choose(kLogits, nobody()));
  }
  EXPECT_EQ(tokens, expected);
}

TEST(Sampler, AnImpossibleTokenIsNeverChosen) {
  const std::vector<float> logits = {-kInfinity, 0, -kInfinity, 0, -kInfinity};
  Sampler sampler({.temperature = 2, .repetition_penalty = 1.5, .seed = 3}, 5);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(to_int(sampler.choose(logits, nobody())) % 2, 1) << "a token of weight 0";
  }
}

TEST(Sampler, HugeLogitsDoNotOverflow) {
  EXPECT_EQ(choose_once({.temperature = 1e-3, .seed = 3}, {3e38f, -3e38f, 0}), TokenId{0});
  EXPECT_EQ(choose_once({.temperature = 3e38, .top_k = 1}, {3e38f, -3e38f, 0}), TokenId{0});
}

TEST(Sampler, ABiasForcesATokenAndForbidsAnother) {
  const SamplingOptions forced{.temperature = 1, .logit_bias = {{TokenId{4}, 100}}};
  for (const TokenId token : choose_many(forced, 50)) EXPECT_EQ(token, TokenId{4});
  EXPECT_EQ(choose_once({.logit_bias = {{TokenId{2}, -100}}}, kLogits), TokenId{3});
  EXPECT_EQ(choose_once({.logit_bias = {{TokenId{3}, 0.3}, {TokenId{3}, 0.3}}}, kLogits),
            TokenId{3})
      << "biases of one token add up";
}

// Keeps what the sampler shows.
class Stages : public Observer {
 public:
  void on_candidates(std::string_view operation, std::span<const Candidate> candidates) override {
    names.emplace_back(operation);
    last.assign(candidates.begin(), candidates.end());
  }
  std::vector<std::string> names;
  Candidates last;
};

TEST(Sampler, ShowsTheOperationsThatRunInTheirOrder) {
  const SamplingOptions all{.temperature = 2,
                            .top_k = 5,
                            .top_p = 0.9,
                            .min_p = 0.1,
                            .presence_penalty = 1,
                            .logit_bias = {{TokenId{1}, 1}}};
  Stages stages;
  Sampler(all, kVocabulary).choose(kLogits, stages);
  EXPECT_EQ(stages.names, (std::vector<std::string>{"logits", "logit bias", "penalties",
                                                    "temperature", "min-p", "top-k", "top-p"}));
  Stages greedy;
  Sampler({.top_k = 3}, kVocabulary).choose(kLogits, greedy);
  EXPECT_EQ(greedy.names, (std::vector<std::string>{"logits", "greedy"}));
}

// The sampler's candidates as probabilities of all tokens.
std::vector<double> distribution_of(const Candidates& candidates, std::size_t vocabulary) {
  double total = 0;
  for (const Candidate& candidate : candidates) total += candidate.weight;
  std::vector<double> p(vocabulary, 0);
  for (const Candidate& candidate : candidates) {
    p[static_cast<std::size_t>(to_int(candidate.token))] = candidate.weight / total;
  }
  return p;
}

SamplingOptions random_options(Random& random, int vocabulary) {
  const auto sometimes = [&](double value, double off) {
    return random.below(2) == 0 ? value : off;
  };
  SamplingOptions options;
  options.temperature = 0.2 + 2 * random.uniform();
  options.top_k = static_cast<int>(random.below(static_cast<std::uint64_t>(vocabulary + 3))) - 1;
  options.top_p = sometimes(random.uniform(), 1);
  options.min_p = sometimes(0.3 * random.uniform(), 0);
  options.repetition_penalty = sometimes(0.5 + random.uniform(), 1);
  options.presence_penalty = sometimes(2 - 4 * random.uniform(), 0);
  options.frequency_penalty = sometimes(2 - 4 * random.uniform(), 0);
  for (auto n = random.below(3); n > 0; --n) {
    const auto token = random.below(static_cast<std::uint64_t>(vocabulary));
    options.logit_bias.push_back(
        {TokenId{static_cast<std::int32_t>(token)}, 5 - 10 * random.uniform()});
  }
  return options;
}

TEST(Sampler, HasTheDistributionOfAPlainOneWhateverIsAskedFor) {
  TestRandom random;
  for (int run = 0; run < 300; ++run) {
    const int vocabulary = 1 + static_cast<int>(random.below(40));
    const SamplingOptions options = random_options(random, vocabulary);
    // Halves, so that there are ties.
    std::vector<float> logits;
    for (int i = 0; i < vocabulary; ++i) {
      logits.push_back(static_cast<float>(std::round(4 * random.normal()) / 2));
    }
    const std::vector<TokenId> prompt = {TokenId{0}, argmax(logits)};
    Sampler sampler(options, vocabulary, prompt);
    std::vector<TokenId> generated;
    for (int i = 0; i < 4; ++i) {
      Stages stages;
      const TokenId token = sampler.choose(logits, stages);
      const auto expected = plain_distribution(logits, options, prompt, generated);
      EXPECT_CLOSE(distribution_of(stages.last, logits.size()), expected, 1e-12);
      ASSERT_GT(expected[static_cast<std::size_t>(to_int(token))], 0);
      generated.push_back(token);
    }
  }
}

// Pearson's statistic of 20,000 choices against a distribution. Each is the first of a sample of
// its own, so that penalties count the prompt alone.
double statistic(const SamplingOptions& options, const std::vector<TokenId>& prompt,
                 const std::vector<double>& expected) {
  std::vector<int> counts(expected.size(), 0);
  SamplingOptions one = options;
  for (one.sample = 0; one.sample < 20000; ++one.sample) {
    Sampler sampler(one, kVocabulary, prompt);
    ++counts[static_cast<std::size_t>(to_int(sampler.choose(kLogits, nobody())))];
  }
  return chi_square(counts, expected);
}

class Distribution : public testing::TestWithParam<SamplingOptions> {};

TEST_P(Distribution, TokensComeAsOftenAsTheyShould) {
  const std::vector<TokenId> prompt = {TokenId{2}, TokenId{4}};
  const auto expected = plain_distribution(kLogits, GetParam(), prompt, {});
  EXPECT_LT(statistic(GetParam(), prompt, expected), once_in_a_million(expected));
}

INSTANTIATE_TEST_SUITE_P(
    Sampler, Distribution,
    testing::Values(SamplingOptions{.temperature = 0.7, .seed = 11},
                    SamplingOptions{.temperature = 1.6, .seed = 12},
                    SamplingOptions{.temperature = 1, .top_k = 3, .seed = 13},
                    SamplingOptions{.temperature = 1, .top_p = 0.8, .seed = 14},
                    SamplingOptions{.temperature = 1, .min_p = 0.2, .seed = 15},
                    SamplingOptions{.temperature = 1, .repetition_penalty = 1.7, .seed = 16},
                    SamplingOptions{.temperature = 1, .logit_bias = {{TokenId{4}, 4}}, .seed = 17},
                    SamplingOptions{.temperature = 1.5,
                                    .top_k = 6,
                                    .top_p = 0.9,
                                    .min_p = 0.05,
                                    .repetition_penalty = 1.3,
                                    .seed = 18}));

TEST(Sampler, ChoicesOfOneStreamFollowTheDistribution) {
  const SamplingOptions options{.temperature = 0.7, .seed = 11};
  std::vector<int> counts(kVocabulary, 0);
  for (const TokenId token : choose_many(options, 20000)) {
    ++counts[static_cast<std::size_t>(to_int(token))];
  }
  const auto expected = plain_distribution(kLogits, options, {}, {});
  EXPECT_LT(chi_square(counts, expected), once_in_a_million(expected));
}

TEST(Sampler, ASlightlyDifferentDistributionWouldBeNoticed) {
  const SamplingOptions options{.temperature = 0.7, .seed = 11};
  const auto other = plain_distribution(kLogits, {.temperature = 0.75}, {}, {});
  EXPECT_GT(statistic(options, {}, other), once_in_a_million(other));
}

}  // namespace
}  // namespace quire::test
