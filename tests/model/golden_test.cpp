// What transformers computes with the same weights (tests/golden/make.py).
#include <gtest/gtest.h>

#include <algorithm>

#include "src/core/json.h"
#include "src/model/generate.h"
#include "src/model/safetensors.h"
#include "tests/model/test_model.h"
#include "tests/support/close.h"

namespace quire::test {
namespace {

// Of a row's largest logit; the goldens are F32 too, summed in another order.
constexpr double kBound = 1e-4;

struct GoldenPrompt {
  std::vector<TokenId> ids;
  std::vector<int> positions;   // whose logits are known
  ConstTensor logits;           // [positions, vocabulary]
  std::vector<TokenId> greedy;  // up to a choice so close that rounding may decide it
};

// Of greedy ids those that lead the second by more than two results may differ.
std::vector<TokenId> decided(const Json& prompt) {
  std::vector<TokenId> tokens = tokens_of(prompt.at("greedy"));
  const std::vector<double> margins = prompt.at("margins");
  const auto close_one = std::find_if(margins.begin(), margins.end(),
                                      [](double margin) { return margin < 2 * kBound; });
  tokens.resize(static_cast<std::size_t>(close_one - margins.begin()));
  return tokens;
}

constexpr Backend kBackends[] = {Backend::eigen, Backend::simd, Backend::emulated};

class Golden : public testing::TestWithParam<std::string> {
 protected:
  Golden() {
    const auto folder = std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/golden";
    tensors_ = SafeTensors::open(folder / (GetParam() + ".safetensors"));
    const Json golden = read_json(folder / (GetParam() + ".json"));
    for (const Json& prompt : golden.at("prompts")) {
      const ConstTensor logits = tensors_->tensor("logits." + std::to_string(prompts.size()));
      prompts.push_back({.ids = tokens_of(prompt.at("ids")),
                         .positions = prompt.at("positions"),
                         .logits = logits,
                         .greedy = decided(prompt)});
    }
  }

  // How far the logits of the longest prompt are off after a change.
  double error_with(const TestModel::Change& change) {
    return normalised_error(logits_of(prompts.back(), change), prompts.back().logits);
  }

  // All logits that the golden knows of a prompt, from one step.
  std::vector<float> logits_of(const GoldenPrompt& prompt, const TestModel::Change& change = {},
                               Backend backend = Backend::eigen) {
    TestModel model(GetParam(), change, 1, backend);
    const TestCache cache = no_cache(model, static_cast<int>(prompt.ids.size()));
    EXPECT_TRUE(cache.manager->open(SequenceId{0}, prompt.ids, cache.manager->capacity()));
    Step step = close_the_gap(SequenceId{0}, prompt.ids, 0);
    step.logits_rows = prompt.positions;
    const auto logits = model.decoder().forward(step, *cache.storage, nobody());
    return {logits.begin(), logits.end()};
  }

  // The first of the greedy tokens.
  void expect_text(TestModel& model, const GoldenPrompt& prompt, std::size_t tokens,
                   TestCache (*make_cache)(TestModel&, int)) {
    const GenerationOptions options{.max_tokens = static_cast<int>(tokens), .ignore_eos = true};
    const TestCache cache = make_cache(model, static_cast<int>(prompt.ids.size() + tokens) - 1);
    const Generation text =
        generate(model.decoder(), *cache.manager, *cache.storage, prompt.ids, options, nobody());
    const auto first = prompt.greedy.begin();
    EXPECT_EQ(text.tokens,
              std::vector<TokenId>(first, first + static_cast<std::ptrdiff_t>(tokens)));
  }

  std::vector<GoldenPrompt> prompts;

 private:
  std::shared_ptr<const SafeTensors> tensors_;
};

std::vector<std::string> all_models() {
  std::vector<std::string> names = tiny_models();
  names.push_back("builtin");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Of, Golden, testing::ValuesIn(all_models()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Golden, LogitsAreThoseOfTransformers) {
  for (const GoldenPrompt& prompt : prompts) {
    for (const Backend backend : kBackends) {
      EXPECT_CLOSE(logits_of(prompt, {}, backend), prompt.logits, kBound);
    }
  }
}

TEST_P(Golden, GreedyTextsFromASlabAreThoseOfTransformers) {
  for (const Backend backend : kBackends) {
    TestModel model(GetParam(), nullptr, 1, backend);
    // The kernels take their time to be emulated.
    const std::size_t most = backend != Backend::emulated ? 64 : GetParam() == "builtin" ? 2 : 24;
    for (const GoldenPrompt& prompt : prompts) {
      expect_text(model, prompt, std::min(most, prompt.greedy.size()), slab);
    }
  }
}

TEST_P(Golden, GreedyTextsWithoutACacheAreThoseOfTransformers) {
  TestModel model(GetParam());
  // Each token costs the whole sequence again, which a larger model makes felt.
  const std::size_t most = GetParam() == "builtin" ? 16 : 64;
  for (const GoldenPrompt& prompt : prompts) {
    expect_text(model, prompt, std::min(most, prompt.greedy.size()), no_cache);
  }
}

TEST_P(Golden, ATinyModelsTextsAreDecidedToTheirEnd) {
  for (const GoldenPrompt& prompt : prompts) {
    EXPECT_TRUE(prompt.greedy.size() == 64 || GetParam() == "builtin") << prompt.greedy.size();
  }
}

TEST_P(Golden, AnotherBaseOfTheRotationIsNoticed) {
  EXPECT_GT(error_with([](ModelConfig& config) { config.rope_theta *= 1.5; }), kBound);
}

TEST_P(Golden, AnotherScaleOfTheRotationIsNoticed) {
  EXPECT_GT(error_with([](ModelConfig& config) {
              config.rope_scaling = config.rope_scaling.kind == RopeKind::plain
                                        ? RopeScaling{.kind = RopeKind::linear, .factor = 2}
                                        : RopeScaling{};
            }),
            kBound);
}

TEST_P(Golden, AnotherEpsilonIsNoticed) {
  EXPECT_GT(error_with([](ModelConfig& config) { config.norm_epsilon *= 1000; }), kBound);
}

TEST_P(Golden, AnotherWindowIsNoticed) {
  ASSERT_GT(prompts.back().ids.size(), 7u);
  // One token more, or only one where all are seen.
  EXPECT_GT(error_with([](ModelConfig& config) { config.window += 1; }), kBound);
}

}  // namespace
}  // namespace quire::test
