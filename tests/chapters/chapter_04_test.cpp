#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "chapters/02_decoder/no_cache.h"
#include "chapters/04_kv_cache/slab.h"
#include "src/core/error.h"
#include "src/model/bill.h"
#include "src/model/generate.h"
#include "src/model/safetensors.h"
#include "src/model/sampler.h"
#include "src/ops/eigen_ops.h"
#include "tests/support/close.h"
#include "tests/support/print_ids.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr SequenceId kSequence{0};

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "04#five-tokens-remembered"};
}

TEST(Slab, BeginsEmptyEachTimeASequenceComesIn) {
  Slab slab(8);
  ASSERT_TRUE(slab.open(kSequence, {}, 8));
  EXPECT_EQ(slab.stored(kSequence), 0) << fact("nothing is stored before the first step");
  ASSERT_TRUE(slab.reserve(kSequence, 3));
  slab.commit(kSequence, 3);
  slab.release(kSequence);
  ASSERT_TRUE(slab.open(SequenceId{1}, {}, 8));
  EXPECT_EQ(slab.stored(SequenceId{1}), 0) << fact("a new sequence does not see an old one's rows");
}

TEST(Slab, TakesOneSequenceAtATimeAndNoneThatCanNeverFit) {
  Slab slab(8);
  ASSERT_TRUE(slab.open(kSequence, {}, 8));
  EXPECT_FALSE(slab.open(SequenceId{1}, {}, 1)) << fact("a slab belongs to one sequence");
  EXPECT_THROW(Slab(4).open(kSequence, {}, 5), Error) << fact("waiting would not help");
}

TEST(Slab, StoresOnlyWhatWasCommitted) {
  Slab slab(8);
  ASSERT_TRUE(slab.open(kSequence, {}, 8));
  ASSERT_TRUE(slab.reserve(kSequence, 5));
  EXPECT_EQ(slab.stored(kSequence), 0) << fact("a row is stored once its step has run, not before");
  slab.commit(kSequence, 5);
  EXPECT_EQ(slab.stored(kSequence), 5) << fact("after the step all its rows are stored");
  EXPECT_THROW(slab.commit(kSequence, 1), Error) << fact("no more is committed than was reserved");
}

TEST(Slab, RefusesRowsBeyondItsEndAndChangesNothing) {
  Slab slab(8);
  ASSERT_TRUE(slab.open(kSequence, {}, 8));
  ASSERT_TRUE(slab.reserve(kSequence, 5));
  slab.commit(kSequence, 5);
  EXPECT_FALSE(slab.reserve(kSequence, 4)) << fact("0 <= stored <= reserved <= capacity");
  EXPECT_EQ(slab.stored(kSequence), 5) << fact("a refused reservation changes nothing");
  EXPECT_TRUE(slab.reserve(kSequence, 3)) << fact("every row of the slab can be used");
  EXPECT_THROW(slab.reserve(kSequence, -1), Error) << fact("0 <= stored <= reserved <= capacity");
}

TEST(Slab, ForgetsRowsFromTheEnd) {
  Slab slab(8);
  ASSERT_TRUE(slab.open(kSequence, {}, 8));
  ASSERT_TRUE(slab.reserve(kSequence, 6));
  slab.commit(kSequence, 6);
  slab.truncate(kSequence, 2);
  EXPECT_EQ(slab.stored(kSequence), 2) << fact("what remains is the beginning");
  EXPECT_THROW(slab.truncate(kSequence, 3), Error) << fact("forgetting does not store rows");
  EXPECT_THROW(slab.commit(kSequence, 1), Error) << fact("forgetting ends a reservation");
  EXPECT_TRUE(slab.reserve(kSequence, 6)) << fact("forgotten rows are room again");
}

TEST(Slab, AgreesWithACounterUnderRandomOperations) {
  TestRandom random;
  for (int run = 0; run < 200; ++run) {
    const int rows = 1 + static_cast<int>(random.below(12));
    Slab slab(rows);
    ASSERT_TRUE(slab.open(kSequence, {}, rows));
    int stored = 0;
    for (int i = 0; i < 30; ++i) {
      const int n = static_cast<int>(random.below(6));
      if (random.below(4) == 0 && n <= stored) {
        slab.truncate(kSequence, stored = n);
      } else if (slab.reserve(kSequence, n)) {
        slab.commit(kSequence, n);
        stored += n;
      } else {
        ASSERT_GT(stored + n, rows) << fact("what fits is not refused");
      }
      ASSERT_EQ(slab.stored(kSequence), stored) << fact("stored counts committed rows");
      ASSERT_LE(slab.stored(kSequence), rows);
    }
  }
}

