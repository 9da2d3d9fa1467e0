// What SimdOps promises bit for bit: row i of a result depends on row i alone.
#include <gtest/gtest.h>

#include <map>

#include "src/simd/simd_ops.h"
#include "tests/ops/device_tensor.h"
#include "tests/ops/keys_and_values.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

std::vector<float> linear(Ops& ops, ConstTensor x, const Weight& weight) {
  const DeviceTensor in(ops, x), out(ops, {x.extent(0), weight.tensor.extent(0)});
  ops.linear(in, weight, out);
  return out.floats();
}

class SimdLinear : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Exact, SimdLinear, testing::Values(DType::f32, DType::f16, DType::bf16),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST_P(SimdLinear, ARowIsTheSameAloneAndAmongAnyNumberOfOthers) {
  SimdOps ops;
  // Inputs of one piece and of three, odd ones too; outputs that fill panels and that do not.
  for (const auto& [inputs, outputs] : {std::pair{37, 200}, {576, 64}, {1101, 35}}) {
    TestRandom random(static_cast<std::uint64_t>(inputs));
    const TestTensor x = random_tensor(random, {513, inputs});
    const Weight weight = prepared(ops, random_tensor(random, {outputs, inputs}, GetParam()));
    for (const Index rows : {2, 3, 7, 64, 513}) {
      const std::vector<float> together = linear(ops, x.tensor().rows(0, rows), weight);
      for (const Index row : {Index{0}, rows / 2, rows - 1}) {
        const std::vector<float> alone = linear(ops, x.tensor().rows(row, 1), weight);
        const auto first = together.begin() + row * outputs;
        EXPECT_EQ(alone, std::vector<float>(first, first + outputs))
            << "row " << row << " of " << rows << ", " << inputs << " inputs";
      }
    }
  }
}

TEST_P(SimdLinear, AnyNumberOfThreadsGivesTheSameBits) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {101, 600});
  const TestTensor weight = random_tensor(random, {330, 600}, GetParam());
  SimdOps one;
  const std::vector<float> expected = linear(one, x, prepared(one, weight));
  for (const int threads : {2, 3, 8}) {
    SimdOps many(threads);
    EXPECT_EQ(linear(many, x, prepared(many, weight)), expected) << threads << " threads";
  }
}

TEST_P(SimdLinear, AChangeOfTheLastInputIsNoticed) {
  SimdOps ops;
  TestRandom random;
  const TestTensor x = random_tensor(random, {1, 1101});
  const Weight weight = prepared(ops, random_tensor(random, {35, 1101}, GetParam()));
  const std::vector<float> before = linear(ops, x, weight);
  x.values<float>().back() += 1;
  EXPECT_NE(linear(ops, x, weight), before);
}

Span span(int sequence, int rows, int context) {
  return {.sequence = SequenceId{sequence}, .first_row = 0, .rows = rows, .context = context};
}

// The results of some calls, row by row, by sequence and position.
using Rows = std::map<std::pair<int, int>, std::vector<float>>;

void collect(Ops& ops, const KeysAndValues& known, const std::vector<Span>& spans, int window,
             Rows& rows, const Layout& layout = {}) {
  const std::vector<float> out = attend(ops, known, spans, window, layout);
  const auto width = static_cast<Index>(known.heads.query) * known.heads.head_dim;
  for (const Span& s : spans) {
    for (int row = 0; row < s.rows; ++row) {
      const auto first = out.begin() + (s.first_row + row) * width;
      rows[{to_int(s.sequence), s.position(row)}] = {first, first + width};
    }
  }
}

// Sequences that are longer than a block of keys, and windows that end within one.
class SimdAttend : public testing::Test {
 protected:
  static constexpr int kLength = 210;
  const std::vector<Heads> kHeads = {{3, 1, 64}, {2, 2, 10}, {9, 3, 6}};
  SimdOps ops{2};
};

TEST_F(SimdAttend, ARowOfALongSequenceDoesNotDependOnHowItsPromptIsCut) {
  for (const Heads& heads : kHeads) {
    TestRandom random;
    const KeysAndValues known(random, heads, DType::bf16, {kLength});
    for (const int window : {0, 1, 65, 100}) {
      Rows whole;
      collect(ops, known, {span(0, kLength, 0)}, window, whole);
      for (const int chunk : {1, 17, 64, 65}) {
        Rows cut;
        for (int context = 0; context < kLength; context += chunk) {
          collect(ops, known, {span(0, std::min(chunk, kLength - context), context)}, window, cut,
                  {.block_size = 7, .shuffle = 3});
        }
        EXPECT_EQ(cut, whole) << "chunks of " << chunk << ", window " << window;
      }
    }
  }
}

TEST_F(SimdAttend, ARowOfALongSequenceDoesNotDependOnItsNeighboursOrTheThreads) {
  for (const Heads& heads : kHeads) {
    TestRandom random;
    const KeysAndValues known(random, heads, DType::f32, {kLength, 70, 130});
    const std::vector<Span> spans = {span(0, 60, 150), span(1, 70, 0), span(2, 1, 129)};
    for (const int window : {0, 65}) {
      Rows together, alone;
      SimdOps five(5);
      collect(five, known, in_row_order(spans), window, together);
      for (const Span& s : spans) collect(ops, known, {s}, window, alone);
      EXPECT_EQ(together, alone) << "window " << window;
    }
  }
}

TEST_F(SimdAttend, LongSequencesAreRightWithinTheirRoundings) {
  for (const Heads& heads : kHeads) {
    TestRandom random;
    const KeysAndValues known(random, heads, DType::f16, {kLength});
    for (const int window : {0, 65, 100}) {
      const std::vector<Span> spans = {span(0, kLength, 0)};
      EXPECT_TRUE(within_slack(attend(ops, known, spans, window),
                               attend_oracle(known, spans, window, 0x1p-24)));
    }
  }
}

TEST(SimdPrepare, WeightsOutliveTheOperatorsThatMadeThem) {
  TestRandom random;
  const TestTensor table = random_tensor(random, {100, 33});
  SimdOps other;
  Weight weight;
  {
    SimdOps maker;
    weight = prepared(maker, table);
    // Larger than a piece of memory, and in another one therefore.
    prepared(maker, TestTensor({40000, 256}).tensor());
  }
  const DeviceTensor out(other, {1, 33});
  other.embed(weight, *device_ids(other, {99}), out);
  EXPECT_EQ(out.floats(), floats_of(table.tensor().rows(99, 1)));
}

TEST(SimdPrepare, LetsGoOfTheOwnerAndKeepsTheLogicalShape) {
  SimdOps ops;
  for (const Shape& shape : {Shape{35, 7}, Shape{7}}) {
    const auto owner = std::make_shared<TestTensor>(shape, DType::bf16);
    const Weight weight = ops.prepare(owner->tensor(), owner);
    EXPECT_EQ(owner.use_count(), 1) << "a copy was made; the original may go";
    EXPECT_EQ(weight.tensor.shape(), shape);
    EXPECT_EQ(weight.byte_count(), owner->tensor().byte_count());
  }
}

}  // namespace
}  // namespace quire::test
