#include <gtest/gtest.h>

#include "chapters/05_memory_and_roofline/arithmetic.h"
#include "chapters/05_memory_and_roofline/plan.h"
#include "tests/support/close.h"

// What explanations of LLM inference print, and what is right: the tests behind the page's table. A
// number that is reproduced is expected as printed; one that is corrected, as it should be.
namespace quire::test {
namespace {

using u64 = std::uint64_t;

constexpr u64 kMiB = u64{1} << 20, kGiB = u64{1} << 30;
const NumberFormat kF16{.name = "F16", .bits = 16};

// The card of the printed estimate.
const Card kPrinted{.name = "printed", .memory = 80 * kGiB, .bandwidth = 2e12, .flops = 312e12};

Fact claim(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "05#printed-and-right"};
}

ModelShape shape(const char* name) {
  return shape_named("the shape", name);
}

Formats formats(const NumberFormat& matrices, const NumberFormat& rest) {
  return {.matrices = matrices, .tables = rest, .vectors = rest, .kv = rest};
}

Formats f16() {
  return formats(kF16, kF16);
}

StepCost decode(const ModelShape& model, u64 sequences, u64 length) {
  const EqualSpans span{sequences, length - 1, 1};
  return step_cost(model, f16(), {&span, 1});
}

StepCost prefill(const ModelShape& model, u64 tokens) {
  const EqualSpans span{1, 0, tokens};
  return step_cost(model, f16(), {&span, 1});
}

u64 kv_bytes(const ModelShape& model, u64 tokens) {
  return tokens * kv_bytes_per_token(model, kF16);
}

// The printed table counts 32 KV heads.
ModelShape with_32_kv_heads() {
  ModelShape printed = shape("llama-3-8b");
  printed.config.kv_heads = 32;
  return printed;
}

TEST(Claims, AFormulaWithHeadsAndPerBatchHoldsForMhaAndEqualLengthsOnly) {
  const ModelShape mha = shape("llama-7b"), gqa = shape("llama-3-8b");
  const auto printed = [](const ModelShape& s, u64 length, u64 batch) {
    const ModelConfig& c = s.config;
    return u64{2} * static_cast<u64>(c.layers) * static_cast<u64>(c.heads) *
           static_cast<u64>(c.head_dim) * length * batch * 2;
  };
  EXPECT_EQ(printed(mha, 2048, 16), 16 * kv_bytes(mha, 2048)) << claim("right with H = H_kv");
  EXPECT_EQ(printed(gqa, 2048, 1), 4 * kv_bytes(gqa, 2048)) << claim("GQA keeps H_kv heads");
  // Ragged: 100 and 1,000 tokens are 1,100, and not twice 1,000.
  EXPECT_EQ(printed(mha, 1000, 2) - printed(mha, 1100, 1), printed(mha, 900, 1))
      << claim("a ragged batch needs the sum of its lengths");
}

TEST(Claims, TheHeadDimensionIsTheConfiguredOne) {
  ModelShape wide = shape("llama-3-8b");
  wide.config.head_dim = 256;
  EXPECT_EQ(kv_bytes_per_token(wide, kF16), 2 * kv_bytes_per_token(shape("llama-3-8b"), kF16))
      << claim("hidden / heads is a default that a config may override");
}

TEST(Claims, HalfAMebibyteATokenIsLlama7B) {
  for (const char* name : {"llama-7b", "llama-2-7b"})
    EXPECT_EQ(kv_bytes_per_token(shape(name), kF16), 524'288u) << claim("0.5 MiB a token");
}

TEST(Claims, TheTableForLlama3HasFourTimesTooMuch) {
  const ModelShape printed = with_32_kv_heads(), right = shape("llama-3-8b");
  EXPECT_EQ(kv_bytes_per_token(right, kF16), 131'072u) << claim("128 KiB a token");
  const double of_8[] = {6.25, 12.5, 25, 50, 100}, of_24[] = {2.08, 4.17, 8.33, 16.67, 33.33};
  for (int i = 0; i < 5; ++i) {
    const u64 tokens = u64{1024} << i;
    EXPECT_EQ(kv_bytes(printed, tokens), 512 * kMiB << i) << claim("0.5 to 8 GiB with 32 KV heads");
    EXPECT_EQ(kv_bytes(right, tokens), 128 * kMiB << i) << claim("128 MiB to 2 GiB with 8");
    const auto bytes = static_cast<double>(kv_bytes(printed, tokens));
    EXPECT_DOUBLE_EQ(100 * bytes / static_cast<double>(8 * kGiB), of_8[i]);
    EXPECT_NEAR(100 * bytes / static_cast<double>(24 * kGiB), of_24[i], 0.005);
  }
}

TEST(Claims, TheChartFor7BIsThreeTimesTooHigh) {
  const ModelShape model = shape("llama-7b");
  const double printed[] = {1.5, 3, 6, 12, 24};
  for (int i = 0; i < 5; ++i) {
    const double gib = static_cast<double>(kv_bytes(model, u64{1024} << i)) / kGiB;
    EXPECT_DOUBLE_EQ(printed[i] / gib, 3) << claim("0.5, 1, 2, 4, 8 GiB");
  }
}

TEST(Claims, SixteenRequestsOf2048TakeMoreThanHalfOfWhatIsUsed) {
  const ModelShape model = shape("llama-7b");
  EXPECT_EQ(kv_bytes(model, 2048), kGiB);
  EXPECT_EQ(16 * kv_bytes(model, 2048), 16 * kGiB);
  const u64 weights = weight_bytes_of(model, f16()).total();
  EXPECT_EQ(weights, 13'476'831'232u) << claim("about 14 GB of weights are 13.48 GB");
  EXPECT_GT(16 * kv_bytes(model, 2048), weights) << claim("the cache exceeds the weights");
}

TEST(Claims, FourteenGigabytesTake156TimesLongerToReadThanToMultiply) {
  const StepTime printed =
      time_of({.linear_flops = 14'000'000'000, .weight_bytes = 14'000'000'000}, kPrinted);
  EXPECT_NEAR(printed.arithmetic, 0.045e-3, 0.5e-6);
  EXPECT_DOUBLE_EQ(printed.reading, 7e-3);
  EXPECT_DOUBLE_EQ(printed.reading / printed.arithmetic, 156) << claim("7 ms against 0.045 ms");
}

TEST(Claims, ExactlyADecodeStepOfLlama7BReads13_2GBAndTheCache) {
  const ModelShape model = shape("llama-7b");
  const StepCost first = decode(model, 1, 1);
  EXPECT_EQ(first.linear_flops, 13'214'154'752u) << claim("13.2 GFLOP");
  // Of the embedding table, 0.26 GB, a step reads one row.
  EXPECT_EQ(first.weight_bytes, 13'476'831'232u - 32000u * 4096u * 2u + 4096u * 2u)
      << claim("13.21 of 13.48 GB are read");
  EXPECT_NEAR(time_of({.weight_bytes = 14'000'000'000}, card_named("", "A100-40")).reading, 9.0e-3,
              0.005e-3)
      << claim("the 40 GB card needs 9.0 ms for 14 GB");
  EXPECT_NEAR(time_of({.weight_bytes = 13'476'831'232}, card_named("", "A100-40")).reading, 8.67e-3,
              0.005e-3)
      << claim("8.67 ms for 13.48 GB");
  const StepCost at_4096 = decode(model, 1, 4096);
  EXPECT_EQ(at_4096.kv_read, 2 * kGiB);
  EXPECT_NEAR(time_of({.kv_read = at_4096.kv_read}, kPrinted).reading, 1.07e-3, 0.005e-3)
      << claim("at 4,096 tokens reading keys and values adds 1.07 ms");
}

TEST(Claims, ABatchDividesTheReadingOfWeightsAlone) {
  const ModelShape model = shape("llama-7b");
  const StepCost one = decode(model, 1, 1024), many = decode(model, 16, 1024);
  EXPECT_NEAR(static_cast<double>(many.weight_bytes) / static_cast<double>(one.weight_bytes), 1,
              1e-4);
  EXPECT_EQ(many.kv_read, 16 * one.kv_read)
      << claim("each sequence has keys and values of its own");
}

TEST(Claims, AttentionInDecodeDoesAsManyFlopsAByteAsQueryHeadsShareAKvHead) {
  for (const auto& [name, ratio] : {std::pair{"llama-7b", 1.0},
                                    {"llama-3-8b", 4.0},
                                    {"qwen2.5-7b", 7.0},
                                    {"llama-3.1-70b", 8.0}}) {
    const StepCost step = decode(shape(name), 1, 4096);
    EXPECT_DOUBLE_EQ(static_cast<double>(step.attention_flops) / static_cast<double>(step.kv_read),
                     ratio)
        << claim("H_q / H_kv FLOPs a byte in 16 bits");
  }
}

TEST(Claims, GenerationIsComputeBoundInPrefillAndMemoryBoundInDecode) {
  const ModelShape model = shape("llama-7b");
  EXPECT_NEAR(decode(model, 1, 512).intensity(), 1, 0.02) << claim("one FLOP a byte at batch 1");
  EXPECT_TRUE(time_of(decode(model, 1, 512), kPrinted).memory_bound());
  EXPECT_GT(prefill(model, 512).intensity(), 400);
  EXPECT_FALSE(time_of(prefill(model, 512), kPrinted).memory_bound())
      << claim("a prompt of 512 is limited by arithmetic");
}

// The 8 GB card: GiB left beside 4 GiB of weights and half a GiB of activations.
double left_of_8(const ModelShape& model, u64 tokens, u64 sequences) {
  return 8 - 4 - 0.5 - static_cast<double>(sequences * kv_bytes(model, tokens)) / kGiB;
}

TEST(Claims, TheEightGigabyteCaseAddsUpWith32KvHeads) {
  const ModelShape printed = with_32_kv_heads();
  EXPECT_DOUBLE_EQ(left_of_8(printed, 512, 1), 3.25) << claim("0.25 GiB at 512 tokens");
  EXPECT_DOUBLE_EQ(left_of_8(printed, 1024, 1), 3.0) << claim("0.5 GiB at 1,024");
  EXPECT_DOUBLE_EQ(8 - left_of_8(printed, 2048, 1), 5.5) << claim("5.5 GiB in all at 2,048");
  EXPECT_DOUBLE_EQ(8 - left_of_8(printed, 4096, 1), 6.5) << claim("6.5 GiB in all at 4,096");
  EXPECT_LT(left_of_8(printed, 4096, 2), 0) << claim("two such requests do not fit");
}

TEST(Claims, TheEightGigabyteCaseIsFarFromItsLimitWith8KvHeads) {
  const ModelShape right = shape("llama-3-8b");
  EXPECT_DOUBLE_EQ(8 - left_of_8(right, 4096, 1), 5.0) << claim("5.0 GiB in all at 4,096");
  EXPECT_DOUBLE_EQ(left_of_8(right, 4096, 7), 0) << claim("seven such requests fit");
}

TEST(Claims, FourBitWeightsOfLlama3Are5_8GB) {
  const ModelShape model = shape("llama-3-8b");
  const NumberFormat int4{.name = "INT4", .bits = 4},
      grouped{.name = "INT4", .bits = 4, .group = 64};
  EXPECT_NEAR(static_cast<double>(weight_bytes_of(model, formats(int4, int4)).total()), 4.015e9,
              1e6)
      << claim("4 GB if all of it, without scales, took four bits");
  const WeightParts parts = parameters_of(model);
  EXPECT_NEAR(static_cast<double>(parts.attention + parts.ffn), 6.98e9, 0.005e9);
  EXPECT_NEAR(static_cast<double>(parts.embedding + parts.head), 1.05e9, 0.005e9);
  EXPECT_NEAR(static_cast<double>(weight_bytes_of(model, formats(grouped, kF16)).total()), 5.81e9,
              0.005e9)
      << claim("6.98 B weights at 4.25 bits and 1.05 B at 16");
}

TEST(Claims, OnTheEightGigabyteCardFourRequestsOf4096FitBesideTrueWeights) {
  const NumberFormat grouped{.name = "INT4", .bits = 4, .group = 64};
  const Plan plan = make_plan({.shape = shape("llama-3-8b"),
                               .card = card_named("", "RTX-3070"),
                               .formats = formats(grouped, kF16),
                               .lengths = {4096},
                               .reserved = kGiB / 2});
  EXPECT_TRUE(plan.fits);
  EXPECT_EQ(*plan.free / kv_bytes(shape("llama-3-8b"), 4096), 4u) << claim("four fit");
}

TEST(Claims, LlamaInHalfPrecisionTakes16GB) {
  EXPECT_NEAR(static_cast<double>(weight_bytes_of(shape("llama-3-8b"), f16()).total()), 16.06e9,
              0.005e9);
}

double saved(const NumberFormat& format, const NumberFormat& baseline) {
  const ModelShape model = shape("llama-3-8b");
  return 100 - 100 * static_cast<double>(kv_bytes_per_token(model, format)) /
                   static_cast<double>(kv_bytes_per_token(model, baseline));
}

TEST(Claims, EightBitsSaveHalfOf16AndThreeQuartersOf32) {
  const NumberFormat f32{.name = "F32", .bits = 32}, int8{.name = "INT8", .bits = 8},
      int4{.name = "INT4", .bits = 4};
  EXPECT_DOUBLE_EQ(saved(int8, kF16), 50) << claim("exactly half, before scales");
  EXPECT_NEAR(saved({.name = "INT8", .bits = 8, .group = 128}, kF16), 49.2, 0.05)
      << claim("49.2 % with a scale for 128 numbers");
  EXPECT_NEAR(saved({.name = "INT8", .bits = 8, .group = 32}, kF16), 46.9, 0.05)
      << claim("46.9 % with a scale for 32");
  EXPECT_DOUBLE_EQ(saved(int4, kF16), 75) << claim("75 % is INT4 against F16");
  EXPECT_DOUBLE_EQ(saved(int8, f32), 75) << claim("or INT8 against F32");
}

TEST(Claims, SwigluHasThreeMatrices) {
  const WeightParts parts = parameters_of(shape("llama-7b"));
  EXPECT_EQ(parts.ffn / 32, 135'266'304u) << claim("3 * 4096 * 11008 a layer");
  EXPECT_EQ(parameters_of(shape("gpt2")).ffn / 12, 2u * 768u * 4u * 768u)
      << claim("two matrices, four times as wide: GPT-2");
}

TEST(Claims, PositionsAreAddedInGpt2Alone) {
  for (const ModelShape& model : all_shapes()) {
    EXPECT_EQ(parameters_of(model).positions > 0, model.block == Block::gpt2)
        << model.name << "\n"
        << claim("RoPE has no weights");
  }
}

TEST(Claims, NormsComeBeforeEverySublayerAndOnceAtTheEnd) {
  EXPECT_EQ(parameters_of(shape("llama-7b")).norms, (2u * 32u + 1u) * 4096u)
      << claim("two norms a layer, not four");
}

TEST(Claims, AStepIsLinearInTheLengthForAttentionAndConstantForTheMatrices) {
  const ModelShape model = shape("llama-7b");
  EXPECT_EQ(decode(model, 1, 2000).attention_flops, 2 * decode(model, 1, 1000).attention_flops);
  EXPECT_EQ(decode(model, 1, 2000).linear_flops, decode(model, 1, 1000).linear_flops)
      << claim("with a cache matrices cost the same at every length");
  const double longer = static_cast<double>(prefill(model, 2000).attention_flops);
  EXPECT_NEAR(longer / static_cast<double>(prefill(model, 1000).attention_flops), 4, 0.01)
      << claim("without one attention costs the square");
}

TEST(Claims, TheMatricesDominateUpTo25Thousand) {
  const ModelShape model = shape("llama-7b");
  EXPECT_EQ(decode(model, 1, 25'204).attention_flops, decode(model, 1, 25'204).linear_flops)
      << claim("at 25,204 tokens attention costs exactly as much as the matrices");
  EXPECT_LT(100 * decode(model, 1, 252).attention_flops, decode(model, 1, 252).linear_flops)
      << claim("at 252 tokens it costs less than a hundredth");
}

struct Totals {
  double linear = 0, attention = 0;
};

// A generation of so many tokens from one, step by step.
Totals generate(u64 tokens, bool cached) {
  const ModelShape model = shape("llama-7b");
  Totals totals;
  for (u64 known = 1; known <= tokens; ++known) {
    const StepCost step = cached ? decode(model, 1, known) : prefill(model, known);
    totals.linear += static_cast<double>(step.linear_flops);
    totals.attention += static_cast<double>(step.attention_flops);
  }
  return totals;
}

TEST(Claims, AGenerationCostsQuadraticAndCubicWorkWithoutACacheLinearAndQuadraticWithOne) {
  const Totals naive = generate(512, false), longer = generate(1024, false);
  EXPECT_NEAR(longer.linear / naive.linear, 4, 0.02) << claim("matrices without a cache: square");
  EXPECT_NEAR(longer.attention / naive.attention, 8, 0.04) << claim("attention without: cube");
  const Totals cached = generate(512, true), cached_longer = generate(1024, true);
  EXPECT_DOUBLE_EQ(cached_longer.linear / cached.linear, 2) << claim("matrices with one: linear");
  EXPECT_NEAR(cached_longer.attention / cached.attention, 4, 0.02)
      << claim("attention with one: square");
}

TEST(Claims, BlocksLeaveSlotsEmptyInsideTheLastOne) {
  EXPECT_EQ(tokens_kept(1025, 16, 0) - 1025, 15u) << claim("up to b - 1 slots stay empty");
}

TEST(Claims, AWindowBoundsWhatIsKept) {
  EXPECT_EQ(tokens_kept(100'000, 16, 4096), 4112u) << claim("a window of W keeps min(S, W)");
}

TEST(Claims, RanksShareKvHeadsAndKeepAtLeastOne) {
  const ModelShape model = shape("llama-3-8b");
  const u64 whole = kv_bytes_per_token(model, kF16);
  for (const int ranks : {1, 2, 4, 8}) {
    EXPECT_EQ(kv_bytes_per_token(rank_of(model, ranks), kF16), whole / static_cast<u64>(ranks));
  }
  for (const int ranks : {16, 32}) {
    EXPECT_EQ(kv_bytes_per_token(rank_of(model, ranks), kF16), whole / 8)
        << claim("from 8 ranks on each keeps one KV head");
  }
}

}  // namespace
}  // namespace quire::test
