#include "chapters/08_static_batching/slab_allocator.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/support/test_random.h"

namespace quire::test {
namespace {

// A region of units, each held or not, beside an allocator.
class Region {
 public:
  Region(Fit fit, int units)
      : allocator(make_allocator(fit, units)), held_(static_cast<std::size_t>(units), false) {}

  std::optional<Piece> allocate(int units) {
    const auto piece = allocator->allocate(units);
    if (piece) mark(*piece, true);
    return piece;
  }
  void release(Piece piece) {
    mark(piece, false);
    allocator->release(piece);
  }
  // Whether a piece of so many units is free, at a multiple of a number.
  bool has_free(int units, int multiple) const {
    const int all = static_cast<int>(held_.size());
    for (int first = 0; first + units <= all; first += multiple) {
      const auto begin = held_.begin() + first;
      if (std::find(begin, begin + units, true) == begin + units) return true;
    }
    return false;
  }

  std::unique_ptr<SlabAllocator> allocator;

 private:
  void mark(Piece piece, bool held) {
    for (int i = 0; i < piece.units; ++i) {
      const bool unit = held_.at(static_cast<std::size_t>(piece.first + i));
      ASSERT_NE(unit, held) << "unit " << piece.first + i << " has two holders, or none";
      held_[static_cast<std::size_t>(piece.first + i)] = held;
    }
  }

  std::vector<bool> held_;
};

TEST(FirstFit, TakesTheFirstGapThatIsLongEnough) {
  FirstFit region(10);
  const auto a = region.allocate(3), b = region.allocate(2), c = region.allocate(5);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(c->first, 5);
  EXPECT_FALSE(region.allocate(1));
  region.release(*a);
  region.release(*c);
  EXPECT_FALSE(region.allocate(6)) << "8 units are free, in pieces of 3 and 5";
  EXPECT_EQ(region.allocate(4)->first, 5);
  EXPECT_EQ(region.allocate(3)->first, 0);
}

TEST(FirstFit, NeighboursBecomeOnePieceInAnyOrder) {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
  for (const auto& order : orders) {
    FirstFit region(9);
    std::vector<Piece> pieces;
    for (int i = 0; i < 3; ++i) pieces.push_back(*region.allocate(3));
    for (const int i : order) region.release(pieces[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(region.allocate(9));
  }
}

TEST(Buddy, PiecesArePowersOfTwoAtMultiplesOfThemselves) {
  Buddy region(16);
  const auto a = region.allocate(3), b = region.allocate(1), c = region.allocate(5);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->first, 0);
  EXPECT_EQ(a->units, 4);
  EXPECT_EQ(b->first, 4);
  EXPECT_EQ(b->units, 1);
  EXPECT_EQ(c->first, 8);
  EXPECT_EQ(c->units, 8);
  EXPECT_FALSE(region.allocate(4)) << "3 units are free, in pieces of 1 and 2";
  EXPECT_EQ(region.allocate(2)->first, 6) << "the smallest piece that is long enough";
}

TEST(Buddy, OnlyBuddiesAreJoined) {
  Buddy region(8);
  std::vector<Piece> pieces;
  for (int i = 0; i < 4; ++i) pieces.push_back(*region.allocate(2));
  region.release(pieces[2]);
  region.release(pieces[1]);
  EXPECT_FALSE(region.allocate(4)) << "units 2 to 5 are free, but no piece of 4 units begins at 2";
  region.release(pieces[0]);
  EXPECT_EQ(region.allocate(4)->first, 0);
}

TEST(Buddy, ARegionOfAnyLengthIsUsedWhole) {
  Buddy region(13);
  EXPECT_EQ(region.longest(), 8);
  EXPECT_FALSE(region.allocate(9));
  EXPECT_EQ(region.allocate(8)->first, 0);
  EXPECT_EQ(region.allocate(4)->first, 8);
  EXPECT_EQ(region.allocate(1)->first, 12);
  EXPECT_FALSE(region.allocate(1));
}

class AnyAllocator : public testing::TestWithParam<Fit> {};
INSTANTIATE_TEST_SUITE_P(Of, AnyAllocator, testing::Values(Fit::first, Fit::buddy),
                         [](const auto& info) {
                           return info.param == Fit::first ? "FirstFit" : "Buddy";
                         });

TEST_P(AnyAllocator, GivesNoUnitTwiceAndRefusesOnlyWhatDoesNotFit) {
  TestRandom random;
  for (int run = 0; run < 200; ++run) {
    const int units = 1 + static_cast<int>(random.below(40));
    Region region(GetParam(), units);
    std::vector<Piece> pieces;
    for (int call = 0; call < 80; ++call) {
      if (!pieces.empty() && random.below(2) == 0) {
        std::swap(pieces[random.below(pieces.size())], pieces.back());
        ASSERT_NO_FATAL_FAILURE(region.release(pieces.back()));
        pieces.pop_back();
        continue;
      }
      const int wanted = 1 + static_cast<int>(random.below(12));
      const bool buddy = GetParam() == Fit::buddy;
      const int length =
          buddy ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(wanted))) : wanted;
      const bool fits = region.has_free(length, buddy ? length : 1);
      const auto piece = region.allocate(wanted);
      ASSERT_EQ(piece.has_value(), fits) << wanted << " of " << units;
      if (!piece) continue;
      ASSERT_EQ(piece->units, length);
      pieces.push_back(*piece);
    }
    for (const Piece piece : pieces) region.release(piece);
    EXPECT_TRUE(region.allocator->allocate(region.allocator->longest()))
        << "what is free again is one piece again";
  }
}

}  // namespace
}  // namespace quire::test
