// Every version of the attention kernels against the oracle, in four orders of threads. What each
// implementation of attention promises is in tests/ops; this is about what only kernels can get wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/ops/kernel_ops.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/ops/keys_and_values.h"
#include "tests/support/comparison_log.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using kernels::AttentionKernel;

struct Version {
  const char* name;  // as the comparison report calls it
  AttentionKernel kernel;
};

constexpr Version kScores = {"v0 scores", AttentionKernel::scores};
constexpr Version kOnline = {"v1 online", AttentionKernel::online};
constexpr Version kSplit = {"v2 split", AttentionKernel::split};

Span span(int sequence, int rows, int context) {
  return {.sequence = SequenceId{sequence}, .first_row = 0, .rows = rows, .context = context};
}

std::vector<int> lengths_of(const std::vector<Span>& spans) {
  std::vector<int> lengths;
  for (const Span& s : spans) lengths.push_back(s.context + s.rows);
  return lengths;
}

// A call, and how its keys and values lie.
struct Case {
  Heads heads;
  std::vector<Span> spans;
  int window = 0;
  DType dtype = DType::f32;
  int block_size = 16;
};

const std::vector<Span> kShort = in_row_order({span(0, 5, 0), span(1, 1, 32), span(2, 3, 7)});

class AttendKernels : public testing::TestWithParam<std::tuple<Version, ThreadOrdering>> {
 protected:
  AttendKernels() {
    comparing(
        {.implementation = back_end(), .variant = ordering().name, .version = version().name});
    if (simt::device_name() == nullptr) return;
    simt::set_order(ordering().order, ordering().seed);
    ops_ = std::make_unique<KernelOps>("under test", version().kernel);
  }
  ~AttendKernels() override { simt::set_order(simt::Order::ascending); }
  void SetUp() override {
    if (!ops_) GTEST_SKIP() << "there is no GPU here that runs CUDA";
  }

  Ops& ops() { return *ops_; }
  static const Version& version() { return std::get<0>(GetParam()); }
  static const ThreadOrdering& ordering() { return std::get<1>(GetParam()); }

  void expect_right(const Case& c) {
    SCOPED_TRACE(testing::Message() << c.heads.query << "/" << c.heads.kv << " heads of "
                                    << c.heads.head_dim << ", window " << c.window << ", blocks of "
                                    << c.block_size << ", " << name_of(c.dtype));
    const StoredAs stored(c.dtype);
    TestRandom random(++salt_);
    const KeysAndValues known(random, c.heads, c.dtype, lengths_of(c.spans));
    EXPECT_TRUE(within_slack(attend(ops(), known, c.spans, c.window, {c.block_size, salt_}),
                             attend_oracle(known, c.spans, c.window, kUnit)));
  }

  static constexpr double kUnit = 0x1p-24;

 private:
  std::unique_ptr<Ops> ops_;
  std::uint64_t salt_ = 0;
};

std::string name_of_instance(
    const testing::TestParamInfo<std::tuple<Version, ThreadOrdering>>& info) {
  // "v0 scores" and "shuffled:1" become v0scoresShuffled1, as tests are called.
  std::string order = std::get<1>(info.param).name;
  order[0] = static_cast<char>(std::toupper(order[0]));
  std::string name = std::get<0>(info.param).name + order;
  std::erase_if(name, [](char c) { return c == ' ' || c == ':'; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(On, AttendKernels,
                         testing::Combine(testing::Values(kScores, kOnline, kSplit),
                                          testing::ValuesIn(kThreadOrders)),
                         name_of_instance);

TEST_P(AttendKernels, HeadsOfEverySizeAreRight) {
  for (const int head_dim : {1, 16, 17, 20, 32, 64, 80, 96, 128, 130, 256}) {
    expect_right({.heads = {2, 1, head_dim}, .spans = kShort});
  }
}

TEST_P(AttendKernels, HeadsInGroupsOfEverySizeAreRight) {
  for (const Heads& heads : {Heads{2, 2, 16}, Heads{6, 2, 16}, Heads{8, 2, 16}, Heads{8, 1, 16}}) {
    expect_right({.heads = heads, .spans = kShort});
  }
}

TEST_P(AttendKernels, BlocksOfEverySizeAreRight) {
  // 0 is a slab: one block that holds all.
  for (const int block_size : {1, 3, 16, 256, 0}) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
      expect_right(
          {.heads = {3, 1, 20}, .spans = kShort, .dtype = dtype, .block_size = block_size});
    }
  }
}

TEST_P(AttendKernels, WindowsOfEverySizeAreRight) {
  for (const int window : {1, 5, 31, 32, 33, 100}) {
    expect_right({.heads = {2, 1, 16}, .spans = kShort, .window = window, .block_size = 3});
  }
}

TEST_P(AttendKernels, SequencesAroundTheEndOfATileOrAPieceAreRight) {
  for (const int length : {31, 32, 33, 255, 256, 257, 288, 513}) {
    expect_right({.heads = {2, 1, 16}, .spans = {span(0, 1, length - 1)}, .dtype = DType::bf16});
  }
}

TEST_P(AttendKernels, ChunksThatEndInDifferentPiecesAreRight) {
  const auto spans = in_row_order({span(0, 3, 254), span(1, 1, 600), span(2, 0, 5), span(3, 4, 0)});
  for (const int window : {0, 300}) {
    expect_right({.heads = {3, 1, 20}, .spans = spans, .window = window, .block_size = 3});
  }
}

TEST_P(AttendKernels, PlacementDoesNotChangeABitOfALongSequence) {
  TestRandom random;
  const std::vector<Span> spans = in_row_order({span(0, 2, 300), span(1, 1, 40)});
  const KeysAndValues known(random, {2, 1, 20}, DType::f16, {302, 41});
  const std::vector<float> slab = attend(ops(), known, spans);
  for (const int block_size : {1, 3, 16, 256}) {
    EXPECT_EQ(attend(ops(), known, spans, 0, {block_size, 7}), slab) << block_size;
  }
}

TEST_P(AttendKernels, ALongNeighbourDoesNotChangeABit) {
  TestRandom random;
  const KeysAndValues known(random, {2, 1, 16}, DType::f32, {300, 700});
  const std::vector<float> alone = attend(ops(), known, {span(0, 1, 299)});
  std::vector<float> beside =
      attend(ops(), known, in_row_order({span(0, 1, 299), span(1, 1, 699)}));
  beside.resize(alone.size());
  EXPECT_EQ(beside, alone);
}

TEST_P(AttendKernels, OtherSpansOfTheSameRowsAreNotTakenForTheOnesBefore) {
  TestRandom random;
  const KeysAndValues known(random, {2, 1, 16}, DType::f32, {9, 9});
  const std::vector<std::vector<Span>> calls = {
      in_row_order({span(0, 2, 3), span(1, 2, 5)}), in_row_order({span(0, 3, 3), span(1, 1, 5)}),
      in_row_order({span(0, 2, 4), span(1, 2, 5)}), in_row_order({span(0, 2, 3), span(1, 2, 5)})};
  for (const auto& spans : calls) {
    EXPECT_TRUE(within_slack(attend(ops(), known, spans), attend_oracle(known, spans, 0, kUnit)));
  }
}

TEST_P(AttendKernels, AWholeTileOfScoresThatOverflowedWeighsNothing) {
  TestRandom random;
  KeysAndValues known(random, {1, 1, 16}, DType::f32, {40});
  std::ranges::fill(known.query(0, 39), 1e30f);
  for (int p = 0; p < 40; ++p) std::ranges::fill(known.key(0, p), p < 33 ? -1e30f : 0.0f);
  std::vector<double> mean(16);
  for (int p = 33; p < 40; ++p) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += known.value(0, p)[i] / 7.0;
  }
  // Seven equal weights, summed, multiplied, summed again and divided.
  EXPECT_CLOSE(attend(ops(), known, {span(0, 1, 39)}), mean, gamma(20, kUnit));
}

