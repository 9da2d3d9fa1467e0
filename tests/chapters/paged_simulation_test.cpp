#include "chapters/10_continuous_batching/paged_simulation.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/close.h"

namespace quire::test {
namespace {

constexpr int kMany = 256;

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "10#what-we-measured-and-where-it-loses"};
}

std::vector<std::filesystem::path> traces() {
  const std::filesystem::path root = QUIRE_SOURCE_DIR;
  return {root / "data/traces/conversations.csv",
          root / "../shared/data/traces/azure-llm-2023/AzureLLMInferenceTrace_conv.csv"};
}

// The first requests that fit a context of 1,024, as the chapter's page serves them.
class PagedSimulation : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    if (!exists(GetParam())) GTEST_SKIP() << GetParam() << " is not here";
    requests = first_that_fit(read_trace(GetParam()), 256, limits.context);
  }
  Simulation in_blocks(int block_size, int most) const {
    const int blocks = limits.slabs * limits.context / block_size;
    return simulate_continuous(requests, blocks, block_size,
                               {.budget = 512, .max_sequences = most});
  }

  ServingLimits limits;
  std::vector<TraceRequest> requests;
};

INSTANTIATE_TEST_SUITE_P(Of, PagedSimulation, testing::ValuesIn(traces()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST_P(PagedSimulation, NeedsAThirdOfTheStepsOfStaticBatches) {
  const auto ways =
      compare_with_slabs(requests, limits, 16, {.budget = 512, .max_sequences = kMany});
  const Index fixed = ways.front().totals.steps;
  EXPECT_GE(fixed, 3 * ways.back().totals.steps);
  EXPECT_GE(2 * fixed, 3 * ways[ways.size() - 2].totals.steps)
      << fact("even with no more sequences than slabs, nobody waits for the longest");
}

TEST_P(PagedSimulation, EverySequenceLosesLessThanABlockInEveryStep) {
  for (const int block_size : {1, 16, 256}) {
    for (const CountedStep& step : in_blocks(block_size, kMany).steps) {
      const MemoryUse& use = step.memory;
      ASSERT_EQ(use.tokens + use.reserved + use.internal + use.external + use.unclaimed, use.rows);
      ASSERT_LE(use.reserved + use.internal, step.running * (block_size - 1));
    }
  }
}

TEST_P(PagedSimulation, HeldBlocksAreFullButForHalfABlockASequence) {
  const Simulation run = in_blocks(16, kMany);
  double live = 0;
  for (const CountedStep& step : run.steps) live += step.memory.tokens * 1.0 / step.running;
  const double mean = live / static_cast<double>(run.steps.size());
  EXPECT_GE(share_of_held(run), mean / (mean + 8.5));
}

TEST_P(PagedSimulation, NobodyIsLostAndPreemptionCostsRowsOnly) {
  const Simulation run = in_blocks(16, kMany), roomy = in_blocks(16, 16);
  Index rows = 0, needed = 0;
  for (const CountedStep& step : roomy.steps) rows += step.rows;
  for (const TraceRequest& request : requests) {
    needed += request.prompt_tokens + request.output_tokens - 1;
  }
  EXPECT_EQ(rows, needed) << fact("16 sequences of at most 1,024 rows always fit");
  EXPECT_GT(totals_of(run).rows, needed) << fact("who had to leave computes its rows again");
  EXPECT_EQ(run.generated, roomy.generated);
}

}  // namespace
}  // namespace quire::test
