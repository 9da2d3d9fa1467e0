#include "chapters/08_static_batching/static_batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "chapters/04_kv_cache/slab.h"
#include "chapters/08_static_batching/batch_generation.h"
#include "src/core/error.h"
#include "src/log/metrics.h"
#include "src/log/replay.h"
#include "src/model/bill.h"
#include "src/simd/simd_ops.h"
#include "tests/model/test_model.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/print_ids.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using Prompts = std::vector<std::vector<TokenId>>;

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "08#three-requests-in-sixteen-rows"};
}

// Four prompts of random tokens, of 1 to 9 each.
Prompts random_prompts(TestRandom& random, int vocabulary) {
  Prompts prompts;
  for (const int length : {5, 1, 9, 3}) {
    std::vector<TokenId> prompt;
    for (int i = 0; i < length; ++i) {
      const auto id = random.below(static_cast<std::uint64_t>(vocabulary));
      prompt.push_back(TokenId{static_cast<std::int32_t>(id)});
    }
    prompts.push_back(std::move(prompt));
  }
  return prompts;
}

Generation alone(TestModel& model, const std::vector<TokenId>& prompt,
                 const GenerationOptions& options) {
  Slab slab(64);
  KvStorage storage(model.ops(), kv_shape_of(model.config()), slab, true);
  return generate(model.decoder(), slab, storage, prompt, options, nobody());
}

// Storage whose rows are NaN until somebody writes them.
void poison(KvStorage& storage, const TestModel& model) {
  for (int layer = 0; layer < model.config().layers; ++layer) {
    for (const Tensor rows : {storage.slots(layer).k, storage.slots(layer).v}) {
      std::memset(rows.bytes(), 0xff, rows.byte_count());
    }
  }
}

BatchGeneration in_batches(TestModel& model, const SlabOptions& slabs, const Prompts& prompts,
                           const GenerationOptions& options, const BatchLimits& limits) {
  SlabManager manager(slabs);
  KvStorage storage(model.ops(), kv_shape_of(model.config()), manager, true);
  poison(storage, model);
  return generate_in_batches(model.decoder(), manager, storage, prompts, {options}, limits);
}

// Ends texts at different places: 11 tokens at most, or a token that comes up sooner or later.
GenerationOptions options_for(const TestModel& model, double temperature) {
  GenerationOptions options{.max_tokens = 11};
  options.sampling.temperature = temperature;
  options.sampling.seed = 5;
  options.ignore_eos = true;
  options.logprobs = model.config().vocabulary;
  return options;
}

class EveryModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Of, EveryModel, testing::ValuesIn(tiny_models()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryModel, InABatchEachTextIsTheOneThatItWouldBeAloneToTheBit) {
  TestModel model(GetParam(), nullptr, 1, Backend::simd);
  TestRandom random;
  const Prompts prompts = random_prompts(random, model.config().vocabulary);
  std::vector<SlabOptions> regions;
  regions.push_back({.rows = 4 * 32, .longest = 32, .granularity = 32});
  for (const Fit fit : {Fit::first, Fit::buddy}) {
    for (const int granularity : {1, 4}) {
      regions.push_back({Reservation::power_of_two, fit, 64, 32, granularity});
      regions.push_back({Reservation::oracle, fit, 48, 20, granularity});
    }
  }
  for (const double temperature : {0.0, 1.0}) {
    GenerationOptions options = options_for(model, temperature);
    // A token of the third text ends it early, and the others too if it comes up in them.
    options.stop_ids = {alone(model, prompts[2], options).tokens[4]};
    std::vector<Generation> expected;
    for (const auto& prompt : prompts) expected.push_back(alone(model, prompt, options));
    ASSERT_LT(expected[2].tokens.size(), 11u);
    for (const SlabOptions& slabs : regions) {
      for (const int budget : {3, 4, 512}) {
        const auto batches = in_batches(model, slabs, prompts, options, {.budget = budget});
        for (std::size_t i = 0; i < prompts.size(); ++i) {
          const Generation& text = batches.texts[i];
          ASSERT_EQ(text.tokens, expected[i].tokens)
              << "text " << i << ", " << name_of(slabs.reservation) << ", budget " << budget << "\n"
              << fact("what a text becomes does not depend on its neighbours");
          EXPECT_EQ(text.finish, expected[i].finish);
          for (std::size_t t = 0; t < text.logprobs.size(); ++t) {
            ASSERT_EQ(text.logprobs[t].top, expected[i].logprobs[t].top)
                << "token " << t << "\n"
                << fact(
                       "not a bit of the logits depends on the neighbours, finished ones included");
          }
        }
      }
    }
  }
}

