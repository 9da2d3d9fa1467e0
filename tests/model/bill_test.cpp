#include "src/model/bill.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "chapters/04_kv_cache/slab.h"
#include "tests/kv/scrambled_blocks.h"
#include "tests/model/test_model.h"

namespace quire::test {
namespace {

// The published sizes of two models, which differ in these four numbers.
ModelConfig published(int kv_heads, int ffn, int vocabulary, int max_positions) {
  ModelConfig config;
  config.layers = config.heads = 32;
  config.hidden = 4096;
  config.head_dim = 128;
  config.kv_heads = kv_heads;
  config.ffn = ffn;
  config.vocabulary = vocabulary;
  config.max_positions = max_positions;
  return config;
}

ModelConfig llama_7b() {
  return published(32, 11008, 32000, 2048);
}

ModelConfig llama_3_8b() {
  return published(8, 14336, 128256, 8192);
}

TEST(ParameterCount, IsThePublishedOne) {
  EXPECT_EQ(parameter_count(llama_7b()), 6738415616u);
  EXPECT_EQ(parameter_count(llama_3_8b()), 8030261248u);
}

TEST(ParameterCount, TiedEmbeddingsCountOnce) {
  ModelConfig tied = llama_7b();
  tied.tied_embeddings = true;
  EXPECT_EQ(parameter_count(tied), 6738415616u - 32000u * 4096u);
}

TEST(Bill, DecodingReadsEveryMatrixOnceAndMultipliesItTwice) {
  const Step step = close_the_gap(SequenceId{0}, std::vector<TokenId>(1), 0);
  const Counters bill =
      bill_of(llama_7b(), {.weights = DType::f16, .kv = DType::f16, .block_size = 2048}, step);
  // All parameters but the embedding table and 65 norms.
  const std::uint64_t matrices = 6738415616u - 32000u * 4096u - 65u * 4096u;
  EXPECT_EQ(bill.of(Operator::linear).flops, 2 * matrices);
  EXPECT_EQ(bill.of(Operator::linear).bytes_written,
            4u * (32u * (5u * 4096u + 2u * 11008u) + 32000u));
}

TEST(Bill, AFullContextOfLlama7BReadsOneGibibyteOfKeysAndValues) {
  const Step step = close_the_gap(SequenceId{0}, std::vector<TokenId>(2048), 2047);
  const Counters bill =
      bill_of(llama_7b(), {.weights = DType::f16, .kv = DType::f16, .block_size = 2048}, step);
  const std::uint64_t queries = 32u * 4096u * 4u, table_entries = 32u * 4u;
  EXPECT_EQ(bill.of(Operator::attend).bytes_read, (1u << 30) + queries + table_entries);
  EXPECT_EQ(bill.of(Operator::attend).flops, 32u * 4u * 4096u * 2048u);
}

struct BillCase {
  const char* name;
  std::vector<Span> spans;  // sequence, rows, context
  std::vector<int> logits_rows;
};

Span span(int sequence, int rows, int context) {
  return {.sequence = SequenceId{sequence}, .first_row = 0, .rows = rows, .context = context};
}

const std::vector<BillCase> kCases = {
    {"a prompt", {span(0, 17, 0)}, {16}},
    {"one token of a prompt", {span(0, 1, 0)}, {0}},
    {"decoding", {span(0, 1, 16)}, {0}},
    {"a chunk", {span(0, 5, 7)}, {}},
    {"logits of every row", {span(0, 4, 3)}, {0, 1, 2, 3}},
    {"several sequences", {span(0, 5, 0), span(1, 1, 9), span(2, 3, 6)}, {4, 5, 8}},
    {"decoding several", {span(0, 1, 8), span(1, 1, 7), span(2, 1, 0)}, {0, 1, 2}},
};

Step step_of(const BillCase& c) {
  Step step;
  for (Span s : c.spans) {
    s.first_row = step.rows();
    step.spans.push_back(s);
    step.tokens.resize(step.tokens.size() + static_cast<std::size_t>(s.rows), TokenId{3});
  }
  step.logits_rows = c.logits_rows;
  return step;
}

void expect_equal(const Counters& counters, const Counters& bill) {
  for (std::size_t i = 0; i < kOperators; ++i) {
    const auto op = static_cast<Operator>(i);
    EXPECT_EQ(counters.of(op).flops, bill.of(op).flops) << name_of(op);
    EXPECT_EQ(counters.of(op).bytes_read, bill.of(op).bytes_read) << name_of(op);
    EXPECT_EQ(counters.of(op).bytes_written, bill.of(op).bytes_written) << name_of(op);
  }
}

class BillOfModel : public testing::TestWithParam<std::string> {
 protected:
  // Runs a step and gives what the calls of the decoder came to.
  static Counters run(TestModel& model, const Step& step, const Placement& placement, DType kv) {
    KvStorage storage(model.ops(), kv_shape_of(model.config(), kv), placement, true);
    const Counters before = model.decoder().counters();
    model.decoder().forward(step, storage, nobody());
    return model.decoder().counters() - before;
  }
};

INSTANTIATE_TEST_SUITE_P(Of, BillOfModel, testing::ValuesIn(tiny_models()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(BillOfModel, IsWhatTheCallsOfTheDecoderComeTo) {
  for (const int window : {0, 1, 3, 100}) {
    TestModel model(GetParam(), [&](ModelConfig& config) { config.window = window; });
    for (const BillCase& c : kCases) {
      for (const int block_size : {1, 4, 32}) {
        SCOPED_TRACE(testing::Message()
                     << c.name << ", window " << window << ", blocks of " << block_size);
        const DType kv = block_size == 4 ? DType::f16 : DType::f32;
        const Step step = step_of(c);
        const ScrambledBlocks blocks(block_size, {17, 10, 9});
        const Storage storage{model.weights_dtype(), kv, block_size};
        expect_equal(run(model, step, blocks, kv), bill_of(model.config(), storage, step));
      }
    }
  }
}

TEST_P(BillOfModel, HoldsForASlabToo) {
  TestModel model(GetParam());
  Slab manager(20);
  ASSERT_TRUE(manager.open(SequenceId{0}, {}, 20));
  const Step step = step_of(kCases[0]);
  const Storage storage{model.weights_dtype(), DType::bf16, 20};
  expect_equal(run(model, step, manager, DType::bf16), bill_of(model.config(), storage, step));
}

TEST_P(BillOfModel, ARowMoreAndACopyAreNoticedByEveryOperator) {
  TestModel model(GetParam());
  BillCase more = kCases[5];
  more.spans[2].rows = 4;
  more.logits_rows.push_back(9);
  const Storage storage{model.weights_dtype(), DType::f32, 4};
  const Counters bill = bill_of(model.config(), storage, step_of(kCases[5]));
  Step step = step_of(more);
  step.copies = {{.from = BlockId{0}, .to = BlockId{1}}};
  const Counters larger = bill_of(model.config(), storage, step);
  for (std::size_t i = 0; i < kOperators; ++i) {
    const auto op = static_cast<Operator>(i);
    // Only biases may be absent from a model.
    if (op == Operator::add_bias && bill.of(op) == Work()) continue;
    EXPECT_GT(larger.of(op).bytes(), bill.of(op).bytes()) << name_of(op);
  }
}

}  // namespace
}  // namespace quire::test
