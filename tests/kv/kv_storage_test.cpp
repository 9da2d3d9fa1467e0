#include <gtest/gtest.h>

#include <set>

#include "chapters/02_decoder/no_cache.h"
#include "chapters/04_kv_cache/slab.h"
#include "src/kv/kv_cache.h"
#include "src/ops/eigen_ops.h"
#include "tests/kv/scrambled_blocks.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

constexpr KvShape kShape{.layers = 3, .kv_heads = 2, .head_dim = 4, .dtype = DType::bf16};

// A step of some spans, whose tokens do not matter.
Step step_of(std::vector<Span> spans) {
  Step step;
  for (Span& span : spans) {
    span.first_row = step.rows();
    step.tokens.resize(step.tokens.size() + static_cast<std::size_t>(span.rows));
  }
  step.spans = std::move(spans);
  return step;
}

Span span(int sequence, int rows, int context) {
  return {.sequence = SequenceId{sequence}, .first_row = 0, .rows = rows, .context = context};
}

std::vector<Index> slots_of(KvCache& cache, int layer = 0) {
  std::vector<Index> slots;
  for (const Slot slot : cache.slots(layer).of_rows.values<Slot>()) slots.push_back(to_int(slot));
  return slots;
}

TEST(KvShape, ATokenTakesKeysAndValuesInEveryLayer) {
  EXPECT_EQ(kShape.bytes_per_token(), 2u * 3 * 2 * 4 * 2);
  const KvShape llama3{.layers = 32, .kv_heads = 8, .head_dim = 128, .dtype = DType::bf16};
  EXPECT_EQ(llama3.bytes_per_token(), 131072u) << "128 KiB a token";
}

TEST(KvStorage, InASlabAPositionIsItsOwnSlot) {
  EigenOps ops;
  Slab slab(10);
  ASSERT_TRUE(slab.open(SequenceId{0}, {}, 10));
  KvStorage storage(ops, kShape, slab, true);
  const Step step = step_of({span(0, 3, 5)});
  storage.begin(step);
  EXPECT_EQ(slots_of(storage), (std::vector<Index>{5, 6, 7}));
}

TEST(KvStorage, InBlocksEachPositionGoesThroughTheTable) {
  EigenOps ops;
  const ScrambledBlocks blocks(3, {7, 4});
  KvStorage storage(ops, kShape, blocks, true);
  const Step step = step_of({span(0, 5, 2), span(1, 1, 3)});
  storage.begin(step);
  std::vector<Index> expected;
  for (int p = 2; p < 7; ++p) {
    const auto table = blocks.table(SequenceId{0});
    expected.push_back(Index{to_int(table[static_cast<std::size_t>(p / 3)])} * 3 + p % 3);
  }
  expected.push_back(Index{to_int(blocks.table(SequenceId{1})[1])} * 3);
  EXPECT_EQ(slots_of(storage), expected);
}

TEST(KvStorage, EachStepReplacesTheSlotsOfTheLast) {
  EigenOps ops;
  Slab slab(10);
  ASSERT_TRUE(slab.open(SequenceId{0}, {}, 10));
  KvStorage storage(ops, kShape, slab, true);
  for (const int context : {0, 7, 2}) {
    const Step step = step_of({span(0, 3, context)});
    storage.begin(step);
    EXPECT_EQ(slots_of(storage), (std::vector<Index>{context, context + 1, context + 2}));
  }
}

TEST(KvStorage, EveryLayerHasMemoryOfItsOwnIfRowsAreRetained) {
  EigenOps ops;
  Slab slab(10);
  const KvStorage storage_of_slab(ops, kShape, slab, true);
  EXPECT_EQ(storage_of_slab.bytes(), 10 * kShape.bytes_per_token());
  KvStorage storage(ops, kShape, slab, true);
  std::set<const std::byte*> places;
  for (int layer = 0; layer < 3; ++layer) {
    places.insert(storage.slots(layer).k.bytes());
    places.insert(storage.slots(layer).v.bytes());
    EXPECT_EQ(storage.slots(layer).k.shape(), (Shape{10, 2, 4}));
  }
  EXPECT_EQ(places.size(), 6u);
}

TEST(KvStorage, AllLayersShareOnePairIfNothingIsRetained) {
  EigenOps ops;
  const NoCache none(10);
  KvStorage storage(ops, kShape, none, none.retains());
  EXPECT_EQ(storage.bytes(), 10 * kShape.bytes_per_token() / 3);
  EXPECT_EQ(storage.slots(0).k.bytes(), storage.slots(2).k.bytes());
  EXPECT_NE(storage.slots(0).k.bytes(), storage.slots(0).v.bytes());
}

TEST(KvStorage, RowsThatWereNotReservedAreRefused) {
  EigenOps ops;
  Slab slab(4);
  ASSERT_TRUE(slab.open(SequenceId{0}, {}, 4));
  KvStorage storage(ops, kShape, slab, true);
  const Step step = step_of({span(0, 2, 3)});
  expect_error([&] { storage.begin(step); }, {"sequence 0", "2 rows after 3", "not reserved"});
}

// Copies of whole blocks, K and V in every layer, before anything is stored.
TEST(KvStorage, CopiesBlocksInEveryLayerWhenAStepBegins) {
  EigenOps ops;
  const ScrambledBlocks blocks(2, {6});
  KvStorage storage(ops, {.layers = 2, .kv_heads = 1, .head_dim = 3}, blocks, true);
  const auto fill = [&](int layer, float base) {
    for (const Tensor rows : {storage.slots(layer).k, storage.slots(layer).v}) {
      for (float& x : rows.values<float>()) x = base++;
    }
  };
  fill(0, 100);
  fill(1, 200);
  Step step = step_of({span(0, 1, 5)});
  step.copies = {{BlockId{2}, BlockId{0}}, {BlockId{1}, BlockId{2}}, {BlockId{0}, BlockId{1}}};
  storage.begin(step);
  for (int layer = 0; layer < 2; ++layer) {
    float expected = layer == 0 ? 100 : 200;
    for (const Tensor rows : {storage.slots(layer).k, storage.slots(layer).v}) {
      const auto x = rows.values<float>();
      EXPECT_EQ(x[0], expected + 12) << "block 0 became block 2";
      EXPECT_EQ(x[12], expected + 6) << "block 2 became block 1 after it had been copied";
      EXPECT_EQ(x[6], expected + 12) << "block 1 became block 0, which was block 2 by then";
      EXPECT_EQ(x[18], expected + 18) << "block 3 is as it was";
      expected += 24;
    }
  }
}

}  // namespace
}  // namespace quire::test
