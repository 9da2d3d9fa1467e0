#include "src/model/generate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/model/bill.h"
#include "tests/model/test_model.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

ModelConfig with_context(int positions) {
  ModelConfig config;
  config.max_positions = positions;
  return config;
}

TEST(TokenLimit, IsWhatWasAskedForIfItFits) {
  EXPECT_EQ(token_limit(with_context(100), 10, 1), 1);
  EXPECT_EQ(token_limit(with_context(100), 10, 90), 90);
}

TEST(TokenLimit, IsTheRestOfTheContextOtherwise) {
  EXPECT_EQ(token_limit(with_context(100), 10, 91), 90);
  EXPECT_EQ(token_limit(with_context(100), 10, std::nullopt), 90);
  EXPECT_EQ(token_limit(with_context(100), 99, std::nullopt), 1);
}

TEST(TokenLimit, AskingForNothingIsAnError) {
  expect_error([] { token_limit(with_context(100), 10, 0); }, {"max_tokens is 0", "at least 1"});
  expect_error([] { token_limit(with_context(100), 10, -1); }, {"max_tokens is -1"});
}

TEST(TokenLimit, APromptMustLeaveRoomForOneToken) {
  expect_error([] { token_limit(with_context(100), 100, 1); }, {"100 tokens", "at most 99"});
  expect_error([] { token_limit(with_context(100), 101, 1); }, {"101 tokens", "at most 99"});
}

TEST(TokenLimit, AnEmptyPromptIsAnError) {
  expect_error([] { token_limit(with_context(100), 0, 5); }, {"prompt is empty"});
}

// Keeps every event.
class Recorder : public Observer {
 public:
  void on_step(const StepEvent& step) override { steps.push_back(step); }
  void on_token(const TokenEvent& token) override { tokens.push_back(token); }

  std::vector<StepEvent> steps;
  std::vector<TokenEvent> tokens;
};

const std::vector<TokenId> kPrompt = tokens_of({17, 30, 9, 44, 12});

class Generate : public testing::Test {
 protected:
  Generation run(const GenerationOptions& options, const std::vector<TokenId>& prompt = kPrompt) {
    return generate(model.decoder(), *cache.manager, *cache.storage, prompt, options, recorder);
  }

  // What the model says after kPrompt.
  std::vector<TokenId> greedy(int count) {
    return run({.max_tokens = count, .ignore_eos = true}).tokens;
  }

  // The same model with other ends of a text.
  Generation run_with_eos(std::vector<TokenId> eos, bool ignore_eos = false) {
    TestModel other("llama-4-2", [&](ModelConfig& config) { config.eos = eos; });
    const TestCache other_cache = slab(other, 30);
    return generate(other.decoder(), *other_cache.manager, *other_cache.storage, kPrompt,
                    {.max_tokens = 8, .ignore_eos = ignore_eos}, recorder);
  }

  // A request that ends at some tokens.
  static GenerationOptions until(std::vector<TokenId> stop_ids, int max_tokens) {
    GenerationOptions options{.max_tokens = max_tokens, .ignore_eos = true};
    options.stop_ids = std::move(stop_ids);
    return options;
  }

  bool is_free() {
    const bool opened = cache.manager->open(SequenceId{0}, kPrompt, 1);
    if (opened) cache.manager->release(SequenceId{0});
    return opened;
  }

  TestModel model{"llama-4-2"};
  TestCache cache = slab(model, 127);
  Recorder recorder;
};

