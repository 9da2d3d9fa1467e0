#include "src/model/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/core/json.h"
#include "tests/model/test_model.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using Windows = std::vector<EvaluationWindow>;

TEST(EvaluationWindows, AShortTextIsOneWindow) {
  EXPECT_EQ(windows_of(2, {.context = 8, .stride = 4}), (Windows{{0, 1, 2}}));
  EXPECT_EQ(windows_of(8, {.context = 8, .stride = 4}), (Windows{{0, 1, 8}}));
}

TEST(EvaluationWindows, ALongTextGoesOnByTheStrideAndEndsWithWhatIsLeft) {
  EXPECT_EQ(windows_of(15, {.context = 8, .stride = 4}),
            (Windows{{0, 1, 8}, {4, 8, 12}, {7, 12, 15}}));
  EXPECT_EQ(windows_of(10, {.context = 8, .stride = 1}),
            (Windows{{0, 1, 8}, {1, 8, 9}, {2, 9, 10}}));
}

TEST(EvaluationWindows, ScoreEveryTokenButTheFirstOnceAndWithTheContextPromised) {
  TestRandom random;
  for (int run = 0; run < 500; ++run) {
    const std::size_t tokens = 2 + random.below(60);
    const int context = 2 + static_cast<int>(random.below(20));
    const int stride = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(context - 1)));
    std::size_t next = 1;
    for (const auto& [begin, scored, end] : windows_of(tokens, {context, stride})) {
      ASSERT_EQ(scored, next);
      ASSERT_LT(begin, scored);
      ASSERT_LT(scored, end);
      ASSERT_LE(end - begin, static_cast<std::size_t>(context));
      ASSERT_TRUE(begin == 0 || scored - begin >= static_cast<std::size_t>(context - stride));
      next = end;
    }
    ASSERT_EQ(next, tokens);
  }
}

TEST(EvaluationOptions, HaveDefaultsAndRanges) {
  ModelConfig config;
  config.max_positions = 100;
  EXPECT_EQ(resolve({}, config).context, 100);
  EXPECT_EQ(resolve({}, config).stride, 50);
  EXPECT_EQ(resolve({.context = 2}, config).stride, 1);
  expect_error([&] { resolve({.context = 101}, config); }, {"101 tokens", "2 to 100"});
  expect_error([&] { resolve({.context = 1}, config); }, {"2 to 100"});
  expect_error([&] { resolve({.context = 8, .stride = 8}, config); }, {"stride is 8", "1 to 7"});
  expect_error([&] { resolve({.context = 8, .stride = -1}, config); }, {"stride is -1"});
}

std::vector<TokenId> some_tokens(int count, int vocabulary) {
  Random random(17);
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) {
    tokens.push_back(
        TokenId{static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(vocabulary)))});
  }
  return tokens;
}

class Evaluate : public testing::Test {
 protected:
  Evaluation run(const std::vector<TokenId>& tokens, const EvaluationOptions& options,
                 bool with_cache = true, const OnScored& on_scored = {}) {
    const TestCache cache = with_cache ? slab(model, 127) : no_cache(model, 127);
    return evaluate(model.decoder(), *cache.manager, *cache.storage, tokens, options, on_scored);
  }

  // -ln p of each token of a text that fits the context, from one step.
  std::vector<double> surprises(const std::vector<TokenId>& tokens) {
    const int rows = static_cast<int>(tokens.size());
    const TestCache cache = no_cache(model, rows);
    EXPECT_TRUE(cache.manager->open(SequenceId{0}, tokens, rows));
    Step step = close_the_gap(SequenceId{0}, tokens, 0);
    step.logits_rows.clear();
    for (int row = 0; row < rows; ++row) step.logits_rows.push_back(row);
    const auto logits = model.decoder().forward(step, *cache.storage, nobody());
    const auto vocabulary = static_cast<std::size_t>(model.config().vocabulary);
    std::vector<double> result;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      double sum = 0;
      const auto row = logits.subspan((i - 1) * vocabulary, vocabulary);
      for (const float logit : row) sum += std::exp(static_cast<double>(logit));
      result.push_back(std::log(sum) - row[static_cast<std::size_t>(to_int(tokens[i]))]);
    }
    return result;
  }

  TestModel model{"llama-4-2"};
};

// Sums of F32 logits in other orders: of nats.
constexpr double kBound = 1e-4;

TEST_F(Evaluate, SumsTheSurpriseOfEveryTokenButTheFirst) {
  const auto tokens = some_tokens(100, 128);
  double expected = 0;
  for (const double nats : surprises(tokens)) expected += nats;
  for (const bool with_cache : {true, false}) {
    const Evaluation result = run(tokens, {}, with_cache);
    EXPECT_EQ(result.scored, 99u);
    EXPECT_EQ(result.windows, 1u);
    EXPECT_NEAR(result.nats, expected, kBound * 99);
    EXPECT_DOUBLE_EQ(result.nats_per_token(), result.nats / 99);
    EXPECT_DOUBLE_EQ(result.perplexity(), std::exp(result.nats / 99));
  }
}

TEST_F(Evaluate, ScoresALongTextWindowByWindow) {
  const auto tokens = some_tokens(300, 128);
  const EvaluationOptions options{.context = 40, .stride = 15};
  double expected = 0;
  for (const auto& [begin, scored, end] : windows_of(300, options)) {
    const auto nats = surprises({tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                 tokens.begin() + static_cast<std::ptrdiff_t>(end)});
    for (std::size_t i = scored; i < end; ++i) expected += nats[i - begin - 1];
  }
  std::uint64_t told = 0;
  const Evaluation result =
      run(tokens, options, true, [&](int scored) { told += static_cast<std::uint64_t>(scored); });
  EXPECT_EQ(result.scored, 299u);
  EXPECT_EQ(told, 299u);
  EXPECT_NEAR(result.nats, expected, kBound * 299);
}

TEST_F(Evaluate, FeedsAllTokensOfAWindowButItsLast) {
  EXPECT_EQ(run(some_tokens(20, 128), {.context = 8, .stride = 4}).fed, 4u * 7);
  EXPECT_EQ(run(some_tokens(2, 128), {}).fed, 1u);
}

TEST_F(Evaluate, RefusesATextOfFewerThanTwoTokens) {
  for (const int count : {0, 1}) {
    expect_error([&] { run(some_tokens(count, 128), {}); }, {"at least 2"});
  }
}

TEST_F(Evaluate, RefusesATokenOutsideTheVocabulary) {
  expect_error([&] { run(tokens_of({1, 128, 3}), {}); }, {"token 128"});
  expect_error([&] { run(tokens_of({1, 3, 128}), {}); }, {"token 128"});
}

// What transformers says of the same windows (tests/golden/evaluate_golden.py).
TEST(EvaluateGolden, TheLossIsThatOfTransformers) {
  const auto file = std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/golden/evaluate.json";
  const Json golden = read_json(file);
  ASSERT_FALSE(golden.at("texts").empty());
  for (const Json& text : golden.at("texts")) {
    const std::string name = text.at("model");
    TestModel model(name);
    const EvaluationOptions options{.context = text.at("context"), .stride = text.at("stride")};
    const TestCache cache = slab(model, options.context - 1);
    const Evaluation result = evaluate(model.decoder(), *cache.manager, *cache.storage,
                                       tokens_of(text.at("ids")), options);
    EXPECT_EQ(result.scored, text.at("scored").get<std::uint64_t>());
    EXPECT_NEAR(result.nats_per_token(), text.at("nats_per_token").get<double>(), 1e-4)
        << name << ", context " << options.context;
  }
}

}  // namespace
}  // namespace quire::test