TEST_P(AttendKernels, MistakesInALongSequenceAreNoticed) {
  TestRandom random;
  const KeysAndValues known(random, {6, 3, 16}, DType::f32, {303});
  const std::vector<Span> spans = {span(0, 2, 300)};
  const std::vector<float> out = attend(ops(), known, spans, 290, {.block_size = 3, .shuffle = 3});
  EXPECT_TRUE(within_slack(out, attend_oracle(known, spans, 290, kUnit)));
  for (const Mistake mistake : {Mistake::sees_next, Mistake::misses_self, Mistake::wide_window,
                                Mistake::other_heads, Mistake::no_scale}) {
    EXPECT_FALSE(within_slack(out, attend_oracle(known, spans, 290, kUnit, mistake)))
        << "mistake " << static_cast<int>(mistake);
  }
}

TEST_P(AttendKernels, PiecesThatAreNotWeighedByTheirSumsAreNoticed) {
  TestRandom random;
  const KeysAndValues known(random, {1, 1, 16}, DType::f32, {300});
  const std::vector<Span> last = {span(0, 1, 299)};
  const Oracle right = attend_oracle(known, last, 0, kUnit);
  EXPECT_TRUE(within_slack(attend(ops(), known, last), right));
  // The last 44 keys by themselves, and as much of the others as if both parts weighed the same.
  Oracle wrong = attend_oracle(known, last, 44, kUnit);
  for (std::size_t i = 0; i < 16; ++i) wrong.values[i] = (wrong.values[i] + right.values[i]) / 2;
  EXPECT_FALSE(within_slack(attend(ops(), known, last), wrong));
}

TEST_P(AttendKernels, HeadsThatNoWarpCanHoldAreRefused) {
  TestRandom random;
  const KeysAndValues known(random, {1, 1, 257}, DType::f32, {1});
  expect_error([&] { attend(ops(), known, {span(0, 1, 0)}); }, {"attend", "257", "at most 256"});
}

class AttendSplit : public KernelTest {};

TEST_F(AttendSplit, GivesTheBitsOfOnePass) {
  const auto spans = in_row_order({span(0, 2, 255), span(1, 1, 520), span(2, 3, 0)});
  const std::vector<std::pair<DType, int>> formats = {
      {DType::f32, 20}, {DType::f16, 80}, {DType::bf16, 256}};
  in_every_order([&](std::uint64_t salt) {
    KernelOps online("one pass", AttentionKernel::online), split("split", AttentionKernel::split);
    const int window = salt % 2 == 0 ? 0 : 300;
    for (const auto& [dtype, head_dim] : formats) {
      TestRandom random(salt);
      const KeysAndValues known(random, {2, 1, head_dim}, dtype, lengths_of(spans));
      EXPECT_EQ(attend(split, known, spans, window), attend(online, known, spans, window))
          << name_of(dtype) << ", heads of " << head_dim << ", window " << window;
    }
  });
}

}  // namespace
}  // namespace quire::test
