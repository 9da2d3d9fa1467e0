// The oracle table: every way to compute the logits of a text must give the same ones.
//
// Each row is one way, the way it is held against, and whether the two are equal bit for bit or
// within a bound. A new way to remember, to batch or to cut is a new row. On the fast operators
// (SimdOps) every row is bit for bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "chapters/08_static_batching/reservation.h"
#include "chapters/08_static_batching/static_batch.h"
#include "src/model/bill.h"
#include "tests/kv/scrambled_blocks.h"
#include "tests/model/rounding_bound.h"
#include "tests/model/test_model.h"
#include "tests/support/close.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using Tokens = std::vector<TokenId>;
// The logits of every position, one row each.
using Logits = std::vector<float>;

constexpr SequenceId kOurs{0}, kNeighbour{1};

// Rows `context` to `context + rows` of a text, all of whose logits are wanted.
Step chunk_of(const Tokens& text, int context, int rows) {
  Step step = close_the_gap(kOurs, Tokens(text.begin(), text.begin() + context + rows), context);
  step.logits_rows.clear();
  for (int row = 0; row < rows; ++row) step.logits_rows.push_back(row);
  return step;
}

void run(TestModel& model, KvCache& cache, const Step& step, Logits& logits) {
  const auto more = model.decoder().forward(step, cache, nobody());
  logits.insert(logits.end(), more.begin(), more.end());
}

// Feeds a text in chunks to a cache that stores them.
Logits in_chunks(TestModel& model, const Tokens& text, int chunk, const TestCache& cache) {
  const int length = static_cast<int>(text.size());
  EXPECT_TRUE(cache.manager->open(kOurs, text, length));
  Logits logits;
  while (cache.manager->stored(kOurs) < length) {
    const int context = cache.manager->stored(kOurs);
    const int rows = std::min(chunk, length - context);
    EXPECT_TRUE(cache.manager->reserve(kOurs, rows));
    run(model, *cache.storage, chunk_of(text, context, rows), logits);
    cache.manager->commit(kOurs, rows);
  }
  cache.manager->release(kOurs);
  return logits;
}

template <int kChunk>
Logits slab_in_chunks(TestModel& model, const Tokens& text) {
  return in_chunks(model, text, kChunk, slab(model, static_cast<int>(text.size())));
}

constexpr int kWhole = 1000;

Logits nothing_remembered(TestModel& model, const Tokens& text) {
  const TestCache cache = no_cache(model, static_cast<int>(text.size()));
  EXPECT_TRUE(cache.manager->open(kOurs, text, 1));
  Logits logits;
  run(model, *cache.storage, chunk_of(text, 0, static_cast<int>(text.size())), logits);
  return logits;
}

Logits each_prefix_again(TestModel& model, const Tokens& text) {
  const TestCache cache = no_cache(model, static_cast<int>(text.size()));
  EXPECT_TRUE(cache.manager->open(kOurs, text, 1));
  Logits logits;
  for (std::size_t known = 1; known <= text.size(); ++known) {
    const Tokens prefix(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(known));
    run(model, *cache.storage, close_the_gap(kOurs, prefix, 0), logits);
  }
  return logits;
}

Logits larger_slab(TestModel& model, const Tokens& text) {
  return in_chunks(model, text, kWhole, slab(model, static_cast<int>(text.size()) + 29));
}

Logits used_slab(TestModel& model, const Tokens& text) {
  const TestCache cache = slab(model, static_cast<int>(text.size()));
  in_chunks(model, Tokens(text.rbegin(), text.rend()), 5, cache);
  return in_chunks(model, text, kWhole, cache);
}

// After each chunk two wrong tokens are stored and taken back, as rejected drafts are.
Logits taking_back(TestModel& model, const Tokens& text) {
  const int length = static_cast<int>(text.size());
  const TestCache cache = slab(model, length + 2);
  EXPECT_TRUE(cache.manager->open(kOurs, text, length + 2));
  Logits logits, ignored;
  for (int context = 0; context < length; context += 3) {
    const int rows = std::min(3, length - context);
    EXPECT_TRUE(cache.manager->reserve(kOurs, rows));
    run(model, *cache.storage, chunk_of(text, context, rows), logits);
    cache.manager->commit(kOurs, rows);
    const Tokens wrong(static_cast<std::size_t>(context + rows + 2), text[0]);
    EXPECT_TRUE(cache.manager->reserve(kOurs, 2));
    run(model, *cache.storage, chunk_of(wrong, context + rows, 2), ignored);
    cache.manager->commit(kOurs, 2);
    cache.manager->truncate(kOurs, context + rows);
  }
  return logits;
}

template <int kChunk>
Logits blocks_in_chunks(TestModel& model, const Tokens& text) {
  const int length = static_cast<int>(text.size());
  const ScrambledBlocks blocks(3, {length});
  KvStorage storage(model.ops(), kv_shape_of(model.config()), blocks, true);
  Logits logits;
  for (int context = 0; context < length; context += kChunk) {
    run(model, storage, chunk_of(text, context, std::min(kChunk, length - context)), logits);
  }
  return logits;
}