TEST(BatchGeneration, CountsWhatTheSimulationCounts) {
  TestModel model("llama-6-2", nullptr, 1, Backend::simd);
  TestRandom random;
  const Prompts prompts = random_prompts(random, model.config().vocabulary);
  const GenerationOptions options{.max_tokens = 7, .ignore_eos = true};
  std::vector<TraceRequest> requests;
  for (const auto& prompt : prompts) {
    requests.push_back({0, static_cast<int>(prompt.size()), 7});
  }
  for (const Reservation reservation :
       {Reservation::maximum, Reservation::power_of_two, Reservation::oracle}) {
    const SlabOptions slabs{.reservation = reservation, .rows = 40, .longest = 20};
    const BatchLimits limits{.budget = 6, .max_sequences = 3};
    const auto batches = in_batches(model, slabs, prompts, options, limits);
    const Simulation simulation = simulate_static(requests, slabs, limits);
    ASSERT_EQ(batches.steps.size(), simulation.steps.size());
    for (std::size_t i = 0; i < batches.steps.size(); ++i) {
      const CountedStep &a = batches.steps[i], &b = simulation.steps[i];
      EXPECT_EQ(a.rows, b.rows) << "step " << i;
      EXPECT_EQ(a.idle_rows, b.idle_rows) << "step " << i;
      EXPECT_EQ(a.running, b.running) << "step " << i;
      EXPECT_EQ(a.waiting, b.waiting) << "step " << i;
      EXPECT_EQ(a.memory.tokens, b.memory.tokens) << "step " << i;
      EXPECT_EQ(a.memory.external, b.memory.external) << "step " << i;
    }
  }
}

TEST(BatchGeneration, AnIdleRowCostsWhatARowThatSomebodyNeedsCosts) {
  TestModel model("llama-6-2", nullptr, 1, Backend::simd);
  const Prompts prompts = {tokens_of({3, 14}), tokens_of({15, 9})};
  GenerationOptions options{.max_tokens = 12, .ignore_eos = true};
  const auto flops_of = [&] {
    const Counters before = model.ops().counters();
    const auto batches =
        in_batches(model, {.rows = 64, .longest = 32, .granularity = 32}, prompts, options, {});
    const Counters work = model.ops().counters() - before;
    return std::pair(work.of(Operator::linear).flops, batches);
  };
  const auto [useful, full] = flops_of();
  EXPECT_EQ(totals_of({0, full.steps}).idle_rows, 0);
  // The first text ends with its third token; the second goes on.
  const TokenId stop = full.texts[0].tokens[2];
  for (const TokenId token : full.texts[1].tokens) ASSERT_NE(token, stop);
  options.stop_ids = {stop};
  const auto [wasted, half] = flops_of();
  EXPECT_LT(half.texts[0].tokens.size(), 4u);
  EXPECT_EQ(wasted, useful) << fact("linear layers do not know whose rows they compute");
  EXPECT_EQ(half.idle_rows[0], 12 - static_cast<int>(half.texts[0].tokens.size()));
  EXPECT_EQ(half.idle_rows[1], 0);
}

