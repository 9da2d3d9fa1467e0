#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <set>

#include "chapters/08_static_batching/simulation.h"
#include "src/core/error.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr SequenceId kA{0}, kB{1}, kC{2};

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "08#three-requests-in-sixteen-rows"};
}

// Tokens that say nothing.
std::span<const TokenId> prompt(int tokens) {
  static const std::vector<TokenId> kTokens(1 << 16);
  return std::span(kTokens).first(static_cast<std::size_t>(tokens));
}

int parts_of(const MemoryUse& use) {
  return use.tokens + use.reserved + use.internal + use.external + use.unclaimed;
}

// Stores rows as a step does.
void store(SlabManager& manager, SequenceId sequence, int rows) {
  ASSERT_TRUE(manager.reserve(sequence, rows));
  manager.commit(sequence, rows);
}

std::vector<int> table_of(const SlabManager& manager, SequenceId sequence) {
  std::vector<int> table;
  for (const BlockId unit : manager.table(sequence)) table.push_back(to_int(unit));
  return table;
}

TEST(Reservations, AreAsLongAsWhatIsKnownOfTheOutput) {
  const auto rows = [](Reservation reservation, int prompt, int output) {
    return rows_to_reserve(reservation, prompt, prompt + output - 1, 1024);
  };
  EXPECT_EQ(rows(Reservation::maximum, 5, 3), 1024);
  EXPECT_EQ(rows(Reservation::oracle, 5, 3), 7) << fact("the last token is never fed");
  EXPECT_EQ(rows(Reservation::power_of_two, 5, 3), 8) << fact("an output of 3 may become 4");
  EXPECT_EQ(rows(Reservation::power_of_two, 5, 4), 8) << fact("a power of two is exact");
  EXPECT_EQ(rows(Reservation::power_of_two, 5, 5), 12);
  EXPECT_EQ(rows(Reservation::power_of_two, 5, 1), 5) << fact("one token needs no row more");
  EXPECT_EQ(rows(Reservation::power_of_two, 600, 300), 1024)
      << fact("no slab is longer than the longest sequence");
  EXPECT_EQ(rows(Reservation::oracle, 1, 1024), 1024);
}

TEST(SlabManager, ASlabIsOnePieceForAsLongAsItsSequenceIsOpen) {
  SlabManager manager({.reservation = Reservation::oracle, .rows = 12, .longest = 8});
  ASSERT_TRUE(manager.open(kA, prompt(3), 4));
  ASSERT_TRUE(manager.open(kB, prompt(1), 5));
  EXPECT_EQ(table_of(manager, kA), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(table_of(manager, kB), (std::vector<int>{4, 5, 6, 7, 8}));
  EXPECT_FALSE(manager.open(kC, prompt(1), 4)) << fact("three rows are free");
  EXPECT_THROW(manager.stored(kC), Error) << fact("a sequence without a slab is not open");
  store(manager, kA, 3);
  manager.release(kA);
  ASSERT_TRUE(manager.open(kC, prompt(1), 4)) << fact("a slab is free when its sequence has ended");
  EXPECT_EQ(manager.stored(kC), 0) << fact("a new sequence does not see an old one's rows");
  EXPECT_EQ(table_of(manager, kC), (std::vector<int>{0, 1, 2, 3}));
}

TEST(SlabManager, WithTheGranularityOfASlabATableHasOneEntry) {
  SlabManager manager({.rows = 24, .longest = 8, .granularity = 8});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(manager.open(SequenceId{i}, prompt(1), 2));
    EXPECT_EQ(table_of(manager, SequenceId{i}), std::vector<int>{i});
  }
  EXPECT_EQ(manager.block_size(), 8);
  EXPECT_FALSE(manager.open(SequenceId{3}, prompt(1), 2));
}

TEST(SlabManager, StoresWhatWasReservedAndNoMoreThanWasSaid) {
  SlabManager manager({.rows = 16, .longest = 16});
  ASSERT_TRUE(manager.open(kA, prompt(2), 5));
  EXPECT_FALSE(manager.reserve(kA, 6)) << fact("stored <= max_rows");
  EXPECT_THROW(manager.commit(kA, 1), Error) << fact("a refused reservation changes nothing");
  ASSERT_TRUE(manager.reserve(kA, 3));
  EXPECT_EQ(manager.stored(kA), 0) << fact("a row is stored once its step has run");
  EXPECT_THROW(manager.commit(kA, 4), Error);
  manager.commit(kA, 3);
  EXPECT_THROW(manager.commit(kA, 1), Error);
  EXPECT_EQ(manager.stored(kA), 3);
  manager.truncate(kA, 1);
  EXPECT_THROW(manager.truncate(kA, 2), Error) << fact("forgetting does not store rows");
  EXPECT_TRUE(manager.reserve(kA, 4)) << fact("rows that are forgotten can be stored again");
  EXPECT_THROW(manager.reserve(kA, -1), Error);
}

