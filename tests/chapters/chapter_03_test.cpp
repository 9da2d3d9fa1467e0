#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "chapters/03_sampling/sample.h"
#include "src/core/error.h"
#include "src/model/sampler.h"
#include "src/text/text_stream.h"
#include "tests/support/chi_square.h"
#include "tests/support/close.h"
#include "tests/support/print_ids.h"

namespace quire::test {
namespace {

Fact fact(std::string invariant, std::string section) {
  return {.invariant = std::move(invariant), .section = "03#" + std::move(section)};
}

Observer& nobody() {
  static Observer observer;
  return observer;
}

// Candidates for tokens 0, 1, 2 ... with these logits.
Candidates with_logits(const std::vector<double>& logits) {
  Candidates candidates;
  for (const double logit : logits) {
    candidates.push_back(
        {.token = TokenId{static_cast<std::int32_t>(candidates.size())}, .logit = logit});
  }
  return candidates;
}

// Candidates whose weights are powers of two, so that sums of them are exact.
Candidates with_weights(const std::vector<double>& weights) {
  Candidates candidates;
  for (const double weight : weights) {
    candidates.push_back({.token = TokenId{static_cast<std::int32_t>(candidates.size())},
                          .logit = std::log(weight),
                          .weight = weight});
  }
  return candidates;
}

std::vector<int> ids_of(const Candidates& candidates) {
  std::vector<int> ids;
  for (const Candidate& candidate : candidates) ids.push_back(to_int(candidate.token));
  return ids;
}

std::vector<double> logits_of(const Candidates& candidates) {
  std::vector<double> logits;
  for (const Candidate& candidate : candidates) logits.push_back(candidate.logit);
  return logits;
}

// The logits after the penalties. Token 0 is new, 1 is in the prompt, 2 was generated once, 3 thrice.
std::vector<double> penalised(const std::vector<double>& logits, const SamplingOptions& options) {
  Candidates candidates = with_logits(logits);
  const std::vector<TokenUse> history = {{false, 0}, {true, 0}, {false, 1}, {true, 3}};
  penalize(candidates, options, history);
  return logits_of(candidates);
}

TEST(Penalties, TheRepetitionPenaltyMovesEveryKnownTokenTowardsLess) {
  EXPECT_EQ(penalised({4, 4, 4, 4}, {.repetition_penalty = 2}), (std::vector<double>{4, 2, 2, 2}))
      << fact("a positive logit is divided, once, however often the token came", "penalties");
  EXPECT_EQ(penalised({-2, -2, -2, -2}, {.repetition_penalty = 2}),
            (std::vector<double>{-2, -4, -4, -4}))
      << fact("a negative logit is multiplied: dividing would make the token likelier",
              "penalties");
}

TEST(Penalties, FrequencyCountsAndPresenceDoesNotAndThePromptIsNeither) {
  EXPECT_EQ(penalised({1, 1, 1, 1}, {.frequency_penalty = 0.5}),
            (std::vector<double>{1, 1, 0.5, -0.5}))
      << fact("each generated occurrence costs once the frequency penalty", "penalties");
  EXPECT_EQ(penalised({1, 1, 1, 1}, {.presence_penalty = 0.5}),
            (std::vector<double>{1, 1, 0.5, 0.5}))
      << fact("having been generated at all costs the presence penalty", "penalties");
}

TEST(Penalties, RepetitionComesBeforeFrequency) {
  EXPECT_EQ(penalised({0, 0, 4, 0}, {.repetition_penalty = 2, .frequency_penalty = 1})[2], 1)
      << fact("4 / 2 - 1 is 1; the other way round it would be 1.5", "the-order-matters");
}

TEST(Temperature, DividesLogitsAndMakesWeightsOfThem) {
  Candidates candidates = with_logits({2, 1, -1});
  soften(candidates, 0.5);
  EXPECT_EQ(logits_of(candidates), (std::vector<double>{4, 2, -2}))
      << fact("logits are divided by the temperature", "temperature");
  EXPECT_DOUBLE_EQ(candidates[0].weight, 1) << fact("the likeliest has weight 1", "temperature");
  EXPECT_DOUBLE_EQ(candidates[1].weight, std::exp(-2.0)) << fact(
      "a weight is e to the power of how far its logit is below the largest", "temperature");
}

TEST(Temperature, NothingOverflowsHoweverLargeLogitsAre) {
  Candidates candidates = with_logits({3e38, 0, -3e38});
  soften(candidates, 1e-5);
  EXPECT_EQ(candidates[0].weight, 1)
      << fact("the largest logit is subtracted first", "temperature");
  EXPECT_EQ(candidates[2].weight, 0);
}

TEST(Filters, TopPKeepsTheFewestThatReachItsShare) {
  const auto kept = [](double top_p) {
    Candidates candidates = with_weights({0.25, 1, 0.25, 0.5});  // of 2: 1/8, 1/2, 1/8, 1/4
    keep_top_p(candidates, top_p);
    return ids_of(candidates);
  };
  EXPECT_EQ(kept(0.5), (std::vector<int>{1}))
      << fact("1/2 reaches 1/2; one more would be too many", "top-k-top-p-min-p");
  EXPECT_EQ(kept(0.5001), (std::vector<int>{1, 3}))
      << fact("the candidate that reaches the share is kept too", "top-k-top-p-min-p");
  EXPECT_EQ(kept(0.75), (std::vector<int>{1, 3}));
  EXPECT_EQ(kept(0.8), (std::vector<int>{1, 3, 0}))
      << fact("of equally likely ones the lower id comes first", "top-k-top-p-min-p");
  EXPECT_EQ(kept(0), (std::vector<int>{1}))
      << fact("one candidate is always left", "top-k-top-p-min-p");
  EXPECT_EQ(kept(1).size(), 4u) << fact("a share of 1 keeps all", "top-k-top-p-min-p");
}

TEST(Filters, TopKKeepsExactlyKAndLowerIdsWhereTheyTie) {
  const auto kept = [](int k) {
    Candidates candidates = with_weights({0.25, 1, 0.25, 0.25});
    keep_top_k(candidates, k);
    return ids_of(candidates);
  };
  EXPECT_EQ(kept(1), (std::vector<int>{1}));
  EXPECT_EQ(kept(3), (std::vector<int>{1, 0, 2}))
      << fact("k are left, not more", "top-k-top-p-min-p");
  EXPECT_EQ(kept(9).size(), 4u) << fact("more than there are keeps all", "top-k-top-p-min-p");
}

TEST(Filters, MinPIsMeasuredByTheLikeliest) {
  Candidates candidates = with_weights({0.25, 1, 0.125, 0.5});
  keep_min_p(candidates, 0.25);
  EXPECT_EQ(ids_of(candidates), (std::vector<int>{0, 1, 3}))
      << fact("a quarter of the likeliest's probability is enough for 0.25", "top-k-top-p-min-p");
}

TEST(Draw, ChoosesEachCandidateByItsShare) {
  const Candidates candidates = with_weights({0.25, 1, 0.25, 0.5});
  std::vector<int> counts(4, 0);
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    ++counts[static_cast<std::size_t>(to_int(draw(candidates, random)))];
  }
  const std::vector<double> shares = {0.125, 0.5, 0.125, 0.25};
  EXPECT_LT(chi_square(counts, shares), once_in_a_million(shares))
      << fact("a candidate is drawn with the probability weight / sum of weights", "the-draw");
}

TEST(Draw, TakesOneRandomNumberAndNoImpossibleCandidate) {
  Candidates candidates = with_weights({1, 1, 1});
  candidates[0].weight = candidates[2].weight = 0;
  Random one(5), other(5);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(draw(candidates, one), TokenId{1}) << fact("weight 0 is never drawn", "the-draw");
    other.uniform();
  }
  EXPECT_EQ(one.bits(), other.bits()) << fact("a draw takes exactly one random number", "the-draw");
}