TEST(BatchGeneration, RowsOfATextThatEndedEarlyWereWastedFromTheStart) {
  TestModel model("llama-6-2", nullptr, 1, Backend::simd);
  const Prompts prompts = {tokens_of({3, 14}), tokens_of({15, 9})};
  GenerationOptions options{.max_tokens = 12, .ignore_eos = true};
  const SlabOptions slabs{.rows = 64, .longest = 32, .granularity = 32};
  options.stop_ids = {in_batches(model, slabs, prompts, options, {}).texts[0].tokens[2]};
  const auto batches = in_batches(model, slabs, prompts, options, {.budget = 3});
  std::vector<TraceRequest> requests;
  for (const Generation& text : batches.texts) {
    requests.push_back({0, 2, static_cast<int>(text.tokens.size())});
  }
  ASSERT_NE(requests[0].output_tokens, requests[1].output_tokens);
  const Simulation known = simulate_static(requests, slabs, {.budget = 3});
  ASSERT_EQ(batches.steps.size(), known.steps.size());
  for (std::size_t i = 0; i < known.steps.size(); ++i) {
    EXPECT_EQ(batches.steps[i].memory.reserved, known.steps[i].memory.reserved) << "step " << i;
    EXPECT_EQ(batches.steps[i].memory.internal, known.steps[i].memory.internal) << "step " << i;
  }
}

TEST(BatchGeneration, ItsLogPlayedAgainHoldsWhatTheSlabsHold) {
  TestModel model("llama-6-2", nullptr, 1, Backend::simd);
  TestRandom random;
  const Prompts prompts = random_prompts(random, model.config().vocabulary);
  GenerationOptions options{.max_tokens = 9, .ignore_eos = true};
  const BatchLimits limits{.budget = 6, .max_sequences = 3};
  for (const Reservation reservation : {Reservation::power_of_two, Reservation::oracle}) {
    const SlabOptions slabs{reservation, Fit::buddy, 64, 20, 4};
    options.stop_ids = {};
    options.stop_ids = {in_batches(model, slabs, prompts, options, limits).texts[2].tokens[3]};
    SlabManager manager(slabs);
    KvStorage storage(model.ops(), kv_shape_of(model.config()), manager, true);
    MemoryLog log;
    const auto batches =
        generate_in_batches(model.decoder(), manager, storage, prompts, {options}, limits, &log);
    log.end();
    int runs = 0, idle = 0;
    const auto look = [&](const Replay& state, const LogEvent& event) {
      if (event.kind == LogKind::write &&
          state.sequences().at(event.sequence).status == LogStatus::finished) {
        idle += event.rows;
      }
      if (event.kind != LogKind::run) return;
      // Texts that end with this step still hold their tokens while it runs.
      const CountedStep& counted = batches.steps[static_cast<std::size_t>(runs++)];
      EXPECT_EQ(event.rows, counted.rows);
      EXPECT_EQ(state.running(), counted.running) << fact("a log says what ran");
      EXPECT_EQ(state.waiting(), counted.waiting);
    };
    const Replay end = replay(log.log(), "log", look);
    EXPECT_EQ(runs, std::ssize(batches.steps));
    EXPECT_EQ(idle, totals_of({0, batches.steps}).idle_rows);
    EXPECT_GT(idle, 0);
    EXPECT_EQ(measure(log.log(), "log").idle, idle);
    EXPECT_EQ(measure(log.log(), "log").recomputed, 0);
    EXPECT_EQ(end.free_blocks(), 16) << fact("every slab is given back");
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      const ReplayedSequence& text = end.sequences().at(SequenceId{static_cast<int>(i)});
      EXPECT_EQ(text.generated, std::ssize(batches.texts[i].tokens));
    }
  }
}

TEST(BatchGeneration, AnErrorLeavesNothingOpen) {
  TestModel model("llama-6-2", nullptr, 1, Backend::simd);
  SlabManager manager({.rows = 64, .longest = 32, .granularity = 32});
  KvStorage storage(model.ops(), kv_shape_of(model.config()), manager, true);
  const GenerationOptions options{.max_tokens = 4, .ignore_eos = true};
  const Prompts bad = {tokens_of({3}), tokens_of({1 << 20})};
  EXPECT_THROW(
      generate_in_batches(model.decoder(), manager, storage, bad, {options}, BatchLimits{}), Error);
  EXPECT_EQ(manager.use(false).unclaimed, 64);
  const Prompts good = {tokens_of({3}), tokens_of({4})};
  EXPECT_EQ(generate_in_batches(model.decoder(), manager, storage, good, {options}, BatchLimits{})
                .texts[1]
                .tokens,
            alone(model, good[1], options).tokens);
}

