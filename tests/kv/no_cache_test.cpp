#include "chapters/02_decoder/no_cache.h"

#include <gtest/gtest.h>

#include "tests/support/errors.h"

namespace quire::test {
namespace {

constexpr SequenceId kSequence{3}, kOther{4};

TEST(NoCache, NothingIsStoredWhateverWasCommitted) {
  NoCache cache(8);
  EXPECT_FALSE(cache.retains());
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  for (const int rows : {3, 4, 8}) {
    ASSERT_TRUE(cache.reserve(kSequence, rows));
    cache.commit(kSequence, rows);
    EXPECT_EQ(cache.stored(kSequence), 0);
  }
}

TEST(NoCache, EveryStepMayBeAsLongAsTheSequence) {
  NoCache cache(8);
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  EXPECT_TRUE(cache.reserve(kSequence, 8));
  EXPECT_FALSE(cache.reserve(kSequence, 9));
}

TEST(NoCache, TruncatingToNothingIsAllThereIs) {
  NoCache cache(8);
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  cache.truncate(kSequence, 0);
  expect_error([&] { cache.truncate(kSequence, 1); }, {"1 rows", "nothing is stored"});
}

TEST(OneSequence, WhatCanNeverFitIsAnErrorAndWhatCannotNowIsNot) {
  NoCache cache(8);
  expect_error([&] { cache.open(kSequence, {}, 9); }, {"9 rows", "never", "8"});
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  EXPECT_FALSE(cache.open(kOther, {}, 8));
  expect_error([&] { cache.open(kSequence, {}, 8); }, {"sequence 3", "already open"});
  cache.release(kSequence);
  EXPECT_TRUE(cache.open(kOther, {}, 8));
}

TEST(OneSequence, ASequenceThatIsNotOpenIsNamed) {
  NoCache cache(8);
  const auto refused = [&](auto call) { expect_error(call, {"sequence 4 is not open"}); };
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  refused([&] { cache.stored(kOther); });
  refused([&] { cache.reserve(kOther, 1); });
  refused([&] { cache.commit(kOther, 1); });
  refused([&] { cache.truncate(kOther, 0); });
  refused([&] { cache.release(kOther); });
  refused([&] { cache.table(kOther); });
}

TEST(OneSequence, AReleasedSequenceIsGone) {
  NoCache cache(8);
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  cache.release(kSequence);
  expect_error([&] { cache.release(kSequence); }, {"sequence 3 is not open"});
}

TEST(OneSequence, LiesInOneBlockOfTheWholeSize) {
  NoCache cache(8);
  ASSERT_TRUE(cache.open(kSequence, {}, 5));
  EXPECT_EQ(cache.capacity(), 8);
  EXPECT_EQ(cache.slots(), 8);
  EXPECT_EQ(cache.block_size(), 8);
  ASSERT_EQ(cache.table(kSequence).size(), 1u);
  EXPECT_TRUE(cache.take_copies().empty());
}

TEST(OneSequence, CannotShareItsRows) {
  NoCache cache(8);
  ASSERT_TRUE(cache.open(kSequence, {}, 8));
  expect_error([&] { cache.fork(kSequence, kOther); }, {"one sequence"});
}

TEST(OneSequence, ACacheOfNoRowsIsRefused) {
  expect_error([] { NoCache cache(0); }, {"0 rows", "at least 1"});
  expect_error([] { NoCache cache(-1); }, {"-1 rows"});
}

}  // namespace
}  // namespace quire::test