// Device memory that reads as NaN until somebody writes it.
class PoisonedOps : public EigenOps {
 public:
  Buffer allocate(std::size_t bytes) override {
    Buffer buffer = EigenOps::allocate(bytes);
    std::memset(buffer.tensor(DType::f32, {0}).bytes(), 0xff, bytes);
    return buffer;
  }
};

class Steps : public Observer {
 public:
  void on_step(const StepEvent& step) override { steps.push_back(step); }
  std::vector<StepEvent> steps;
};

// A tiny model that continues a prompt of five tokens by twenty.
class Remembering : public testing::Test {
 protected:
  Remembering()
      : folder_(std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/golden/llama-6-2"),
        config_(load_config(folder_)),
        checkpoint_(SafeTensors::open(folder_ / "model.safetensors")),
        decoder_(config_, load_weights(config_, checkpoint_, ops_), ops_) {}

  template <class Manager>
  Generation run(Steps& steps) {
    Manager manager(kRows);
    KvStorage cache(ops_, kv_shape_of(config_), manager, manager.retains());
    return generate(decoder_, manager, cache, prompt_, {.max_tokens = kTokens, .ignore_eos = true},
                    steps);
  }

  static constexpr int kTokens = 20, kRows = 5 + kTokens - 1;

  std::filesystem::path folder_;
  ModelConfig config_;
  std::shared_ptr<const SafeTensors> checkpoint_;
  PoisonedOps ops_;
  Decoder decoder_;
  std::vector<TokenId> prompt_ = {TokenId{3}, TokenId{14}, TokenId{15}, TokenId{9}, TokenId{26}};
};

TEST_F(Remembering, SaysWhatTheDecoderWithoutACacheSays) {
  Steps naive, cached;
  const Generation expected = run<NoCache>(naive), yours = run<Slab>(cached);
  EXPECT_EQ(yours.tokens, expected.tokens) << fact("a cache saves work and changes no token");
}

TEST_F(Remembering, FeedsEachRowOnce) {
  Steps cached;
  run<Slab>(cached);
  ASSERT_EQ(cached.steps.size(), static_cast<std::size_t>(kTokens));
  int stored = 0;
  for (const StepEvent& step : cached.steps) {
    EXPECT_EQ(step.context, stored) << fact("a step begins where the last one ended");
    EXPECT_EQ(step.rows, stored == 0 ? 5 : 1) << fact("prefill feeds the prompt, decode one token");
    stored += step.rows;
  }
  EXPECT_EQ(stored, kRows) << fact("P prompt and G generated tokens need P + G - 1 rows");
}

TEST_F(Remembering, FeedsEverythingAgainWithoutACache) {
  Steps naive;
  run<NoCache>(naive);
  int known = 5;
  for (const StepEvent& step : naive.steps) {
    EXPECT_EQ(step.context, 0);
    EXPECT_EQ(step.rows, known++);
    EXPECT_EQ(step.kv_bytes, 0u);
  }
}

TEST_F(Remembering, DoesTheWorkThatTheFormulaPredicts) {
  Steps cached;
  run<Slab>(cached);
  for (const StepEvent& done : cached.steps) {
    const Step step{.tokens = std::vector<TokenId>(static_cast<std::size_t>(done.rows)),
                    .spans = {{kSequence, 0, done.rows, done.context}},
                    .logits_rows = {done.rows - 1},
                    .copies = {}};
    const DType stored = checkpoint_->tensor("model.norm.weight").dtype();
    EXPECT_EQ(done.work, bill_of(config_, {.weights = stored, .block_size = kRows}, step))
        << fact("each step costs what its two counters say");
  }
}

TEST_F(Remembering, KeepsTheBytesOfTheFormula) {
  Steps cached;
  run<Slab>(cached);
  const auto row =
      static_cast<std::uint64_t>(2 * config_.layers * config_.kv_heads * config_.head_dim * 4);
  std::uint64_t rows = 0;
  for (const StepEvent& step : cached.steps) {
    rows += static_cast<std::uint64_t>(step.rows);
    EXPECT_EQ(step.kv_bytes, rows * row) << fact("a token keeps 2 * L * H_kv * D * e bytes");
  }
}

TEST_F(Remembering, GivesThePromptsNextTokenOutOfPrefill) {
  Slab slab(kRows);
  KvStorage cache(ops_, kv_shape_of(config_), slab, true);
  ASSERT_TRUE(slab.open(kSequence, prompt_, kRows));
  ASSERT_TRUE(slab.reserve(kSequence, 5));
  Observer silent;
  const TokenId expected =
      argmax(decoder_.forward(close_the_gap(kSequence, prompt_, 0), cache, silent));
  Steps steps;
  EXPECT_EQ(run<Slab>(steps).tokens.front(), expected)
      << fact("the first new token is chosen from prefill's last logits");
}

}  // namespace
}  // namespace quire::test