// A batch over one region of slabs, and what it plans.
class SmallBatch : public testing::Test {
 protected:
  bool add(int sequence, int prompt, int limit) {
    return batch_.add(SequenceId{sequence},
                      tokens_of(std::vector<int>(static_cast<std::size_t>(prompt), 0)), limit);
  }
  // The rows of a step that runs; negative for idle ones.
  std::vector<int> step() {
    const auto shares = batch_.next();
    batch_.commit(shares);
    std::vector<int> rows;
    for (const BatchShare& share : shares) {
      rows.push_back(share.idle ? -share.rows : share.rows);
      if (batch_.gives_token(share)) batch_.know(share.member);
    }
    return rows;
  }
  SlabManager manager_{{.reservation = Reservation::oracle, .rows = 30, .longest = 20}};
  StaticBatch batch_{manager_, {.budget = 6, .max_sequences = 3}};
};

TEST_F(SmallBatch, StoresAllPromptsBeforeAnybodyGoesOn) {
  ASSERT_TRUE(add(0, 4, 3) && add(1, 9, 1) && add(2, 1, 2));
  EXPECT_EQ(step(), (std::vector<int>{4, 2}));
  EXPECT_EQ(batch_.members()[0].generated, 1) << fact("the first token comes out of the prompt");
  EXPECT_EQ(step(), (std::vector<int>{6}));
  EXPECT_EQ(step(), (std::vector<int>{1, 1}));
  EXPECT_EQ(step(), (std::vector<int>{1, -1, 1})) << fact("a finished sequence is fed on");
  EXPECT_EQ(step(), (std::vector<int>{1, -1, -1}));
  EXPECT_EQ(step(), std::vector<int>{}) << fact("a batch ends with its longest text");
}

TEST_F(SmallBatch, AnIdleRowIsStoredWhereItWas) {
  ASSERT_TRUE(add(0, 2, 1) && add(1, 2, 9));
  step();
  for (int i = 0; i < 8; ++i) {
    step();
    EXPECT_EQ(manager_.stored(SequenceId{0}), 2) << fact("a slab does not grow with idle rows");
  }
}

TEST_F(SmallBatch, IsFullWhenMembersOrMemoryAre) {
  ASSERT_TRUE(add(0, 10, 9));
  EXPECT_FALSE(add(1, 10, 4)) << fact("13 rows do not fit behind 18");
  EXPECT_EQ(batch_.members().size(), 1u);
  ASSERT_TRUE(add(1, 1, 1) && add(2, 1, 1));
  EXPECT_FALSE(add(3, 1, 1)) << fact("at most three members");
}

TEST_F(SmallBatch, ADecodeStepOfAllMembersKeepsToTheBudget) {
  StaticBatch batch(manager_, {.budget = 2, .max_sequences = 3});
  const auto prompt = tokens_of({0});
  EXPECT_TRUE(batch.add(SequenceId{0}, prompt, 2) && batch.add(SequenceId{1}, prompt, 2));
  EXPECT_FALSE(batch.add(SequenceId{2}, prompt, 2));
}

TEST_F(SmallBatch, WhatIsNoRequestIsRefused) {
  expect_error([&] { add(0, 0, 1); }, {"0 tokens", "at least 1"});
  expect_error([&] { add(0, 1, 0); }, {"at most 0", "at least 1"});
  expect_error([&] { add(0, 20, 2); }, {"21 rows", "never"});
  expect_error([&] { StaticBatch(manager_, {.budget = 0}); }, {"0 rows"});
  expect_error([&] { StaticBatch(manager_, {.budget = 1, .max_sequences = 0}); }, {"0 sequences"});
}

}  // namespace
}  // namespace quire::test