TEST(SlabManager, WhatCanNeverWorkIsAnError) {
  SlabManager manager({.rows = 16, .longest = 8});
  expect_error([&] { manager.open(kA, prompt(1), 9); }, {"9 rows", "never", "at most 8"});
  expect_error([&] { manager.open(kA, prompt(3), 2); }, {"3 tokens", "2 rows"});
  ASSERT_TRUE(manager.open(kA, prompt(1), 1));
  expect_error([&] { manager.open(kA, prompt(1), 1); }, {"sequence 0", "already open"});
  expect_error([&] { manager.fork(kA, kB); }, {"cannot be shared"});
  expect_error([&] { manager.release(kB); }, {"sequence 1", "not open"});
  expect_error([] { SlabManager({.rows = 0, .longest = 8}); }, {"0 rows", "at least 1"});
  expect_error([] { SlabManager({.rows = 12, .longest = 8, .granularity = 5}); }, {"12", "5"});
  expect_error([] { SlabManager({.fit = Fit::buddy, .rows = 12, .longest = 9}); },
               {"12", "8", "9"});
}

// The example of the page: sixteen rows, three requests.
TEST(MemoryUse, IsSplitIntoWhatEachRowIsUsedFor) {
  SlabManager manager(
      {.reservation = Reservation::power_of_two, .fit = Fit::buddy, .rows = 16, .longest = 8});
  ASSERT_TRUE(manager.open(kA, prompt(3), 5));
  ASSERT_TRUE(manager.open(kB, prompt(2), 6));
  ASSERT_FALSE(manager.open(kC, prompt(1), 3));
  store(manager, kA, 3);
  store(manager, kB, 2);
  const MemoryUse use = manager.use(true);
  EXPECT_EQ(use.rows, 16);
  EXPECT_EQ(use.tokens, 5) << fact("rows that are stored hold tokens");
  EXPECT_EQ(use.reserved, 2 + 4) << fact("rows that will be stored are reserved");
  EXPECT_EQ(use.internal, 1 + 2) << fact("rows beyond the text are internal waste");
  EXPECT_EQ(use.external, 2) << fact("the buddy system rounds 6 rows up to 8");
  EXPECT_EQ(use.unclaimed, 0);
  manager.release(kB);
  EXPECT_EQ(manager.use(true).external, 2 + 8) << fact("free rows are wasted while somebody waits");
  EXPECT_EQ(manager.use(false).unclaimed, 8) << fact("they are not if nobody does");
  EXPECT_EQ(manager.use(false).external, 2);
}

TEST(MemoryUse, ATextThatHasEndedNeedsNoneOfItsRows) {
  SlabManager manager({.rows = 16, .longest = 8});
  ASSERT_TRUE(manager.open(kA, prompt(3), 5));
  ASSERT_TRUE(manager.open(kB, prompt(2), 6));
  store(manager, kA, 5);
  store(manager, kB, 2);
  const std::vector<SequenceId> finished = {kA};
  const MemoryUse use = manager.use(true, finished);
  EXPECT_EQ(use.tokens, 2);
  EXPECT_EQ(use.reserved, 4);
  EXPECT_EQ(use.internal, 8 + 2);
}

TEST(MemoryUse, ThePartsAddUpWhateverHappens) {
  TestRandom random;
  for (int run = 0; run < 200; ++run) {
    const int granularity = 1 + static_cast<int>(random.below(4));
    const int longest = 1 + static_cast<int>(random.below(30));
    SlabManager manager({.reservation = static_cast<Reservation>(random.below(3)),
                         .fit = static_cast<Fit>(random.below(2)),
                         .rows = granularity * (64 + static_cast<int>(random.below(40))),
                         .longest = longest,
                         .granularity = granularity});
    std::vector<SequenceId> open;
    for (int call = 0; call < 60; ++call) {
      const std::uint64_t kind = random.below(3);
      if (kind == 0 || open.empty()) {
        const int rows = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(longest)));
        const int tokens = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(rows)));
        if (manager.open(SequenceId{call}, prompt(tokens), rows)) open.push_back(SequenceId{call});
      } else if (kind == 1) {
        std::swap(open[random.below(open.size())], open.back());
        manager.release(open.back());
        open.pop_back();
      } else {
        const SequenceId sequence = open[random.below(open.size())];
        const int rows = static_cast<int>(random.below(5));
        if (manager.reserve(sequence, rows)) manager.commit(sequence, rows);
      }
      std::set<BlockId> held;
      std::size_t entries = 0;
      int stored = 0;
      for (const SequenceId sequence : open) {
        const auto table = manager.table(sequence);
        held.insert(table.begin(), table.end());
        entries += table.size();
        stored += manager.stored(sequence);
      }
      ASSERT_EQ(held.size(), entries) << fact("slabs do not overlap");
      const MemoryUse use = manager.use(random.below(2) == 0);
      ASSERT_EQ(parts_of(use), use.rows) << fact("each row is counted once");
      ASSERT_EQ(use.tokens, stored);
      for (const int part : {use.reserved, use.internal, use.external, use.unclaimed}) {
        ASSERT_GE(part, 0);
      }
    }
  }
}

