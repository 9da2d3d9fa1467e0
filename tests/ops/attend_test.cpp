#include <gtest/gtest.h>

#include <cmath>

#include "tests/ops/device_tensor.h"
#include "tests/ops/keys_and_values.h"
#include "tests/ops/ops_test.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

// A span of a sequence that has as many positions as the span needs.
Span span(int sequence, int rows, int context) {
  return {.sequence = SequenceId{sequence}, .first_row = 0, .rows = rows, .context = context};
}

std::vector<float> copy_of(std::span<const float> x) {
  return {x.begin(), x.end()};
}

class Attend : public OpsTest {
 protected:
  void expect_right(const Heads& heads, const std::vector<Span>& spans, int window = 0,
                    DType dtype = DType::f32, const Layout& layout = {}) {
    SCOPED_TRACE(testing::Message()
                 << heads.query << "/" << heads.kv << " heads of " << heads.head_dim << ", window "
                 << window << ", blocks of " << layout.block_size << ", " << name_of(dtype));
    const StoredAs stored(dtype);
    TestRandom random(++salt_);
    const KeysAndValues known(random, heads, dtype, lengths_of(spans));
    EXPECT_TRUE(within_slack(attend(ops(), known, spans, window, layout),
                             attend_oracle(known, spans, window, unit())));
  }

  static std::vector<int> lengths_of(const std::vector<Span>& spans) {
    std::vector<int> lengths;
    for (const Span& s : spans) lengths.push_back(s.context + s.rows);
    return lengths;
  }

 private:
  std::uint64_t salt_ = 0;
};

QUIRE_ON_ALL_OPS(Attend);

const std::vector<Span> kMixed = in_row_order({span(0, 5, 0), span(1, 1, 16), span(2, 3, 7)});

TEST_P(Attend, QueryHeadsShareKeyAndValueHeadsInGroups) {
  for (const Heads& heads : {Heads{1, 1, 8}, Heads{3, 1, 8}, Heads{14, 2, 8}, Heads{28, 4, 8},
                             Heads{6, 3, 8}, Heads{8, 1, 8}, Heads{32, 8, 8}}) {
    expect_right(heads, kMixed, 0, DType::f32, {.block_size = 3, .shuffle = 5});
  }
}

TEST_P(Attend, EveryHeadDimIsRightWithinItsRoundings) {
  for (const int head_dim : {1, 2, 8, 10, 32, 64, 80, 256}) {
    expect_right({4, 2, head_dim}, kMixed, 0, DType::f32, {.block_size = 4, .shuffle = 6});
  }
}

TEST_P(Attend, KeysAndValuesAreReadAsStored) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (const int head_dim : {2, 10, 64}) {
      expect_right({4, 2, head_dim}, kMixed, 3, dtype, {.block_size = 3, .shuffle = 7});
    }
  }
}

TEST_P(Attend, PromptsOfEveryLengthAroundABlockAreRight) {
  for (const int rows : {1, 2, 15, 16, 17, 63, 64, 65}) {
    expect_right({2, 1, 8}, {span(0, rows, 0)}, 0, DType::f32, {.block_size = 16, .shuffle = 8});
  }
}

TEST_P(Attend, RowsAfterAContextSeeIt) {
  for (const int context : {1, 2, 15, 16, 17, 64, 200}) {
    for (const int rows : {1, 3}) {
      expect_right({2, 1, 8}, {span(0, rows, context)}, 0, DType::f32,
                   {.block_size = 16, .shuffle = 9});
    }
  }
}

TEST_P(Attend, AWindowHidesWhatLiesBeforeIt) {
  for (const int window : {1, 2, 3, 5, 16, 17, 18, 1000}) {
    for (const int block_size : {1, 3, 16, 0}) {
      expect_right({4, 2, 8}, kMixed, window, DType::f32,
                   {.block_size = block_size, .shuffle = 10});
    }
  }
}

TEST_P(Attend, EverySlotThatMustNotBeReadMayHoldNaN) {
  for (const int block_size : {1, 2, 16, 17}) {
    for (const int length : {1, block_size - 1, block_size, block_size + 1}) {
      if (length > 0)
        expect_right({2, 1, 8}, {span(0, length, 0)}, 0, DType::bf16, {block_size, 4});
    }
  }
}

TEST_P(Attend, NoRowIsTouchedByAKeyOrValueAfterIt) {
  TestRandom random;
  KeysAndValues known(random, {2, 1, 8}, DType::f32, {6});
  const std::vector<Span> spans = {span(0, 6, 0)};
  const std::vector<float> expected = attend(ops(), known, spans);
  std::ranges::fill(known.key(0, 5), std::nanf(""));
  std::ranges::fill(known.value(0, 5), std::nanf(""));
  const std::vector<float> poisoned = attend(ops(), known, spans);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i < 5 * 16) {
      EXPECT_EQ(poisoned[i], expected[i]) << "a row before the NaN, element " << i;
    } else {
      EXPECT_TRUE(std::isnan(poisoned[i])) << "the row that sees the NaN";
    }
  }
}

TEST_P(Attend, ARowThatSeesOneKeyReturnsItsValueExactly) {
  TestRandom random;
  KeysAndValues known(random, {2, 1, 8}, DType::f32, {4});
  for (float& x : known.query(0, 0)) x *= 1e6f;
  const std::vector<float> first = attend(ops(), known, {span(0, 1, 0)});
  for (int h = 0; h < 2; ++h) {
    EXPECT_CLOSE(std::vector<float>(first.begin() + h * 8, first.begin() + h * 8 + 8),
                 copy_of(known.value(0, 0)), 0);
  }
  const std::vector<float> windowed = attend(ops(), known, {span(0, 1, 3)}, 1);
  EXPECT_CLOSE(std::vector<float>(windowed.begin(), windowed.begin() + 8),
               copy_of(known.value(0, 3)), 0);
}

