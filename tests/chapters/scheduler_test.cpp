#include "chapters/10_continuous_batching/scheduler.h"

#include <gtest/gtest.h>

#include <memory>

#include "chapters/02_decoder/no_cache.h"
#include "chapters/09_paged_attention/block_manager.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "10#four-steps-for-three-requests"};
}

// Sequences of which only the numbers count.
class SchedulerTest : public testing::Test {
 protected:
  void make(int blocks, int block_size, SchedulerOptions options) {
    manager = std::make_unique<BlockManager>(blocks, block_size);
    scheduler = std::make_unique<Scheduler>(*manager, options);
  }

  Sequence& arrive(int prompt, int generated) {
    auto sequence = std::make_unique<Sequence>();
    sequence->id = SequenceId{static_cast<std::int32_t>(sequences.size())};
    sequence->tokens.resize(static_cast<std::size_t>(prompt));
    sequence->max_rows = prompt + generated - 1;
    scheduler->add(*sequence);
    sequences.push_back(std::move(sequence));
    return *sequences.back();
  }

  // A step in rows of each sequence; whoever has computed all it knows gets a token.
  using Rows = std::vector<std::pair<int, int>>;
  Rows step() {
    const Plan& plan = scheduler->schedule();
    scheduler->commit();
    Rows rows;
    for (const Share& share : plan.shares) {
      rows.push_back({to_int(share.sequence), share.rows});
      Sequence& sequence = *sequences[static_cast<std::size_t>(to_int(share.sequence))];
      if (manager->stored(share.sequence) == sequence.known()) sequence.tokens.push_back({});
    }
    scheduler->check_invariants();
    manager->check_invariants();
    return rows;
  }

  void end(int sequence) { scheduler->remove(SequenceId{sequence}); }
  int free_blocks() const { return manager->pool().free_blocks(); }

  std::unique_ptr<BlockManager> manager;
  std::unique_ptr<Scheduler> scheduler;
  std::vector<std::unique_ptr<Sequence>> sequences;
};

// [example]
TEST_F(SchedulerTest, ThreeRequestsTakeTheFourStepsOfThePage) {
  make(6, 2, {.budget = 5});
  for (const auto& [prompt, generated] : {std::pair(3, 4), std::pair(4, 2), std::pair(2, 2)}) {
    arrive(prompt, generated);
  }
  EXPECT_EQ(step(), (Rows{{0, 3}, {1, 2}})) << fact("the budget cuts a prompt in two");
  EXPECT_EQ(step(), (Rows{{0, 1}, {1, 2}, {2, 2}})) << fact("C joins while A and B go on");
  EXPECT_EQ(step(), (Rows{{0, 1}, {1, 1}})) << fact("B needs the block that C has");
  EXPECT_EQ(scheduler->plan().preempted, std::vector<SequenceId>{SequenceId{2}});
  end(1);
  EXPECT_EQ(step(), (Rows{{0, 1}, {2, 3}})) << fact("C computes all that it knows");
}
// [example]

TEST_F(SchedulerTest, APromptIsComputedInPiecesOfTheBudget) {
  make(10, 4, {.budget = 3});
  arrive(8, 4);
  EXPECT_EQ(step(), (Rows{{0, 3}}));
  EXPECT_EQ(step(), (Rows{{0, 3}}));
  EXPECT_EQ(step(), (Rows{{0, 2}}));
  EXPECT_EQ(step(), (Rows{{0, 1}})) << fact("a decoded token is a gap of one row");
}

TEST_F(SchedulerTest, PrefillAndDecodeShareAStep) {
  make(10, 4, {.budget = 6});
  arrive(2, 4);
  EXPECT_EQ(step(), (Rows{{0, 2}}));
  arrive(7, 4);
  EXPECT_EQ(step(), (Rows{{0, 1}, {1, 5}})) << fact("who came first takes what it lacks");
  EXPECT_EQ(step(), (Rows{{0, 1}, {1, 2}}));
  EXPECT_EQ(step(), (Rows{{0, 1}, {1, 1}}));
}

TEST_F(SchedulerTest, WhoHasNothingToComputeGetsNoShare) {
  make(10, 4, {});
  arrive(2, 4);
  arrive(2, 4);
  scheduler->schedule();
  scheduler->commit();
  sequences[1]->tokens.push_back({});
  EXPECT_EQ(step(), (Rows{{1, 1}}));
}

TEST_F(SchedulerTest, NobodyOvertakesOneWhoDoesNotFit) {
  make(4, 4, {});
  arrive(10, 4);
  step();
  arrive(8, 4);
  arrive(2, 4);
  EXPECT_EQ(step(), (Rows{{0, 1}}))
      << fact("first come, first served: one block is free, and waits");
  end(0);
  EXPECT_EQ(step(), (Rows{{1, 8}, {2, 2}}));
}

TEST_F(SchedulerTest, NoMoreRunThanMay) {
  make(10, 4, {.max_sequences = 2});
  for (int i = 0; i < 3; ++i) arrive(2, 4);
  EXPECT_EQ(step(), (Rows{{0, 2}, {1, 2}}));
  end(0);
  EXPECT_EQ(step(), (Rows{{1, 1}, {2, 2}}));
}

TEST_F(SchedulerTest, TheLatestArrivalMakesRoomAndComesBackFirst) {
  make(4, 2, {});
  arrive(2, 6);
  arrive(2, 6);
  arrive(4, 4);
  step();
  ASSERT_EQ(scheduler->running().size(), 3u);
  EXPECT_EQ(step(), (Rows{{0, 1}, {1, 1}})) << fact("the latest arrival gives all its rows back");
  EXPECT_EQ(scheduler->plan().preempted, std::vector<SequenceId>{SequenceId{2}});
  arrive(1, 1);
  step();
  EXPECT_EQ(scheduler->waiting().front()->id, SequenceId{2})
      << fact("whoever was preempted waits before all who came later");
  end(0);
  end(1);
  EXPECT_EQ(step(), (Rows{{2, 5}, {3, 1}})) << fact("what it knew is computed again, all of it");
}

