// What a step and a choice ask of the allocator. This program counts every call of malloc and its relatives.
#include <gtest/gtest.h>

#include "src/model/sampler.h"
#include "src/simd/simd_ops.h"
#include "tests/model/test_model.h"
#include "tests/support/allocations.h"

namespace quire::test {
namespace {

// How often a decode step of one token allocates, after a prompt and some steps like it.
int allocations_of_a_step(Backend backend, int threads) {
  TestModel model("llama-6-2", nullptr, threads, backend);
  const TestCache cache = slab(model, 80);
  std::vector<TokenId> known = tokens_of({1, 2, 3, 4, 5});
  EXPECT_TRUE(cache.manager->open(SequenceId{0}, known, 80));
  int count = 0;
  while (known.size() < 75) {
    const int stored = cache.manager->stored(SequenceId{0});
    const Step step = close_the_gap(SequenceId{0}, known, stored);
    EXPECT_TRUE(cache.manager->reserve(SequenceId{0}, step.rows()));
    const int before = allocations();
    model.decoder().forward(step, *cache.storage, nobody());
    count = std::max(count, known.size() < 8 ? 0 : allocations() - before);
    cache.manager->commit(SequenceId{0}, step.rows());
    known.push_back(TokenId{7});
  }
  return count;
}

int allocations_of_choices(const SamplingOptions& options) {
  constexpr int kVocabulary = 1000;
  Random random(5);
  std::vector<float> logits;
  for (int i = 0; i < kVocabulary; ++i) logits.push_back(static_cast<float>(random.normal()));
  Sampler sampler(options, kVocabulary);
  const int before = allocations();
  for (int i = 0; i < 50; ++i) sampler.choose(logits, nobody());
  return allocations() - before;
}

class Allocations : public testing::Test {
 protected:
  void SetUp() override {
    if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has an allocator of its own";
  }
};

TEST_F(Allocations, ADecodeStepOnTheFastOperatorsMakesNone) {
  for (const int threads : {1, 3}) EXPECT_EQ(allocations_of_a_step(Backend::simd, threads), 0);
}

TEST_F(Allocations, ThoseOfTheReferenceAreCounted) {
  EXPECT_GT(allocations_of_a_step(Backend::eigen, 1), 0);
}

TEST_F(Allocations, ASamplerMakesNoneWhileItChooses) {
  EXPECT_EQ(allocations_of_choices({}), 0);
  EXPECT_EQ(allocations_of_choices({.temperature = 0.8}), 0);
  EXPECT_EQ(allocations_of_choices({.temperature = 0.8,
                                    .top_k = 40,
                                    .top_p = 0.9,
                                    .min_p = 0.01,
                                    .repetition_penalty = 1.1,
                                    .presence_penalty = 0.1,
                                    .frequency_penalty = 0.1,
                                    .logit_bias = {{TokenId{3}, -1}}}),
            0);
}

}  // namespace
}  // namespace quire::test
