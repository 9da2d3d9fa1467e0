#include <gtest/gtest.h>

#include <numeric>

#include "chapters/04_kv_cache/slab.h"
#include "chapters/09_paged_attention/forks.h"
#include "chapters/09_paged_attention/gathered_storage.h"
#include "src/model/bill.h"
#include "tests/model/test_model.h"
#include "tests/support/close.h"
#include "tests/support/print_ids.h"

// Attention over blocks, and samples that share them.
namespace quire::test {
namespace {

constexpr SequenceId kA{0}, kB{1}, kC{2};

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "09#code-tour"};
}

// Logits of a text that is fed in chunks, each row of which wants them.
template <class Storage>
std::vector<float> logits_of(TestModel& model, const std::vector<TokenId>& text, int block_size,
                             int chunk) {
  const int length = static_cast<int>(text.size());
  BlockManager manager(static_cast<int>(blocks_needed(length, block_size)) + 3, block_size);
  // Blocks are taken and given back first, so that those of the text do not lie in order.
  EXPECT_TRUE(manager.open(kB, {}, 0) && manager.reserve(kB, 2 * block_size));
  EXPECT_TRUE(manager.open(kC, {}, 0) && manager.reserve(kC, block_size));
  manager.release(kC);
  manager.release(kB);
  Storage storage = [&] {
    if constexpr (std::is_same_v<Storage, KvStorage>) {
      return KvStorage(model.ops(), kv_shape_of(model.config()), manager, true);
    } else {
      return GatheredStorage(model.ops(), kv_shape_of(model.config()), manager);
    }
  }();
  EXPECT_TRUE(manager.open(kA, text, length));
  std::vector<float> logits;
  while (manager.stored(kA) < length) {
    const int context = manager.stored(kA), rows = std::min(chunk, length - context);
    Step step = close_the_gap(kA, {text.begin(), text.begin() + context + rows}, context);
    step.logits_rows.resize(static_cast<std::size_t>(rows));
    std::iota(step.logits_rows.begin(), step.logits_rows.end(), 0);
    EXPECT_TRUE(manager.reserve(kA, rows));
    const auto more = model.decoder().forward(step, storage, nobody());
    logits.insert(logits.end(), more.begin(), more.end());
    manager.commit(kA, rows);
  }
  return logits;
}

TEST(PagedAttention, BlocksChangeNoBitOfTheLogits) {
  TestModel model("llama-6-2");
  const auto text = tokens_of({3, 14, 15, 9, 26, 5, 35, 8, 9, 7, 9, 3, 23, 8, 4, 6, 2});
  for (const int chunk : {1, 5, 17}) {
    const std::vector<float> one_block = logits_of<KvStorage>(model, text, 17, chunk);
    for (const int block_size : {1, 3, 16}) {
      EXPECT_EQ(logits_of<KvStorage>(model, text, block_size, chunk), one_block)
          << "block size " << block_size << ", chunks of " << chunk << "\n"
          << fact("keys are visited in position order wherever they lie");
      EXPECT_EQ(logits_of<GatheredStorage>(model, text, block_size, chunk), one_block)
          << fact("a dense copy of the rows holds the same rows");
    }
  }
}

TEST(PagedAttention, GatheringMovesTheStoredRowsThreeTimes) {
  TestModel model("llama-6-2");
  const auto text = tokens_of({3, 14, 15, 9, 26});
  const Counters before = model.ops().counters();
  logits_of<KvStorage>(model, text, 2, 5);
  const Counters direct = model.ops().counters() - before;
  logits_of<GatheredStorage>(model, text, 2, 5);
  const Counters gathered = model.ops().counters() - before - direct;
  const auto rows = 5 * kv_shape_of(model.config()).bytes_per_token();
  const auto extra = gathered.of(Operator::gather_rows).bytes_written -
                     direct.of(Operator::gather_rows).bytes_written;
  EXPECT_EQ(extra, rows) << fact("each stored row is read, written and read again");
}

std::vector<TokenId> alone(TestModel& model, const std::vector<TokenId>& prompt,
                           GenerationOptions options, int sample) {
  options.sampling.sample = sample;
  Slab slab(64);
  KvStorage storage(model.ops(), kv_shape_of(model.config()), slab, true);
  return generate(model.decoder(), slab, storage, prompt, options, nobody()).tokens;
}

TEST(Forks, EachSampleIsTheOneThatItWouldBeAlone) {
  TestModel model("llama-6-2");
  const auto prompt = tokens_of({3, 14, 15, 9, 26});
  GenerationOptions options{.max_tokens = 20};
  options.sampling.temperature = 1;
  options.sampling.seed = 7;
  options.ignore_eos = true;
  for (const int block_size : {1, 3, 4, 16}) {
    BlockManager manager(100, block_size);
    for (const bool gathered : {false, true}) {
      std::unique_ptr<KvCache> storage;
      const KvShape shape = kv_shape_of(model.config());
      if (gathered) {
        storage = std::make_unique<GatheredStorage>(model.ops(), shape, manager);
      } else {
        storage = std::make_unique<KvStorage>(model.ops(), shape, manager, true);
      }
      const Forks forks = generate_forks(model.decoder(), manager, *storage, prompt, 3, options);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(forks.samples[static_cast<std::size_t>(k)].tokens,
                  alone(model, prompt, options, k))
            << "sample " << k << ", block size " << block_size << "\n"
            << fact("what samples share is read by all and written by none");
      }
      EXPECT_NE(forks.samples[0].tokens, forks.samples[1].tokens);
      EXPECT_EQ(manager.pool().free_blocks(), 100) << fact("ended samples hold nothing");
    }
  }
}

TEST(Forks, HoldThePromptOnceAndLessThanABlockMoreThanTheyKnow) {
  TestModel model("llama-6-2");
  const auto prompt = tokens_of({3, 14, 15, 9, 26, 5, 35, 8, 9});
  BlockManager manager(100, 4);
  KvStorage storage(model.ops(), kv_shape_of(model.config()), manager, true);
  const Forks forks = generate_forks(model.decoder(), manager, storage, prompt, 3,
                                     {.max_tokens = 10, .ignore_eos = true});
  ASSERT_EQ(forks.steps.size(), 10u);
  EXPECT_EQ(forks.steps[0].blocks, 3) << fact("a prompt of 9 rows takes 3 blocks of 4, once");
  EXPECT_EQ(forks.steps[1].copies, 2) << fact("one copy for each sample but the last to write");
  EXPECT_EQ(forks.steps[1].blocks, 5) << fact("two full blocks of the prompt stay shared");
  for (const BlockUse& use : forks.steps) {
    const int distinct = use.known - 2 * 8;
    if (use.samples == 3 && use.copies == 0 && &use != &forks.steps[0]) {
      EXPECT_LT(use.blocks * 4 - distinct, 3 * 4) << fact("each sample wastes less than a block");
    }
  }
}

}  // namespace
}  // namespace quire::test
