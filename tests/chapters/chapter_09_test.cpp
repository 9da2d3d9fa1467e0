#include <gtest/gtest.h>

#include <map>

#include "chapters/09_paged_attention/block_manager.h"
#include "src/core/error.h"
#include "tests/support/block_ids.h"
#include "tests/support/close.h"
#include "tests/support/print_ids.h"
#include "tests/support/test_random.h"

// The bookkeeping of blocks.
namespace quire::test {
namespace {

constexpr SequenceId kA{0}, kB{1}, kC{2};

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "09#five-tokens-in-blocks-of-two"};
}

// A manager beside a store whose rows are numbers, so that a test can see who wrote what where.
class Books {
 public:
  Books(int blocks, int block_size)
      : manager(blocks, block_size),
        slots_(static_cast<std::size_t>(blocks * block_size), kGarbage) {}

  bool open(SequenceId sequence) { return manager.open(sequence, {}, 0); }

  bool reserve(SequenceId sequence, int rows) {
    copies_pending_ = true;
    return manager.reserve(sequence, rows);
  }

  // A step of one sequence; false if it has no room.
  bool step(SequenceId sequence, int rows) {
    if (!reserve(sequence, rows)) return false;
    for (const BlockCopy& copy : manager.take_copies()) copy_block(copy);
    copies_pending_ = false;
    for (int row = 0; row < rows; ++row) {
      at(sequence, manager.stored(sequence) + row) = ++written_;
      expected_[sequence].push_back(written_);
    }
    manager.commit(sequence, rows);
    return true;
  }

  void fork(SequenceId parent, SequenceId child) {
    manager.fork(parent, child);
    expected_[child] = expected_[parent];
  }

  void truncate(SequenceId sequence, int rows) {
    manager.truncate(sequence, rows);
    expected_[sequence].resize(static_cast<std::size_t>(rows));
  }

  void release(SequenceId sequence) {
    manager.release(sequence);
    expected_.erase(sequence);
  }

  // Every row of every sequence is the one that was written for it, once the step's copies are made.
  void expect_nothing_lost() {
    ASSERT_NO_THROW(manager.check_invariants()) << fact("free + held = all; references = tables");
    if (copies_pending_) return;
    for (const auto& [sequence, rows] : expected_) {
      ASSERT_EQ(manager.stored(sequence), static_cast<int>(rows.size()));
      for (std::size_t p = 0; p < rows.size(); ++p) {
        ASSERT_EQ(at(sequence, static_cast<int>(p)), rows[p])
            << "position " << p << " of sequence " << to_int(sequence) << "\n"
            << fact("a row is read where it was written, whatever its neighbours do");
      }
    }
  }

  BlockManager manager;

 private:
  static constexpr int kGarbage = -1;

  int& at(SequenceId sequence, int position) {
    const int size = manager.block_size();
    const BlockId block = manager.table(sequence)[static_cast<std::size_t>(position / size)];
    return slots_.at(static_cast<std::size_t>(to_int(slot_of(block, size, position))));
  }

  void copy_block(const BlockCopy& copy) {
    const auto size = static_cast<std::size_t>(manager.block_size());
    const auto from = static_cast<std::size_t>(to_int(copy.from)) * size;
    const auto to = static_cast<std::size_t>(to_int(copy.to)) * size;
    std::copy_n(slots_.begin() + static_cast<Index>(from), size,
                slots_.begin() + static_cast<Index>(to));
  }

  std::vector<int> slots_;
  std::map<SequenceId, std::vector<int>> expected_;
  int written_ = 0;
  bool copies_pending_ = false;
};

std::vector<int> blocks_of(const BlockManager& manager, SequenceId sequence) {
  std::vector<int> blocks;
  for (const BlockId block : manager.table(sequence)) blocks.push_back(to_int(block));
  return blocks;
}

TEST(FreeList, GivesOutWhatHasBeenFreeForLongest) {
  FreeList list(3);
  EXPECT_EQ(list.pop_front(), BlockId{0});
  list.push_back(BlockId{0});
  EXPECT_EQ(list.in_order(), block_ids({1, 2, 0}));
  list.remove(BlockId{2});
  EXPECT_EQ(list.in_order(), block_ids({1, 0}));
  EXPECT_FALSE(list.contains(BlockId{2}));
}

TEST(FreeList, RefusesWhatWouldTangleIt) {
  FreeList list(2);
  EXPECT_THROW(list.push_back(BlockId{1}), Error);
  list.remove(BlockId{1});
  EXPECT_THROW(list.remove(BlockId{1}), Error);
  list.pop_front();
  EXPECT_THROW(list.pop_front(), Error);
  EXPECT_THROW(FreeList(0), Error);
}