// Keys along and against the query, so that scores are +-`magnitude`.
KeysAndValues with_scores(Random& random, const std::vector<float>& scores) {
  KeysAndValues known(random, {1, 1, 4}, DType::f32, {static_cast<int>(scores.size())});
  const int last = static_cast<int>(scores.size()) - 1;
  std::ranges::fill(known.query(0, last), 1.0f);
  for (int p = 0; p <= last; ++p) {
    // Four products of half the score, scaled by 1 / sqrt(4).
    std::ranges::fill(known.key(0, p), scores[static_cast<std::size_t>(p)] / 2);
  }
  return known;
}

TEST_P(Attend, VeryLargeAndVerySmallScoresLeaveTheLargestAlone) {
  TestRandom random;
  KeysAndValues known = with_scores(random, {1e4f, -1e4f, 9e3f, 0, -1e30f});
  const std::vector<float> out = attend(ops(), known, {span(0, 1, 4)});
  EXPECT_CLOSE(out, copy_of(known.value(0, 0)), 0, {.invariant = "e^-1000 is nothing beside 1"});
}

TEST_P(Attend, ASoftmaxThatForgetsTheMaximumIsNoticed) {
  TestRandom random;
  const std::vector<Span> last = {span(0, 1, 1)};
  const KeysAndValues known = with_scores(random, {1e4f, 9e3f});
  const float top = std::exp(1e4f), other = std::exp(9e3f);
  const std::vector<float> forgetful(4, top / (top + other));
  EXPECT_FALSE(within_slack(forgetful, attend_oracle(known, last, 0, unit())));
}

TEST_P(Attend, ScoresThatAreAllVeryNegativeAreStillADistribution) {
  TestRandom random;
  const std::vector<Span> last = {span(0, 1, 3)};
  const KeysAndValues known = with_scores(random, {-1e4f, -1e4f, -10001.0f, -1e4f});
  EXPECT_TRUE(within_slack(attend(ops(), known, last), attend_oracle(known, last, 0, unit())));
}

TEST_P(Attend, LargeScoresThatLieCloseAreMixed) {
  TestRandom random;
  const std::vector<Span> last = {span(0, 1, 3)};
  const KeysAndValues known = with_scores(random, {1e4f, 10001.0f, 1e4f, 9999.0f});
  EXPECT_TRUE(within_slack(attend(ops(), known, last), attend_oracle(known, last, 0, unit())));
}

TEST_P(Attend, MistakesAreNoticed) {
  TestRandom random;
  // One position more than is stored, for the mistake that looks at it.
  const KeysAndValues known(random, {6, 3, 8}, DType::f32, {6, 18, 12});
  const std::vector<Span> spans = in_row_order({span(0, 4, 1), span(1, 1, 16), span(2, 3, 7)});
  const std::vector<float> out = attend(ops(), known, spans, 5, {.block_size = 3, .shuffle = 3});
  EXPECT_TRUE(within_slack(out, attend_oracle(known, spans, 5, unit())));
  for (const Mistake mistake : {Mistake::sees_next, Mistake::misses_self, Mistake::wide_window,
                                Mistake::other_heads, Mistake::no_scale}) {
    EXPECT_FALSE(within_slack(out, attend_oracle(known, spans, 5, unit(), mistake)))
        << "mistake " << static_cast<int>(mistake);
  }
}

TEST_P(Attend, NoRowsAreNoWork) {
  TestRandom random;
  const KeysAndValues known(random, {2, 1, 8}, DType::f32, {});
  EXPECT_TRUE(attend(ops(), known, {}).empty());
  EXPECT_EQ(ops().counters(), Counters());
}

TEST_P(Attend, BillsVisibleKeysAndEachStoredRowOnce) {
  TestRandom random;
  const KeysAndValues known(random, {4, 2, 8}, DType::bf16, {3, 10});
  attend(ops(), known, in_row_order({span(0, 3, 0), span(1, 2, 8)}), 0, {.block_size = 4});
  // Rows see 1 + 2 + 3 and 9 + 10 keys: 25, 4 FLOPs for each of 4 x 8 elements of a query.
  // Stored rows: 3 and 10, of 2 x 2 x 8 numbers of 2 bytes; table entries: 1 and 3, of 4 bytes.
  expect_bill(Operator::attend, {.flops = 25 * 4 * 32,
                                 .bytes_read = 5 * 32 * 4 + 13 * 64 + 4 * 4,
                                 .bytes_written = 5 * 32 * 4});
}

TEST_P(Attend, AWindowLowersTheBill) {
  TestRandom random;
  const KeysAndValues known(random, {4, 2, 8}, DType::f32, {10});
  attend(ops(), known, {span(0, 2, 8)}, 3, {.block_size = 4});
  // Two rows see 3 keys each; positions 6 to 9 are read, in blocks 1 and 2.
  expect_bill(Operator::attend, {.flops = 6 * 4 * 32,
                                 .bytes_read = 2 * 32 * 4 + 4 * 128 + 2 * 4,
                                 .bytes_written = 2 * 32 * 4});
}

}  // namespace
}  // namespace quire::test