// Another sequence's rows come first in the same step.
Logits beside_a_neighbour(TestModel& model, const Tokens& text) {
  const int length = static_cast<int>(text.size());
  const ScrambledBlocks blocks(4, {length, 6});
  KvStorage storage(model.ops(), kv_shape_of(model.config()), blocks, true);
  Step step = chunk_of(text, 0, length);
  step.tokens.insert(step.tokens.begin(), text.rbegin(), text.rbegin() + 6);
  step.spans[0].first_row = 6;
  step.spans.insert(step.spans.begin(),
                    Span{.sequence = kNeighbour, .first_row = 0, .rows = 6, .context = 0});
  for (int& row : step.logits_rows) row += 6;
  Logits logits;
  run(model, storage, step, logits);
  return logits;
}

// What a text and its neighbour are fed in a step of a static batch; the text's rows want logits.
Step batch_step(const StaticBatch& batch, const SlabManager& manager, const Tokens& text,
                std::span<const BatchShare> shares) {
  Step step;
  for (const BatchShare& share : shares) {
    const SequenceId sequence = batch.members()[share.member].sequence;
    const int context = manager.stored(sequence);
    step.spans.push_back({sequence, step.rows(), share.rows, context});
    for (int row = 0; row < share.rows; ++row) {
      if (sequence == kOurs) step.logits_rows.push_back(step.rows());
      step.tokens.push_back(text[static_cast<std::size_t>(context + row)]);
    }
  }
  return step;
}

// The first tokens are a prompt; the others are said to be what the model chose. The neighbour, which
// says the same, has ended after three tokens, and is fed on.
Logits in_a_static_batch(TestModel& model, const Tokens& text) {
  const int length = static_cast<int>(text.size());
  SlabManager manager({.reservation = Reservation::power_of_two,
                       .fit = Fit::buddy,
                       .rows = 2 * 32,
                       .longest = 32,
                       .granularity = 4});
  KvStorage storage(model.ops(), kv_shape_of(model.config()), manager, true);
  StaticBatch batch(manager, {.budget = 5, .max_sequences = 2});
  const Tokens prompt(text.begin(), text.begin() + 7);
  EXPECT_TRUE(batch.add(kNeighbour, std::span(prompt).first(4), 3));
  EXPECT_TRUE(batch.add(kOurs, prompt, length - 7 + 1));
  Logits logits;
  for (auto shares = batch.next(); !shares.empty(); shares = batch.next()) {
    const Step step = batch_step(batch, manager, text, shares);
    run(model, storage, step, logits);
    batch.commit(shares);
    for (const BatchShare& share : shares) {
      if (batch.gives_token(share)) batch.know(share.member);
    }
  }
  return logits;
}

// A mistake: each chunk is taken for the beginning of a text.
Logits positions_begin_again(TestModel& model, const Tokens& text) {
  Logits logits;
  for (std::size_t first = 0; first < text.size(); first += 3) {
    const auto rows = static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, text.size() - first));
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(first);
    const Logits part = nothing_remembered(model, Tokens(begin, begin + rows));
    logits.insert(logits.end(), part.begin(), part.end());
  }
  return logits;
}

enum class Equal { bit_for_bit, within_bound };

struct Way {
  const char* name;
  Logits (*run)(TestModel&, const Tokens&);
  Logits (*against)(TestModel&, const Tokens&);
  Equal equal;
  const char* why;
};

const Way kTable[] = {
    {"TheSameAgain", nothing_remembered, nothing_remembered, Equal::bit_for_bit,
     "nothing depends on what memory held before"},
    {"ASlab", slab_in_chunks<kWhole>, nothing_remembered, Equal::bit_for_bit,
     "the same rows in the same step; only whether they outlive it differs"},
    {"ALargerSlab", larger_slab, slab_in_chunks<kWhole>, Equal::bit_for_bit,
     "rows beyond the sequence are never read"},
    {"ASlabUsedBefore", used_slab, slab_in_chunks<kWhole>, Equal::bit_for_bit,
     "what another sequence left behind is never read"},
    {"Blocks", blocks_in_chunks<kWhole>, slab_in_chunks<kWhole>, Equal::bit_for_bit,
     "only the placement differs, and keys are visited in position order"},
    {"BlocksInChunksOf3", blocks_in_chunks<3>, slab_in_chunks<3>, Equal::bit_for_bit,
     "only the placement differs, and keys are visited in position order"},
    {"RowsTakenBack", taking_back, slab_in_chunks<3>, Equal::bit_for_bit,
     "rows beyond those stored are written before they are read again"},
    {"EachPrefixAgain", each_prefix_again, nothing_remembered, Equal::within_bound,
     "a linear layer may sum in another order for another number of rows"},
    {"ChunksOf1", slab_in_chunks<1>, nothing_remembered, Equal::within_bound,
     "a linear layer may sum in another order for another number of rows"},
    {"ChunksOf3", slab_in_chunks<3>, nothing_remembered, Equal::within_bound,
     "a linear layer may sum in another order for another number of rows"},
    {"InAStaticBatch", in_a_static_batch, nothing_remembered, Equal::within_bound,
     "a linear layer may sum in another order for another number of rows"},
    {"BesideANeighbour", beside_a_neighbour, nothing_remembered, Equal::within_bound,
     "a linear layer may sum in another order for another number of rows"},
};