TEST_F(Generate, GivesExactlyAsManyTokensAsAskedFor) {
  for (const int count : {1, 2, 9}) {
    const Generation result = run({.max_tokens = count, .ignore_eos = true});
    EXPECT_EQ(result.tokens.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(result.finish, FinishReason::length);
    EXPECT_EQ(result.prompt, kPrompt);
  }
}

TEST_F(Generate, WithoutALimitFillsTheContext) {
  const Generation result = run({.max_tokens = std::nullopt, .ignore_eos = true});
  EXPECT_EQ(kPrompt.size() + result.tokens.size(), 128u);
  EXPECT_EQ(result.finish, FinishReason::length);
}

TEST_F(Generate, APromptOneShortOfTheContextGetsOneToken) {
  const Generation result =
      run({.max_tokens = std::nullopt, .ignore_eos = true}, std::vector<TokenId>(127, TokenId{9}));
  EXPECT_EQ(result.tokens.size(), 1u);
  EXPECT_EQ(result.finish, FinishReason::length);
}

TEST_F(Generate, APromptAsLongAsTheContextIsRefused) {
  const std::vector<TokenId> full(128, TokenId{9});
  expect_error([&] { run({}, full); }, {"128 tokens", "at most 127"});
  expect_error([&] { run({}, {}); }, {"prompt is empty"});
}

TEST_F(Generate, AfterARefusedRequestTheNextOneWorks) {
  expect_error([&] { run({}, {}); }, {"prompt is empty"});
  expect_error([&] { run({.max_tokens = 0}); }, {"max_tokens is 0"});
  expect_error([&] { run({.max_tokens = 1, .sampling = {.top_p = 1.5}}); }, {"top_p is 1.5"});
  EXPECT_EQ(greedy(3).size(), 3u);
}

TEST_F(Generate, NeedsOneRowLessThanThereAreTokens) {
  const TestCache exact = slab(model, 5 + 4 - 1), small = slab(model, 5 + 4 - 2);
  const GenerationOptions four{.max_tokens = 4, .ignore_eos = true};
  EXPECT_EQ(generate(model.decoder(), *exact.manager, *exact.storage, kPrompt, four, recorder)
                .tokens.size(),
            4u);
  expect_error(
      [&] { generate(model.decoder(), *small.manager, *small.storage, kPrompt, four, recorder); },
      {"8 rows", "7"});
}

TEST_F(Generate, AnyEndOfSequenceTokenStopsItAndIsTheLast) {
  const std::vector<TokenId> text = greedy(8);
  for (const std::size_t last : {0u, 3u}) {
    const auto first = std::find(text.begin(), text.end(), text[last]);
    const Generation result = run_with_eos({TokenId{127}, text[last]});
    EXPECT_EQ(result.tokens, std::vector<TokenId>(text.begin(), first + 1));
    EXPECT_EQ(result.finish, FinishReason::stop);
  }
}

TEST_F(Generate, EndOfSequenceTokensCanBeIgnored) {
  const std::vector<TokenId> text = greedy(8);
  const Generation result = run_with_eos({text[0], text[3]}, true);
  EXPECT_EQ(result.tokens, text);
  EXPECT_EQ(result.finish, FinishReason::length);
}

TEST_F(Generate, WithoutEndOfSequenceTokensOnlyTheLimitEndsIt) {
  EXPECT_EQ(run_with_eos({}).tokens, greedy(8));
}

TEST_F(Generate, AStopIdOfTheRequestEndsItLikeAnEndOfSequenceToken) {
  const std::vector<TokenId> text = greedy(8);
  const auto first = std::find(text.begin(), text.end(), text[3]);
  const Generation result = run(until({TokenId{127}, text[3]}, 8));
  EXPECT_EQ(result.tokens, std::vector<TokenId>(text.begin(), first + 1));
  EXPECT_EQ(result.finish, FinishReason::stop);
}

TEST_F(Generate, OnlyATokenThatIsNoPartOfTheTextIsMarkedAsItsEnd) {
  const TokenId first = greedy(1).front();
  recorder.tokens.clear();
  run(until({first}, 8));
  ASSERT_EQ(recorder.tokens.size(), 1u);
  EXPECT_TRUE(recorder.tokens[0].ends);
  greedy(3);
  for (std::size_t i = 1; i < recorder.tokens.size(); ++i) EXPECT_FALSE(recorder.tokens[i].ends);
}

TEST_F(Generate, WhoeverReadsAlongMayEndItAfterTheObserverHasSeenTheToken) {
  const std::vector<TokenId> text = greedy(5);
  recorder.tokens.clear();
  const auto three_are_seen = [&] { return recorder.tokens.size() == 3; };
  const Generation result = run({.max_tokens = 5, .ignore_eos = true, .stop_when = three_are_seen});
  EXPECT_EQ(result.tokens, std::vector<TokenId>(text.begin(), text.begin() + 3));
  EXPECT_EQ(result.finish, FinishReason::stop);
  EXPECT_TRUE(is_free());
}

TEST_F(Generate, AStopAtTheLastTokenIsAStop) {
  const std::vector<TokenId> text = greedy(2);
  EXPECT_EQ(run(until({text.back()}, 2)).finish, FinishReason::stop);
}

TEST_F(Generate, KeepsLogprobsOfEachChoiceIfAskedTo) {
  EXPECT_TRUE(run({.max_tokens = 3, .ignore_eos = true}).logprobs.empty());
  const Generation result = run({.max_tokens = 3, .ignore_eos = true, .logprobs = 2});
  ASSERT_EQ(result.logprobs.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const ChoiceLogprobs& choice = result.logprobs[i];
    EXPECT_EQ(choice.chosen.token, result.tokens[i]);
    ASSERT_EQ(choice.top.size(), 2u);
    EXPECT_EQ(choice.top[0], choice.chosen) << "greedy takes the likeliest";
    EXPECT_LE(choice.top[1].logprob, choice.top[0].logprob);
  }
}

TEST_F(Generate, LogprobsAreThoseOfTheModelWhateverTheOptions) {
  const auto first_of = [&](const SamplingOptions& sampling) {
    return run({.max_tokens = 1, .sampling = sampling, .ignore_eos = true, .logprobs = 5})
        .logprobs.front()
        .top;
  };
  const auto plain = first_of({});
  EXPECT_EQ(first_of({.temperature = 3,
                      .top_k = 1,
                      .repetition_penalty = 5,
                      .logit_bias = {{plain[0].token, -100}}}),
            plain);
}

TEST_F(Generate, ThePromptCountsForTheRepetitionPenalty) {
  std::vector<TokenId> prompt;
  for (int id = 20; id < 120; ++id) prompt.push_back(TokenId{id});
  const auto repeats = [&](double penalty) {
    const SamplingOptions sampling{.repetition_penalty = penalty};
    const GenerationOptions one{.max_tokens = 1, .sampling = sampling, .ignore_eos = true};
    return std::count(prompt.begin(), prompt.end(), run(one, prompt).tokens.front()) > 0;
  };
  EXPECT_TRUE(repeats(1));
  EXPECT_FALSE(repeats(100));
}

TEST_F(Generate, EqualSeedsGiveEqualTextsAndOthersDoNot) {
  const auto with_seed = [&](std::uint64_t seed) {
    return run({.max_tokens = 20, .sampling = {.temperature = 1, .seed = seed}, .ignore_eos = true})
        .tokens;
  };
  EXPECT_EQ(with_seed(5), with_seed(5));
  EXPECT_NE(with_seed(5), with_seed(6));
}

TEST_F(Generate, AnErrorInAStepReleasesTheSequence) {
  expect_error(
      [&] {
        run({.max_tokens = 3}, tokens_of({1, 128}));
      },
      {"token 128", "vocabulary of 128"});
  EXPECT_TRUE(is_free());
  EXPECT_EQ(greedy(3).size(), 3u) << "the next request works";
}

TEST_F(Generate, ASequenceThatEndsIsReleased) {
  greedy(3);
  EXPECT_TRUE(is_free());
}

TEST_F(Generate, ACacheThatIsTakenIsAnErrorAndStaysTaken) {
  ASSERT_TRUE(cache.manager->open(SequenceId{7}, {}, 5));
  expect_error([&] { greedy(3); }, {"no room"});
  EXPECT_EQ(cache.manager->stored(SequenceId{7}), 0);
}

TEST_F(Generate, FromACacheFeedsThePromptOnceThenATokenAStep) {
  greedy(4);
  ASSERT_EQ(recorder.steps.size(), 4u);
  const std::uint64_t row = kv_shape_of(model.config()).bytes_per_token();
  for (int i = 0; i < 4; ++i) {
    const StepEvent& step = recorder.steps[static_cast<std::size_t>(i)];
    EXPECT_EQ(step.index, i);
    EXPECT_EQ(step.context, i == 0 ? 0 : 4 + i);
    EXPECT_EQ(step.rows, i == 0 ? 5 : 1);
    EXPECT_EQ(step.kv_bytes, static_cast<std::uint64_t>(5 + i) * row);
  }
}

TEST_F(Generate, WithoutACacheFeedsEverythingAgain) {
  const std::vector<TokenId> text = greedy(4);
  recorder.steps.clear();
  const TestCache none = no_cache(model, 8);
  const GenerationOptions four{.max_tokens = 4, .ignore_eos = true};
  EXPECT_EQ(generate(model.decoder(), *none.manager, *none.storage, kPrompt, four, recorder).tokens,
            text);
  ASSERT_EQ(recorder.steps.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const StepEvent& step = recorder.steps[static_cast<std::size_t>(i)];
    EXPECT_EQ(step.context, 0);
    EXPECT_EQ(step.rows, 5 + i);
    EXPECT_EQ(step.kv_bytes, 0u);
  }
}

TEST_F(Generate, EachStepReportsTheWorkOfThatStep) {
  const Counters before = model.decoder().counters();
  greedy(3);
  Counters sum;
  for (const StepEvent& step : recorder.steps) {
    for (std::size_t i = 0; i < kOperators; ++i) {
      const auto op = static_cast<Operator>(i);
      sum.add(op, step.work.of(op));
    }
  }
  EXPECT_EQ(sum, model.decoder().counters() - before);
  EXPECT_GT(recorder.steps[0].work.total().flops, recorder.steps[1].work.total().flops);
}

TEST_F(Generate, EachTokenIsReportedAsItComes) {
  const std::vector<TokenId> text = greedy(4);
  ASSERT_EQ(recorder.tokens.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(recorder.tokens[i].index, static_cast<int>(i));
    EXPECT_EQ(recorder.tokens[i].token, text[i]);
  }
}

TEST(FinishReason, HasTheNamesOfTheField) {
  EXPECT_EQ(name_of(FinishReason::stop), "stop");
  EXPECT_EQ(name_of(FinishReason::length), "length");
}

}  // namespace
}  // namespace quire::test