std::vector<TraceRequest> requests_of(const std::vector<std::pair<int, int>>& lengths) {
  std::vector<TraceRequest> requests;
  for (const auto& [prompt, output] : lengths) {
    requests.push_back({.arrival = 0, .prompt_tokens = prompt, .output_tokens = output});
  }
  return requests;
}

std::vector<TraceRequest> random_requests(TestRandom& random, int count, int longest) {
  std::vector<std::pair<int, int>> lengths;
  for (int i = 0; i < count; ++i) {
    const int prompt = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(longest / 2)));
    lengths.emplace_back(
        prompt, 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(longest - prompt))));
  }
  return requests_of(lengths);
}

// Two slabs of eight rows, three requests.
TEST(StaticSimulation, EverybodyWaitsForTheLongest) {
  const auto run = simulate_static(requests_of({{3, 3}, {2, 5}, {1, 3}}),
                                   {.rows = 16, .longest = 8}, {.budget = 512, .max_sequences = 2});
  ASSERT_EQ(run.steps.size(), 5u + 3u) << fact("a batch takes as many steps as its longest text");
  EXPECT_EQ(run.generated, 11);
  const std::vector<int> rows = {5, 2, 2, 2, 2, 1, 1, 1}, idle = {0, 0, 0, 1, 1, 0, 0, 0};
  const std::vector<int> running = {2, 2, 2, 1, 1, 1, 1, 1}, waiting = {1, 1, 1, 1, 1, 0, 0, 0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(run.steps[i].rows, rows[i]) << "step " << i;
    EXPECT_EQ(run.steps[i].idle_rows, idle[i])
        << "step " << i << "\n"
        << fact("a finished sequence is fed until its batch ends");
    EXPECT_EQ(run.steps[i].running, running[i]) << "step " << i;
    EXPECT_EQ(run.steps[i].waiting, waiting[i]) << "step " << i;
  }
  EXPECT_EQ(run.steps[0].memory.tokens, 5);
  EXPECT_EQ(run.steps[0].memory.internal, 3 + 2);
  EXPECT_EQ(run.steps[2].memory.tokens, 4) << fact("a text that has ended needs none of its rows");
  EXPECT_EQ(run.steps[2].memory.internal, 8 + 2);
  EXPECT_EQ(run.steps[7].memory.unclaimed, 8);
}

TEST(StaticSimulation, ABatchTakesItsPromptsAndItsLongestOutput) {
  TestRandom random;
  const auto requests = random_requests(random, 70, 100);
  for (const int budget : {4, 5, 32, 1000}) {
    const auto run = simulate_static(requests, {.rows = 4 * 100, .longest = 100},
                                     {.budget = budget, .max_sequences = 1000});
    Index expected = 0;
    for (std::size_t first = 0; first < requests.size(); first += 4) {
      int prompts = 0, longest = 0;
      for (std::size_t i = first; i < std::min(first + 4, requests.size()); ++i) {
        prompts += requests[i].prompt_tokens;
        longest = std::max(longest, requests[i].output_tokens);
      }
      expected += (prompts + budget - 1) / budget + longest - 1;
    }
    EXPECT_EQ(std::ssize(run.steps), expected) << "budget " << budget;
  }
}

TEST(IterationSimulation, ARequestBeginsWhenASlabIsFree) {
  const auto run =
      simulate_iterations(requests_of({{3, 3}, {2, 5}, {1, 3}}), {.rows = 16, .longest = 8},
                          {.budget = 512, .max_sequences = 16});
  ASSERT_EQ(run.steps.size(), 6u) << fact("the third request takes the place of the first");
  const std::vector<int> rows = {5, 2, 2, 2, 2, 1}, waiting = {1, 1, 1, 0, 0, 0};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(run.steps[i].rows, rows[i]) << "step " << i;
    EXPECT_EQ(run.steps[i].waiting, waiting[i]) << "step " << i;
  }
}