struct Architecture {
  std::string name;
  int window = 0;
  Backend backend = Backend::eigen;
};

void PrintTo(const Architecture& a, std::ostream* out) {
  *out << a.name << " " << a.window << " " << name_of(a.backend);
}

std::vector<Architecture> architectures() {
  std::vector<Architecture> result;
  for (const Backend backend : {Backend::eigen, Backend::simd}) {
    for (const std::string& name : tiny_models()) result.push_back({name, 0, backend});
    result.push_back({"llama-4-2", 5, backend});
    result.push_back({"builtin", 0, backend});
  }
  // The kernels take their time to be emulated: one model of each family.
  for (const char* name : {"llama-6-2", "mistral-window", "qwen2", "qwen3"}) {
    result.push_back({name, 0, Backend::emulated});
  }
  return result;
}

class OracleTable : public testing::TestWithParam<Architecture> {
 protected:
  // The window of the table, or the model's own.
  static void set_window(ModelConfig& config) {
    if (GetParam().window > 0) config.window = GetParam().window;
  }

  static TestModel model_on(Backend backend, int threads = 1) {
    return TestModel(GetParam().name, set_window, threads, backend);
  }

  // How far two orders of summation may be apart. The fast operators have one order.
  double bound() {
    return GetParam().backend == Backend::simd ? 0 : rounding_bound(model.config());
  }

  TestModel model = model_on(GetParam().backend);

  Tokens random_text() {
    TestRandom random;
    Tokens text(19);
    for (TokenId& token : text) {
      const auto vocabulary = static_cast<std::uint64_t>(model.config().vocabulary);
      token = TokenId{static_cast<std::int32_t>(random.below(vocabulary))};
    }
    return text;
  }

  Values rows(const Logits& logits) {
    return {logits, static_cast<std::size_t>(model.config().vocabulary)};
  }
};

INSTANTIATE_TEST_SUITE_P(Of, OracleTable, testing::ValuesIn(architectures()), [](const auto& info) {
  std::string name = info.param.name;
  if (info.param.window > 0) name += "_window";
  name += std::string("_") + name_of(info.param.backend);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(OracleTable, EveryWayGivesTheSameLogits) {
  const Tokens text = random_text();
  for (const Way& way : kTable) {
    SCOPED_TRACE(way.name);
    const double bound = way.equal == Equal::bit_for_bit ? 0 : this->bound();
    EXPECT_CLOSE(rows(way.run(model, text)), rows(way.against(model, text)), bound,
                 {.invariant = way.why});
  }
}

TEST_P(OracleTable, MoreThreadsGiveTheSameLogits) {
  if (GetParam().backend == Backend::emulated) GTEST_SKIP() << "no threads of the processor";
  const Tokens text = random_text();
  TestModel threaded = model_on(GetParam().backend, 3);
  EXPECT_CLOSE(rows(nothing_remembered(threaded, text)), rows(nothing_remembered(model, text)),
               bound(),
               {.invariant = "a thread's part of a linear layer may sum in another order"});
}

TEST_P(OracleTable, TheOtherOperatorsGiveTheSameLogitsWithinABound) {
  const Tokens text = random_text();
  TestModel other = model_on(GetParam().backend == Backend::simd ? Backend::eigen : Backend::simd);
  EXPECT_CLOSE(rows(nothing_remembered(other, text)), rows(nothing_remembered(model, text)),
               rounding_bound(model.config()), {.invariant = "only the order of sums differs"});
}

TEST_P(OracleTable, PositionsThatBeginAgainAreNoticed) {
  const Tokens text = random_text();
  EXPECT_GT(normalised_error(rows(positions_begin_again(model, text)),
                             rows(nothing_remembered(model, text))),
            100 * rounding_bound(model.config()));
}

TEST_P(OracleTable, AnotherTokenIsNoticedInEveryLaterRow) {
  const Tokens text = random_text();
  Tokens other = text;
  other[2] = TokenId{(to_int(text[2]) + 1) % model.config().vocabulary};
  const Logits a = nothing_remembered(model, text), b = nothing_remembered(model, other);
  const auto vocabulary = static_cast<std::size_t>(model.config().vocabulary);
  // With a window, what a row sees through two layers or more still reaches back this far.
  for (std::size_t row = 0; row < 10; ++row) {
    const auto logits_of = [&](const Logits& all) {
      return std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(row * vocabulary),
                                all.begin() + static_cast<std::ptrdiff_t>((row + 1) * vocabulary));
    };
    const double error = normalised_error(logits_of(a), logits_of(b));
    EXPECT_EQ(error > 0, row >= 2) << "row " << row;
  }
}

}  // namespace
}  // namespace quire::test
