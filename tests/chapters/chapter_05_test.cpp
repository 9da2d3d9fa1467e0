#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "chapters/05_memory_and_roofline/arithmetic.h"
#include "chapters/05_memory_and_roofline/exact.h"
#include "src/core/error.h"
#include "src/model/bill.h"
#include "tests/support/close.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using u64 = std::uint64_t;

Fact fact(std::string invariant, std::string heading) {
  return {.invariant = std::move(invariant), .section = "05#" + std::move(heading)};
}

Fact weights_fact(std::string invariant) {
  return fact(std::move(invariant), "three-kinds-of-bytes");
}

Fact memory_fact(std::string invariant) {
  return fact(std::move(invariant), "keys-and-values");
}

Fact limit_fact(std::string invariant) {
  return fact(std::move(invariant), "two-clocks");
}

NumberFormat format(u64 bits, u64 group = 0) {
  return {.name = "", .bits = bits, .group = group};
}

Formats formats(u64 weight_bits, u64 kv_bits) {
  const NumberFormat weights = format(weight_bits);
  return {.matrices = weights, .tables = weights, .vectors = weights, .kv = format(kv_bits)};
}

// --- Weights ----------------------------------------------------------------------------------

TEST(Parameters, AreThePublishedOnes) {
  const std::map<std::string, u64> published = {{"gpt2", 124'439'808},
                                                {"llama-7b", 6'738'415'616},
                                                {"llama-2-7b", 6'738'415'616},
                                                {"llama-3-8b", 8'030'261'248},
                                                {"llama-3.1-70b", 70'553'706'496},
                                                {"qwen2.5-7b", 7'615'616'512},
                                                {"qwen3-8b", 8'190'735'360},
                                                {"mistral-7b", 7'241'732'096},
                                                {"smollm2-135m", 134'515'008}};
  ASSERT_EQ(all_shapes().size(), published.size());
  for (const ModelShape& shape : all_shapes()) {
    EXPECT_EQ(parameters_of(shape).total(), published.at(shape.name))
        << shape.name << "\n"
        << weights_fact("every matrix, table, bias and norm counts once");
  }
}

TEST(Parameters, AreThoseOfTheModelsWhereQuireRunsThem) {
  for (const ModelShape& shape : all_shapes()) {
    if (shape.block != Block::llama) continue;
    EXPECT_EQ(parameters_of(shape).total(), parameter_count(shape.config)) << shape.name;
  }
}

TEST(Parameters, OfGpt2AreTwoMatricesPositionsAndBiases) {
  const WeightParts parts = parameters_of(shape_named("shape", "gpt2"));
  EXPECT_EQ(parts.embedding, 50257u * 768u);
  EXPECT_EQ(parts.positions, 1024u * 768u) << weights_fact("GPT-2 learns a vector a position");
  EXPECT_EQ(parts.attention, 12u * 4u * 768u * 768u);
  EXPECT_EQ(parts.ffn, 12u * 2u * 768u * 3072u) << weights_fact("GPT-2's FFN has two matrices");
  EXPECT_EQ(parts.biases, 12u * (3u * 768u + 768u + 3072u + 768u));
  EXPECT_EQ(parts.norms, 25u * 2u * 768u) << weights_fact("LayerNorm scales and shifts");
  EXPECT_EQ(parts.head, 0u) << weights_fact("a tied embedding is kept once");
}

TEST(Weights, TakeTheirBitsAndAScaleForEveryGroupOfARow) {
  ModelShape shape = shape_named("shape", "smollm2-135m");
  const WeightParts parts = parameters_of(shape);
  EXPECT_EQ(weight_bytes_of(shape, formats(16, 16)).total(), 2 * parts.total());
  EXPECT_EQ(weight_bytes_of(shape, formats(32, 16)).total(), 4 * parts.total());
  Formats quantised = formats(16, 16);
  quantised.matrices = format(4, 64);
  const WeightParts bytes = weight_bytes_of(shape, quantised);
  // 576 and 1,536 inputs are 9 and 24 groups.
  EXPECT_EQ(bytes.ffn, parts.ffn / 2 + parts.ffn / 64 * 2)
      << weights_fact("64 numbers of 4 bits share 16 bits of scale");
  EXPECT_EQ(bytes.embedding, 2 * parts.embedding)
      << weights_fact("quantising matrices leaves tables alone");
}

TEST(Formats, ARowBeginsOnAByteAndItsLastGroupMayBeSmaller) {
  EXPECT_EQ(format(4).row_bytes(5), 3u);
  EXPECT_EQ(format(4, 4).row_bytes(5), 3u + 2u * 2u);
  EXPECT_EQ(format(8, 128).row_bytes(128), 130u);
  EXPECT_EQ(format(16).row_bytes(7), 14u);
}

// --- Keys and values --------------------------------------------------------------------------

TEST(KeysAndValues, TakeWhatTheCacheOfTheEngineTakes) {
  for (const ModelShape& shape : all_shapes()) {
    EXPECT_EQ(kv_bytes_per_token(shape, format(16)),
              kv_shape_of(shape.config, DType::f16).bytes_per_token())
        << shape.name << "\n"
        << memory_fact("2 * layers * KV heads * head dimension * bytes; query heads do not count");
  }
}

TEST(KeysAndValues, AScaleBelongsToOneHead) {
  // 64 numbers a head: a group of 128 ends with its head.
  const ModelShape shape = shape_named("shape", "smollm2-135m");
  EXPECT_EQ(kv_bytes_per_token(shape, format(8, 128)), 2u * 30u * 3u * (64u + 2u))
      << memory_fact("a group of numbers with one scale ends with its head");
}

TEST(KeysAndValues, FillWholeBlocks) {
  EXPECT_EQ(tokens_kept(1, 16, 0), 16u) << memory_fact("a block is taken as a whole");
  EXPECT_EQ(tokens_kept(16, 16, 0), 16u) << memory_fact("a full block needs no other");
  EXPECT_EQ(tokens_kept(17, 16, 0), 32u) << memory_fact("ceil(S / b) blocks hold S tokens");
  for (u64 length = 1; length < 200; ++length) {
    EXPECT_LT(tokens_kept(length, 16, 0) - length, 16u)
        << memory_fact("at most b - 1 slots of a sequence are empty");
  }
}

// The blocks that positions length - window .. length - 1 touch, one position at a time.
u64 blocks_touched(u64 length, u64 block_size, u64 window) {
  std::vector<u64> blocks;
  for (u64 p = length - std::min(length, window); p < length; ++p) blocks.push_back(p / block_size);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks.size();
}

TEST(KeysAndValues, AWindowTouchesNoMoreBlocksThanAreKept) {
  for (const u64 block_size : {1, 3, 4, 16}) {
    for (const u64 window : {1, 2, 4, 5, 16, 17}) {
      u64 most = 0;
      for (u64 length = 1; length < 100; ++length) {
        most = std::max(most, blocks_touched(length, block_size, window));
        EXPECT_EQ(tokens_kept(length, block_size, window), most * block_size)
            << "length " << length << ", block " << block_size << ", window " << window << "\n"
            << memory_fact("a window may begin inside a block");
      }
    }
  }
}

TEST(KeysAndValues, TheLongestThatFitsFitsAndOneMoreDoesNot) {
  TestRandom random;
  for (int i = 0; i < 500; ++i) {
    const u64 free = random.below(100000), sequences = 1 + random.below(5);
    const u64 token = 1 + random.below(50), block = 1 + random.below(20);
    const u64 longest = *longest_that_fits(free, sequences, token, block, 0);
    const auto taken = [&](u64 length) {
      return sequences * token * tokens_kept(length, block, 0);
    };
    if (longest > 0) {
      EXPECT_LE(taken(longest), free);
    }
    EXPECT_GT(taken(longest + 1), free) << memory_fact("what fits is counted in whole blocks");
  }
}

TEST(KeysAndValues, AWindowThatFitsFitsAtAnyLength) {
  // A window of 8 in blocks of 4 touches at most three blocks.
  EXPECT_EQ(longest_that_fits(3 * 4 * 10, 1, 10, 4, 8), std::nullopt);
  EXPECT_EQ(longest_that_fits(3 * 4 * 10 - 1, 1, 10, 4, 8), 8u);
}

// --- Steps ------------------------------------------------------------------------------------

TEST(VisibleKeys, AreThoseOfRowByRow) {
  for (const u64 window : {0, 1, 3, 8, 100}) {
    for (u64 context = 0; context < 12; ++context) {
      for (u64 rows = 1; rows < 12; ++rows) {
        u64 expected = 0;
        for (u64 i = 1; i <= rows; ++i)
          expected += window == 0 ? context + i : std::min(context + i, window);
        ASSERT_EQ(visible_keys(context, rows, window), expected)
            << "context " << context << ", rows " << rows << ", window " << window;
      }
    }
  }
}

// The step that the engine would be given.
Step step_of(const std::vector<EqualSpans>& spans) {
  Step step;
  for (const EqualSpans& equal : spans) {
    for (u64 i = 0; i < equal.sequences; ++i) {
      const Span span{.sequence = SequenceId{static_cast<int>(step.spans.size())},
                      .first_row = step.rows(),
                      .rows = static_cast<int>(equal.rows),
                      .context = static_cast<int>(equal.context)};
      step.spans.push_back(span);
      step.tokens.resize(step.tokens.size() + equal.rows);
      step.logits_rows.push_back(step.rows() - 1);
    }
  }
  return step;
}

const std::vector<std::vector<EqualSpans>> kSteps = {
    {{1, 0, 1}},  {{1, 0, 100}},          {{1, 4095, 1}},           {{16, 511, 1}},
    {{1, 33, 5}}, {{2, 0, 7}, {3, 8, 1}}, {{1, 0, 5}, {1, 6000, 1}}};

class CostOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shapes, CostOf,
                         testing::Values("llama-7b", "llama-3-8b", "qwen2.5-7b", "qwen3-8b",
                                         "mistral-7b", "smollm2-135m"));

// [bill]
TEST_P(CostOf, AStepIsTheEnginesBillWithoutActivations) {
  const ModelShape shape = shape_named("shape", GetParam());
  const auto bill = [&](const Step& step, DType weights, DType kv) {
    return bill_of(shape.config, {.weights = weights, .kv = kv, .block_size = 16}, step);
  };
  for (const auto& spans : kSteps) {
    const Step step = step_of(spans);
    const StepCost cost = step_cost(shape, formats(16, 16), spans);
    const Counters narrow = bill(step, DType::bf16, DType::f16);
    EXPECT_EQ(cost.rows, static_cast<u64>(step.rows()));
    EXPECT_EQ(cost.linear_flops, narrow.of(Operator::linear).flops)
        << limit_fact("a row multiplies every matrix, the last row of a sequence the head");
    EXPECT_EQ(cost.attention_flops, narrow.of(Operator::attend).flops)
        << limit_fact("attention costs 4 FLOPs for each number of a visible key of a query head");
    // What F32 would add to 16-bit weights, or keys and values, is as much again.
    const Work weights = bill(step, DType::f32, DType::f16).total() - narrow.total();
    EXPECT_EQ(cost.weight_bytes, weights.bytes_read)
        << limit_fact("a step reads each weight once, however many rows use it");
    const Work kv = bill(step, DType::bf16, DType::f32).total() - narrow.total();
    EXPECT_EQ(cost.kv_read, kv.bytes_read)
        << limit_fact("a step reads the keys and values of each of its sequences");
    EXPECT_EQ(cost.kv_written, kv.bytes_written)
        << limit_fact("a step stores a key and a value for each row, layer and KV head");
  }
}
// [bill]

TEST(StepCost, OfManyEqualSequencesIsThatOfEachButForTheWeights) {
  const ModelShape shape = shape_named("shape", "qwen3-8b");
  const EqualSpans one{1, 999, 1}, many{50, 999, 1};
  const StepCost a = step_cost(shape, formats(16, 16), {&one, 1});
  const StepCost b = step_cost(shape, formats(16, 16), {&many, 1});
  EXPECT_EQ(b.flops(), 50 * a.flops());
  EXPECT_EQ(b.kv_read, 50 * a.kv_read)
      << limit_fact("a batch shares the reading of weights, not that of keys and values");
  EXPECT_EQ(b.weight_bytes - a.weight_bytes, 49u * 4096u * 2u)
      << limit_fact("a further sequence reads one more row of the embedding table");
}

TEST(StepCost, OfGpt2HasTwoFfnMatricesAndReadsARowOfPositions) {
  const ModelShape shape = shape_named("shape", "gpt2");
  const EqualSpans span{1, 0, 1};
  const StepCost cost = step_cost(shape, formats(16, 16), {&span, 1});
  EXPECT_EQ(cost.linear_flops, 2u * (12u * 12u * 768u * 768u + 768u * 50257u));
  // All parameters but the position table, and one row of each table.
  EXPECT_EQ(cost.weight_bytes, 2u * (124'439'808u - 1024u * 768u + 2u * 768u));
}

// --- The limit --------------------------------------------------------------------------------

TEST(Limit, TheBatchAtWhichItChangesIsTheFirst) {
  for (const ModelShape& shape : all_shapes()) {
    for (const Card& card : all_cards()) {
      for (const u64 length : {1, 100, 1000, 10000}) {
        const auto memory_bound = [&](u64 sequences) {
          const EqualSpans span{sequences, length - 1, 1};
          return time_of(step_cost(shape, formats(16, 16), {&span, 1}), card).memory_bound();
        };
        const auto batch = compute_bound_batch(shape, formats(16, 16), card, length);
        SCOPED_TRACE(fmt::format("{} on {} at {}", shape.name, card.name, length));
        if (!batch) {
          EXPECT_TRUE(memory_bound(1'000'000))
              << limit_fact("where own bytes outlast own arithmetic, no batch changes the limit");
          continue;
        }
        EXPECT_FALSE(memory_bound(*batch)) << limit_fact("from this batch on arithmetic limits");
        if (*batch > 1) {
          EXPECT_TRUE(memory_bound(*batch - 1)) << limit_fact("below it reading limits");
        }
      }
    }
  }
}

TEST(Limit, ThePromptAtWhichItChangesIsTheFirst) {
  for (const ModelShape& shape : all_shapes()) {
    for (const Card& card : all_cards()) {
      const auto memory_bound = [&](u64 tokens) {
        const EqualSpans span{1, 0, tokens};
        return time_of(step_cost(shape, formats(16, 16), {&span, 1}), card).memory_bound();
      };
      const auto prompt = compute_bound_prompt(shape, formats(16, 16), card);
      SCOPED_TRACE(fmt::format("{} on {}", shape.name, card.name));
      ASSERT_TRUE(prompt.has_value());
      EXPECT_FALSE(memory_bound(*prompt));
      EXPECT_TRUE(memory_bound(*prompt - 1));
    }
  }
}

TEST(Limit, OfLlama3OnA100IsReadingAtAnyBatchFrom768TokensOn) {
  const ModelShape shape = shape_named("shape", "llama-3-8b");
  const Card& card = card_named("card", "A100-80");
  EXPECT_TRUE(compute_bound_batch(shape, formats(16, 16), card, 767).has_value());
  EXPECT_EQ(compute_bound_batch(shape, formats(16, 16), card, 768), std::nullopt)
      << limit_fact("from 768 tokens on a sequence's keys and values outlast its arithmetic");
}

TEST(Limit, TimeIsTheLongerOfTheTwo) {
  const Card card{.name = "", .memory = 1, .bandwidth = 10, .flops = 100};
  const StepTime reading = time_of({.linear_flops = 100, .weight_bytes = 30}, card);
  EXPECT_TRUE(reading.memory_bound());
  EXPECT_DOUBLE_EQ(reading.seconds(), 3);
  const StepTime computing = time_of({.linear_flops = 600, .weight_bytes = 30}, card);
  EXPECT_FALSE(computing.memory_bound());
  EXPECT_DOUBLE_EQ(computing.seconds(), 6);
}

// --- The example of the page -------------------------------------------------------------------

ModelShape tiny() {
  ModelShape shape{.name = "tiny"};
  shape.config.layers = 2;
  shape.config.hidden = 8;
  shape.config.heads = 2;
  shape.config.kv_heads = 1;
  shape.config.head_dim = 4;
  shape.config.ffn = 16;
  shape.config.vocabulary = 32;
  shape.config.max_positions = 64;
  shape.config.tied_embeddings = true;
  return shape;
}

Fact by_hand(std::string invariant) {
  return fact(std::move(invariant), "five-tokens-counted-by-hand");
}

TEST(FiveTokens, TakeTheBytesOfTheExample) {
  EXPECT_EQ(parameters_of(tiny()).total(), 1448u) << by_hand("the model has 1,448 parameters");
  EXPECT_EQ(kv_bytes_per_token(tiny(), format(16)), 32u) << by_hand("a token keeps 32 bytes");
  EXPECT_EQ(tokens_kept(5, 4, 0), 8u) << by_hand("five tokens take two blocks of four");
}

TEST(FiveTokens, CostTheFlopsAndBytesOfTheExample) {
  const EqualSpans prompt{1, 0, 4}, token{1, 4, 1};
  const StepCost prefill = step_cost(tiny(), formats(16, 16), {&prompt, 1});
  const StepCost decode = step_cost(tiny(), formats(16, 16), {&token, 1});
  EXPECT_EQ(prefill.linear_flops, 9728u) << by_hand("prefill multiplies for four rows");
  EXPECT_EQ(prefill.attention_flops, 640u) << by_hand("1 + 2 + 3 + 4 keys are seen");
  EXPECT_EQ(prefill.bytes(), 3216u) << by_hand("prefill moves 3,216 bytes");
  EXPECT_EQ(decode.linear_flops, 2816u) << by_hand("decode multiplies for one row");
  EXPECT_EQ(decode.attention_flops, 320u) << by_hand("5 keys are seen");
  EXPECT_EQ(decode.bytes(), 3104u) << by_hand("decode moves 3,104 bytes");
}

TEST(FiveTokens, AreLimitedAsInTheExample) {
  const Card card{.name = "small", .memory = 4096, .bandwidth = 1e9, .flops = 2e9};
  const EqualSpans prompt{1, 0, 4}, token{1, 4, 1};
  EXPECT_FALSE(time_of(step_cost(tiny(), formats(16, 16), {&prompt, 1}), card).memory_bound())
      << by_hand("prefill takes 5.18 µs to compute and 3.22 µs to read");
  EXPECT_TRUE(time_of(step_cost(tiny(), formats(16, 16), {&token, 1}), card).memory_bound())
      << by_hand("decode takes 1.57 µs to compute and 3.10 µs to read");
  EXPECT_EQ(compute_bound_batch(tiny(), formats(16, 16), card, 5), 3u)
      << by_hand("three sequences turn the limit");
}

// --- Whole numbers ----------------------------------------------------------------------------

TEST(Exact, ProductsAndSumsThatDoNotFitAreErrors) {
  const u64 half = u64{1} << 32;
  EXPECT_EQ(exact_product({half, half - 1}), half * (half - 1));
  EXPECT_THROW(exact_product({half, half}), Error);
  EXPECT_EQ(exact_product({half, half, 0}), 0u) << "nothing of something large is nothing";
  EXPECT_EQ(exact_sum({~u64{0}, 0}), ~u64{0});
  EXPECT_THROW(exact_sum({~u64{0}, 1}), Error);
}

}  // namespace
}  // namespace quire::test