TEST(IterationSimulation, NobodyOvertakesARequestThatDoesNotFit) {
  const auto run =
      simulate_iterations(requests_of({{4, 3}, {8, 1}, {1, 1}}),
                          {.reservation = Reservation::oracle, .rows = 8, .longest = 8},
                          {.budget = 512, .max_sequences = 16});
  const std::vector<int> rows = {4, 1, 1, 8, 1};
  ASSERT_EQ(run.steps.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(run.steps[i].rows, rows[i]);
}

struct Way {
  Reservation reservation;
  Fit fit;
  int budget;
};

class EverySimulation : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Of, EverySimulation,
                         testing::Values(Way{Reservation::maximum, Fit::first, 512},
                                         Way{Reservation::maximum, Fit::buddy, 7},
                                         Way{Reservation::power_of_two, Fit::first, 16},
                                         Way{Reservation::power_of_two, Fit::buddy, 512},
                                         Way{Reservation::oracle, Fit::first, 1},
                                         Way{Reservation::oracle, Fit::buddy, 64}));

TEST_P(EverySimulation, FeedsEachRowOnceAndCountsEveryRowOfMemory) {
  TestRandom random;
  const auto requests = random_requests(random, 60, 64);
  Index needed = 0, generated = 0;
  for (const TraceRequest& request : requests) {
    needed += request.prompt_tokens + request.output_tokens - 1;
    generated += request.output_tokens;
  }
  const Way way = GetParam();
  const SlabOptions slabs{
      .reservation = way.reservation, .fit = way.fit, .rows = 256, .longest = 64};
  const BatchLimits limits{.budget = way.budget, .max_sequences = 9};
  for (const bool joining : {false, true}) {
    const Simulation run = joining ? simulate_iterations(requests, slabs, limits)
                                   : simulate_static(requests, slabs, limits);
    const Totals totals = totals_of(run);
    EXPECT_EQ(totals.rows - totals.idle_rows, needed)
        << fact("P prompt and G output tokens are P + G - 1 rows, each fed once");
    EXPECT_TRUE(!joining || totals.idle_rows == 0);
    EXPECT_EQ(totals.generated, generated);
    for (const CountedStep& step : run.steps) {
      ASSERT_EQ(parts_of(step.memory), 256) << fact("each row is counted once");
      ASSERT_GE(step.rows, 1);
      ASSERT_LE(step.rows, way.budget) << fact("a step has at most `budget` rows");
      ASSERT_LE(step.running, 9);
    }
    const MemoryShares& m = totals.memory;
    EXPECT_NEAR(m.tokens + m.reserved + m.internal + m.external + m.unclaimed, 1, 1e-12);
  }
}

TEST(Totals, AreMeansOverStepsAndOverThoseWithAQueue) {
  Simulation run{.generated = 3, .steps = {}};
  run.steps.push_back({.rows = 5,
                       .idle_rows = 1,
                       .running = 2,
                       .waiting = 1,
                       .memory = {.rows = 8, .tokens = 4, .external = 4}});
  run.steps.push_back(
      {.rows = 1, .running = 1, .memory = {.rows = 8, .tokens = 2, .unclaimed = 6}});
  const Totals totals = totals_of(run);
  EXPECT_EQ(totals.steps, 2);
  EXPECT_EQ(totals.rows, 6);
  EXPECT_EQ(totals.running, 1.5);
  EXPECT_EQ(totals.memory.tokens, 0.375);
  EXPECT_EQ(totals.memory.unclaimed, 0.375);
  EXPECT_EQ(totals.loaded_steps, 1);
  EXPECT_EQ(totals.loaded_memory.tokens, 0.5);
  EXPECT_EQ(totals_of({}).memory.tokens, 0);
}

// What the page says of the real trace. The number of static steps was also counted by a formula of
// its own: for each batch of 16, its prompts in steps of 512 rows and its longest output.
TEST(AzureConversations, TheMoreIsKnownOfOutputsTheMoreOfMemoryHoldsTokens) {
  const std::filesystem::path file =
      std::filesystem::path(QUIRE_SOURCE_DIR) /
      "../shared/data/traces/azure-llm-2023/AzureLLMInferenceTrace_conv.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
  const auto requests = first_that_fit(read_trace(file), 256, 1024);
  const BatchLimits limits{.budget = 512, .max_sequences = 1 << 20};
  SlabOptions slabs{.fit = Fit::buddy, .rows = 16 * 1024, .longest = 1024};
  const Totals batches = totals_of(simulate_static(requests, slabs, limits));
  EXPECT_EQ(batches.steps, 3656);
  Totals before = batches;
  for (const Reservation reservation :
       {Reservation::maximum, Reservation::power_of_two, Reservation::oracle}) {
    slabs.reservation = reservation;
    const Totals totals = totals_of(simulate_iterations(requests, slabs, limits));
    EXPECT_GT(totals.memory.tokens, before.memory.tokens) << name_of(reservation);
    EXPECT_LT(totals.steps, before.steps) << name_of(reservation);
    before = totals;
  }
}

}  // namespace
}  // namespace quire::test