TEST(BlockPool, ABlockIsFreeAfterItsLastHolderLetGo) {
  BlockPool pool(2);
  const BlockId block = pool.allocate();
  pool.share(block);
  pool.release(block);
  EXPECT_EQ(pool.references(block), 1) << fact("a shared block stays while anybody holds it");
  EXPECT_EQ(pool.free_blocks(), 1);
  pool.release(block);
  EXPECT_EQ(pool.free_blocks(), 2) << fact("free + held = all");
}

TEST(BlockPool, FreeingTwiceOrTheUnknownIsAnErrorAndChangesNothing) {
  BlockPool pool(2);
  const BlockId block = pool.allocate();
  pool.release(block);
  EXPECT_THROW(pool.release(block), Error);
  EXPECT_THROW(pool.share(block), Error);
  EXPECT_THROW(pool.release(BlockId{2}), Error);
  EXPECT_THROW(pool.release(BlockId{-1}), Error);
  EXPECT_EQ(pool.free_blocks(), 2);
  EXPECT_NO_THROW(pool.check_invariants({}));
}

TEST(BlockPool, ItsCheckNoticesATableThatIsNotCounted) {
  BlockPool pool(3);
  const BlockId block = pool.allocate();
  const std::vector<BlockId> once = {block}, other = {BlockId{2}};
  const std::vector<std::span<const BlockId>> right = {once}, twice = {once, once}, wrong = {other};
  EXPECT_NO_THROW(pool.check_invariants(right));
  EXPECT_THROW(pool.check_invariants(twice), Error);
  EXPECT_THROW(pool.check_invariants(wrong), Error);
  EXPECT_THROW(pool.check_invariants({}), Error);
}

TEST(BlockManager, TakesABlockWhenItNeedsOneAndNotEarlier) {
  for (const int block_size : {1, 2, 3, 16, 256}) {
    for (const int prompt : {block_size - 1, block_size, block_size + 1}) {
      Books books(8, block_size);
      ASSERT_TRUE(books.open(kA));
      EXPECT_TRUE(books.manager.table(kA).empty()) << fact("no rows, no blocks");
      ASSERT_TRUE(books.step(kA, prompt));
      for (int i = 0; i < 2 * block_size + 2; ++i) {
        ASSERT_TRUE(books.step(kA, 1));
        const int stored = books.manager.stored(kA);
        ASSERT_EQ(static_cast<Index>(books.manager.table(kA).size()),
                  blocks_needed(stored, block_size))
            << fact("after a step a table has ceil(stored / block_size) blocks");
      }
      books.expect_nothing_lost();
    }
  }
}

TEST(BlockManager, ALargerRoomThatWasNotUsedGoesBack) {
  Books books(4, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.manager.reserve(kA, 8));
  EXPECT_EQ(books.manager.pool().free_blocks(), 0);
  ASSERT_TRUE(books.manager.reserve(kA, 1));
  EXPECT_EQ(books.manager.pool().free_blocks(), 3) << fact("the latest reservation counts");
  EXPECT_THROW(books.manager.commit(kA, 2), Error) << fact("no more is committed than reserved");
}

TEST(BlockManager, WithoutRoomNothingChanges) {
  Books books(3, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.step(kA, 3));
  ASSERT_TRUE(books.open(kB));
  EXPECT_FALSE(books.step(kB, 3)) << fact("two blocks are needed, one is free");
  EXPECT_TRUE(books.manager.table(kB).empty()) << fact("a refused reservation changes nothing");
  EXPECT_TRUE(books.step(kB, 2)) << fact("what fits is not refused");
  EXPECT_TRUE(books.step(kA, 1)) << fact("the last place of a block can be used");
  EXPECT_FALSE(books.step(kA, 1));
  books.expect_nothing_lost();
}