// The tokens that a request may choose, from probabilities 1/2, 1/4, 1/8, 1/8 at temperature 1.
std::set<TokenId> choices(SamplingOptions options) {
  const float half = static_cast<float>(-std::numbers::ln2);
  const std::vector<float> logits = {0, half, 2 * half, 2 * half};
  std::set<TokenId> seen;
  for (options.sample = 0; options.sample < 300; ++options.sample) {
    seen.insert(Sampler(options, 4).choose(logits, nobody()));
  }
  return seen;
}

TEST(Order, TemperatureComesBeforeMinP) {
  EXPECT_EQ(choices({.temperature = 1, .min_p = 0.4}).size(), 2u);
  EXPECT_EQ(choices({.temperature = 2, .min_p = 0.4}).size(), 4u) << fact(
      "at temperature 2 even 1/8 is half as likely as 1/2, and passes", "the-order-matters");
}

TEST(Order, MinPAndTopKComeBeforeTopP) {
  EXPECT_EQ(choices({.temperature = 1, .top_p = 0.6}).size(), 2u);
  EXPECT_EQ(choices({.temperature = 1, .top_p = 0.6, .min_p = 0.5}).size(), 1u)
      << fact("of the 3/4 that min-p left, 1/2 is two thirds", "the-order-matters");
  EXPECT_EQ(choices({.temperature = 1, .top_k = 2, .top_p = 0.6}).size(), 1u)
      << fact("of the 3/4 that top-k left, 1/2 is two thirds", "the-order-matters");
}

