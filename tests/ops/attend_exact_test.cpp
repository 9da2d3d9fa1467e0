// What attention promises bit for bit: placement, neighbours and chunks change nothing.
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "tests/ops/keys_and_values.h"
#include "tests/ops/ops_test.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

Span span(int sequence, int rows, int context) {
  return {.sequence = SequenceId{sequence}, .first_row = 0, .rows = rows, .context = context};
}

// Heads whose rows begin at every alignment, and some of usual sizes.
const std::vector<Heads> kHeads = {{3, 1, 2}, {4, 2, 10}, {2, 2, 17}, {4, 1, 64}, {2, 1, 80}};

class AttendExact : public OpsTest {
 protected:
  static constexpr int kWindows[] = {0, 1, 3, 20};
};

QUIRE_ON_ALL_OPS(AttendExact);

TEST_P(AttendExact, PlacementDoesNotChangeABit) {
  const std::vector<Span> spans = in_row_order({span(0, 4, 0), span(1, 1, 36), span(2, 3, 14)});
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const Heads& heads : kHeads) {
      TestRandom random;
      const KeysAndValues known(random, heads, dtype, {4, 37, 17});
      for (const int window : kWindows) {
        const std::vector<float> contiguous = attend(ops(), known, spans, window);
        for (const int block_size : {1, 3, 16, 64}) {
          for (const std::uint64_t shuffle : {0, 1, 2}) {
            EXPECT_EQ(attend(ops(), known, spans, window, {block_size, shuffle}), contiguous)
                << "blocks of " << block_size << ", disorder " << shuffle;
          }
        }
      }
    }
  }
}

// The results of some calls, row by row, by sequence and position.
using Rows = std::map<std::pair<int, int>, std::vector<float>>;

void collect(Ops& ops, const KeysAndValues& known, const std::vector<Span>& spans, int window,
             Rows& rows) {
  const std::vector<float> out = attend(ops, known, spans, window, {.block_size = 3, .shuffle = 4});
  const auto width = static_cast<Index>(known.heads.query) * known.heads.head_dim;
  for (const Span& s : spans) {
    for (int row = 0; row < s.rows; ++row) {
      const auto first = out.begin() + (s.first_row + row) * width;
      rows[{to_int(s.sequence), s.position(row)}] = {first, first + width};
    }
  }
}

TEST_P(AttendExact, ARowDoesNotDependOnItsNeighboursInTheStep) {
  for (const Heads& heads : kHeads) {
    TestRandom random;
    const KeysAndValues known(random, heads, DType::f32, {9, 30, 12});
    for (const int window : kWindows) {
      Rows together, alone;
      collect(ops(), known, in_row_order({span(1, 5, 25), span(0, 9, 0), span(2, 1, 11)}), window,
              together);
      for (const Span& s : {span(0, 9, 0), span(1, 5, 25), span(2, 1, 11)}) {
        collect(ops(), known, {s}, window, alone);
      }
      EXPECT_EQ(together, alone) << heads.head_dim;
    }
  }
}

TEST_P(AttendExact, ARowDoesNotDependOnHowItsPromptIsCut) {
  for (const Heads& heads : kHeads) {
    TestRandom random;
    const KeysAndValues known(random, heads, DType::f32, {23});
    for (const int window : kWindows) {
      Rows whole;
      collect(ops(), known, {span(0, 23, 0)}, window, whole);
      for (const int chunk : {1, 3, 22}) {
        Rows cut;
        for (int context = 0; context < 23; context += chunk) {
          collect(ops(), known, {span(0, std::min(chunk, 23 - context), context)}, window, cut);
        }
        EXPECT_EQ(cut, whole) << "chunks of " << chunk << ", heads of " << heads.head_dim;
      }
    }
  }
}

TEST_P(AttendExact, TheSameSequenceTwiceGivesTheSameRowsTwice) {
  TestRandom random;
  const KeysAndValues known(random, {4, 2, 10}, DType::f32, {12});
  const auto spans = in_row_order({span(0, 3, 9), span(0, 3, 9)});
  const std::vector<float> out = attend(ops(), known, spans, 0, {.block_size = 5, .shuffle = 8});
  const auto middle = out.begin() + static_cast<std::ptrdiff_t>(out.size() / 2);
  EXPECT_TRUE(std::equal(out.begin(), middle, middle));
}

TEST_P(AttendExact, AChangedKeyIsNoticed) {
  TestRandom random;
  KeysAndValues known(random, {2, 1, 8}, DType::f32, {9});
  const std::vector<float> before = attend(ops(), known, {span(0, 1, 8)});
  known.key(0, 4)[3] += 0.5f;
  EXPECT_NE(attend(ops(), known, {span(0, 1, 8)}), before);
}

TEST(Slots, AddressesBeyond32BitsDoNotOverflow) {
  EXPECT_EQ(to_int(slot_of(BlockId{1 << 20}, 256, 255)), (Index{1} << 28) + 255);
  EXPECT_EQ(to_int(slot_of(BlockId{(1 << 30) - 1}, 1 << 10, 5)), ((Index{1} << 30) - 1) * 1024 + 5);
}

TEST(Slots, ASequenceNeedsOneBlockForEveryBeginningOfOne) {
  EXPECT_EQ(blocks_needed(0, 16), 0);
  EXPECT_EQ(blocks_needed(1, 16), 1);
  EXPECT_EQ(blocks_needed(16, 16), 1);
  EXPECT_EQ(blocks_needed(17, 16), 2);
}

TEST(AttentionMask, ARowSeesItsWindowUpToItself) {
  const AttentionMask all{}, three{.scale = 1, .window = 3};
  EXPECT_EQ(all.first_visible(100), 0);
  EXPECT_EQ(three.first_visible(0), 0);
  EXPECT_EQ(three.first_visible(2), 0);
  EXPECT_EQ(three.first_visible(3), 1);
}

}  // namespace
}  // namespace quire::test