TEST_F(SchedulerTest, NobodyComesInWhileSomebodyHasToLeave) {
  make(4, 2, {});
  arrive(3, 6);
  arrive(4, 4);
  step();
  arrive(1, 1);
  EXPECT_EQ(step(), (Rows{{0, 1}})) << fact("the latest arrival may have to leave by itself");
  EXPECT_EQ(scheduler->plan().preempted, std::vector<SequenceId>{SequenceId{1}});
  EXPECT_EQ(free_blocks(), 2);
  EXPECT_TRUE(scheduler->plan().admitted.empty()) << fact("a free block is for those who run");
}

TEST_F(SchedulerTest, PreemptedRightAfterABlockBeganItLosesNoToken) {
  make(6, 4, {});
  arrive(12, 12);
  Sequence& young = arrive(4, 8);
  step();
  step();
  ASSERT_EQ(manager->stored(young.id), 5) << "one row in its second block";
  step();
  while (scheduler->plan().preempted.empty()) step();
  const int known = young.known();
  EXPECT_EQ(known, 2 * 4 + 1);
  end(0);
  EXPECT_EQ(step(), (Rows{{1, known}})) << fact("stored is 0, known is as before");
}

TEST_F(SchedulerTest, WhatCanNeverFitIsRefusedWithItsNumbers) {
  make(50, 16, {});
  arrive(800, 1);
  expect_error([&] { arrive(1002, 1); }, {"1002", "800", "never"});
  EXPECT_EQ(scheduler->waiting().size(), 1u) << fact("it does not wait");
}

TEST_F(SchedulerTest, RefusesWhatMakesNoSense) {
  make(4, 4, {});
  arrive(2, 2);
  expect_error([&] { make(4, 4, {.budget = 0}); }, {"0 rows", "at least 1"});
  expect_error([&] { make(4, 4, {.max_sequences = 0}); }, {"0 sequences", "at least 1"});
  NoCache none(10);
  expect_error([&] { Scheduler(none, {}); }, {"retains nothing"});
  make(4, 4, {});
  Sequence sequence{.id = SequenceId{3}, .tokens = {}, .max_rows = 4};
  expect_error([&] { scheduler->add(sequence); }, {"sequence 3", "no token"});
  sequence.tokens.resize(5);
  expect_error([&] { scheduler->add(sequence); }, {"5 tokens", "4 rows"});
  sequence.tokens.resize(2);
  scheduler->add(sequence);
  expect_error([&] { scheduler->add(sequence); }, {"count up"});
  expect_error([&] { scheduler->remove(SequenceId{2}); }, {"sequence 2 is not here"});
}

TEST_F(SchedulerTest, WhoEndsLeavesNothingBehindWhateverItDid) {
  make(4, 2, {.budget = 5});
  arrive(2, 6);
  arrive(8, 1);
  end(1);
  EXPECT_TRUE(scheduler->running().empty());
  arrive(3, 4);
  arrive(5, 1);
  step();
  end(2);
  EXPECT_EQ(free_blocks(), 3) << fact("free + held = all");
  end(0);
  step();
  end(3);
  EXPECT_TRUE(scheduler->idle());
  EXPECT_EQ(free_blocks(), 4);
  EXPECT_THROW(end(3), Error);
}

TEST_F(SchedulerTest, AfterAFailedStepAllRowsAreComputedAgain) {
  make(8, 2, {});
  arrive(3, 4);
  arrive(4, 4);
  step();
  arrive(2, 2);
  scheduler->schedule();
  scheduler->forget_rows();
  EXPECT_EQ(free_blocks(), 8);
  EXPECT_EQ(step(), (Rows{{0, 4}, {1, 5}, {2, 2}})) << fact("rows are forgotten, tokens are not");
}

TEST_F(SchedulerTest, ASiblingSharesTheRowsOfThePrompt) {
  make(8, 4, {});
  arrive(6, 4);
  Sequence sibling{.id = SequenceId{1},
                   .tokens = std::vector<TokenId>(6),
                   .max_rows = 9,
                   .sibling = SequenceId{0},
                   .shared = 6};
  scheduler->add(sibling);
  EXPECT_EQ(step(), (Rows{{0, 6}})) << fact("a sibling waits while the prompt is computed");
  scheduler->schedule();
  EXPECT_EQ(scheduler->plan().shares.back().rows, 1)
      << fact("somebody must give its logits: the last row of the prompt is its own");
  const auto old = manager->table(SequenceId{0}), young = manager->table(SequenceId{1});
  EXPECT_EQ(young[0], old[0]) << fact("a full block of the prompt is computed once");
  EXPECT_NE(young[1], old[1]) << fact("a block that both write into is copied");
  EXPECT_EQ(manager->take_copies().size(), 1u);
  manager->check_invariants();
}

TEST_F(SchedulerTest, ASiblingOfOneWhoHasEndedComputesThePromptItself) {
  make(8, 2, {});
  arrive(5, 1);
  Sequence sibling{.id = SequenceId{1},
                   .tokens = std::vector<TokenId>(5),
                   .max_rows = 5,
                   .sibling = SequenceId{0},
                   .shared = 5};
  scheduler->add(sibling);
  step();
  end(0);
  scheduler->schedule();
  EXPECT_EQ(scheduler->plan().shares.back().rows, 5);
}

}  // namespace
}  // namespace quire::test