TEST(Order, BiasComesBeforePenaltiesAndPenaltiesBeforeTheTemperature) {
  Sampler sampler({.repetition_penalty = 2, .logit_bias = {{TokenId{1}, 5}}}, 2,
                  std::vector<TokenId>{TokenId{1}});
  // (-1 + 5) / 2 is 2; the other way round it would be -1 * 2 + 5 = 3.
  EXPECT_EQ(sampler.choose(std::vector<float>{2.5f, -1}, nobody()), TokenId{0})
      << fact("the bias is added first", "the-order-matters");
  // Presence 2 before temperature 4: the logits 3 and 2 - 2 come to differ by 3/4, not by 9/4.
  SamplingOptions warm{.temperature = 4, .presence_penalty = 2};
  std::vector<int> counts(2, 0);
  for (warm.sample = 0; warm.sample < 20000; ++warm.sample) {
    Sampler one(warm, 2);
    one.choose(std::vector<float>{-1000, 1000}, nobody());  // takes token 1
    ++counts[static_cast<std::size_t>(to_int(one.choose(std::vector<float>{3, 2}, nobody())))];
  }
  const double share = 1 / (1 + std::exp(-0.75));
  const std::vector<double> shares = {share, 1 - share};
  EXPECT_LT(chi_square(counts, shares), once_in_a_million(shares))
      << fact("penalties are in the units of the model's logits", "the-order-matters");
}

TEST(Greedy, PenaltiesCountAndFiltersDoNot) {
  Sampler sampler({.top_k = 5, .presence_penalty = 2}, 2);
  const std::vector<float> logits = {3, 2};
  EXPECT_EQ(sampler.choose(logits, nobody()), TokenId{0});
  EXPECT_EQ(sampler.choose(logits, nobody()), TokenId{1}) << fact(
      "3 - 2 is less than 2: greedy takes the likeliest after the penalties", "the-order-matters");
}

TEST(Seeds, SamplesOfOneRequestDifferAndCanBeRepeated) {
  const std::vector<float> logits = {0, 0, 0, 0};
  const auto text = [&](int sample) {
    Sampler sampler({.temperature = 1, .seed = 9, .sample = sample}, 4);
    std::vector<TokenId> tokens;
    for (int i = 0; i < 20; ++i) tokens.push_back(sampler.choose(logits, nobody()));
    return tokens;
  };
  std::set<std::vector<TokenId>> texts;
  for (int sample = 0; sample < 4; ++sample) {
    EXPECT_EQ(text(sample), text(sample)) << fact("the same request, the same text", "seeds");
    texts.insert(text(sample));
  }
  EXPECT_EQ(texts.size(), 4u) << fact("each sample has a stream of its own", "seeds");
}