TEST(BlockManager, WhatCanNeverFitIsRefusedWithItsNumbers) {
  Books books(50, 16);
  EXPECT_NO_THROW(books.manager.open(kA, {}, 800));
  try {
    books.manager.open(kB, {}, 1002);
    ADD_FAILURE() << fact("waiting for more room than there is would never end");
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const char* part : {"1002", "63", "50", "never"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
}

TEST(BlockManager, AForkSharesBlocksAndCopiesTheOneItWrites) {
  Books books(6, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.step(kA, 3));
  books.fork(kA, kB);
  EXPECT_EQ(blocks_of(books.manager, kB), blocks_of(books.manager, kA))
      << fact("a fork costs no block");
  EXPECT_EQ(books.manager.pool().free_blocks(), 4);
  ASSERT_TRUE(books.step(kB, 1));
  EXPECT_EQ(books.manager.table(kA)[0], books.manager.table(kB)[0])
      << fact("a full shared block is never written, so it stays shared");
  EXPECT_NE(books.manager.table(kA)[1], books.manager.table(kB)[1])
      << fact("a block with two owners is copied before it is written");
  ASSERT_TRUE(books.step(kA, 1));
  EXPECT_EQ(books.manager.pool().free_blocks(), 3)
      << fact("the last owner writes in place: one copy for two owners");
  books.expect_nothing_lost();
}

TEST(BlockManager, AForkAtTheEndOfABlockNeedsNoCopy) {
  Books books(6, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.step(kA, 4));
  books.fork(kA, kB);
  ASSERT_TRUE(books.manager.reserve(kB, 1));
  EXPECT_TRUE(books.manager.take_copies().empty());
}

TEST(BlockManager, ACopyCountsWhenRoomIsShort) {
  Books books(3, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.step(kA, 3));
  books.fork(kA, kB);
  ASSERT_TRUE(books.open(kC));
  ASSERT_TRUE(books.step(kC, 1));
  EXPECT_FALSE(books.step(kB, 1)) << fact("the copy of a shared block needs a free block too");
  books.release(kC);
  EXPECT_TRUE(books.step(kB, 1));
  books.expect_nothing_lost();
}

TEST(BlockManager, ForgottenRowsGiveTheirBlocksBack) {
  Books books(5, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.step(kA, 7));
  books.truncate(kA, 4);
  EXPECT_EQ(books.manager.pool().free_blocks(), 3) << fact("blocks without rows are free");
  books.truncate(kA, 3);
  EXPECT_EQ(books.manager.pool().free_blocks(), 3) << fact("a block with one row is needed");
  EXPECT_THROW(books.manager.truncate(kA, 4), Error) << fact("forgetting does not store rows");
  EXPECT_THROW(books.manager.commit(kA, 1), Error) << fact("forgetting ends a reservation");
  ASSERT_TRUE(books.step(kA, 5));
  books.expect_nothing_lost();
}

TEST(BlockManager, AReleasedSequenceLeavesNothingBehind) {
  Books books(5, 2);
  ASSERT_TRUE(books.open(kA));
  ASSERT_TRUE(books.step(kA, 5));
  books.fork(kA, kB);
  ASSERT_TRUE(books.manager.reserve(kB, 2));
  books.release(kB);
  books.release(kA);
  EXPECT_EQ(books.manager.pool().free_blocks(), 5) << fact("free + held = all");
  EXPECT_THROW(books.manager.release(kA), Error);
  EXPECT_THROW(books.manager.stored(kA), Error);
  books.expect_nothing_lost();
}

TEST(BlockManager, AnyCallsInAnyOrderLoseNothing) {
  TestRandom random;
  for (int run = 0; run < 300; ++run) {
    const int blocks = 1 + static_cast<int>(random.below(12));
    Books books(blocks, 1 + static_cast<int>(random.below(5)));
    std::vector<SequenceId> open;
    int next = 0;
    for (int call = 0; call < 60; ++call) {
      const std::uint64_t kind = random.below(10);
      if (open.empty() || kind == 0) {
        open.push_back(SequenceId{next++});
        ASSERT_TRUE(books.open(open.back()));
        continue;
      }
      const std::size_t which = random.below(open.size());
      const SequenceId sequence = open[which];
      const int stored = books.manager.stored(sequence);
      if (kind == 1) {
        books.release(sequence);
        open.erase(open.begin() + static_cast<Index>(which));
      } else if (kind == 2) {
        open.push_back(SequenceId{next++});
        books.fork(sequence, open.back());
      } else if (kind == 3) {
        books.truncate(sequence,
                       static_cast<int>(random.below(static_cast<std::uint64_t>(stored) + 1)));
      } else if (kind == 4) {
        books.reserve(sequence, static_cast<int>(random.below(6)));
      } else {
        books.step(sequence, static_cast<int>(random.below(6)));
      }
      ASSERT_NO_FATAL_FAILURE(books.expect_nothing_lost()) << "run " << run << ", call " << call;
    }
  }
}

}  // namespace
}  // namespace quire::test