TEST(Stopping, NothingOfAStopStringIsEverShown) {
  StopMatcher matcher({"aab"});
  EXPECT_EQ(matcher.push("aa"), "") << fact("a possible beginning is held back", "when-it-stops");
  EXPECT_EQ(matcher.push("a"), "a")
      << fact("what can no longer begin a match is shown", "when-it-stops");
  EXPECT_EQ(matcher.push("b"), "") << fact("the match itself is cut off", "when-it-stops");
  EXPECT_TRUE(matcher.stopped());
  EXPECT_EQ(matcher.finish(), "");
}

// The built-in model, asked for twelve tokens.
class Sampling : public testing::Test {
 protected:
  Sample take(Options options, int explain = -1) {
    options.max_tokens = options.max_tokens.value_or(12);
    streamed.clear();
    return take_sample(model(), prompt, options, explain,
                       [&](const std::string& piece) { streamed += piece; });
  }

  static LoadedModel& model() {
    static LoadedModel loaded =
        load_model(std::filesystem::path(QUIRE_SOURCE_DIR) / "data/model", {.threads = 1});
    return loaded;
  }

  std::vector<TokenId> prompt = model().tokenizer.encode("Once upon a time");
  std::string streamed;
};

TEST_F(Sampling, AStopStringCutsTheTextWhereItBeginsAndNothingOfItIsStreamed) {
  const std::string text = take({}).text;
  ASSERT_GT(text.size(), 12u);
  for (const std::size_t at : {std::size_t{0}, std::size_t{3}, std::size_t{8}}) {
    Options options;
    options.stop = {text.substr(at, 4)};
    const Sample sample = take(options);
    EXPECT_EQ(sample.text, text.substr(0, text.find(options.stop[0])));
    EXPECT_EQ(streamed, sample.text);
    EXPECT_EQ(sample.generation.finish, FinishReason::stop);
  }
}

TEST_F(Sampling, AStopIdAtTheFirstTokenLeavesAnEmptyTextAndReasonStop) {
  Options options;
  options.stop_ids = {take({}).generation.tokens.front()};
  const Sample sample = take(options);
  EXPECT_EQ(sample.text, "");
  EXPECT_EQ(sample.generation.tokens, options.stop_ids);
  EXPECT_EQ(sample.generation.finish, FinishReason::stop);
}

TEST_F(Sampling, AnEndOfSequenceTokenAtOnceLeavesAnEmptyTextAndReasonStop) {
  Options options;
  options.sampling.logit_bias = {{model().config().eos.front(), 100}};
  const Sample sample = take(options);
  EXPECT_EQ(sample.text, "");
  EXPECT_EQ(sample.generation.tokens.size(), 1u);
  EXPECT_EQ(sample.generation.finish, FinishReason::stop);
}

TEST_F(Sampling, KeepsHowATokenWasChosen) {
  Options options;
  options.sampling = {.temperature = 0.8, .top_k = 5, .top_p = 0.9, .seed = 2};
  const Sample sample = take(options, 3);
  const std::vector<Stage>& stages = sample.record.stages();
  ASSERT_EQ(stages.size(), 4u);
  EXPECT_EQ(stages[0].operation, "logits");
  EXPECT_EQ(stages[3].operation, "top-p");
  EXPECT_EQ(stages[2].left, 5u);
  for (const Stage& stage : stages) {
    double sum = 0;
    for (const double probability : stage.probability) sum += probability;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  const auto chosen = static_cast<std::size_t>(to_int(sample.record.chosen()));
  EXPECT_GT(stages[3].probability[chosen], 0);
  EXPECT_EQ(sample.record.chosen(), sample.generation.tokens[3]);
}

TEST_F(Sampling, ATextThatEndsBeforeTheTokenHasNoStages) {
  EXPECT_TRUE(take({}, 12).record.stages().empty());
}

}  // namespace
}  // namespace quire::test
