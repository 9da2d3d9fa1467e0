// What a step of an engine asks of the allocator.
#include <gtest/gtest.h>

#include <algorithm>

#include "src/model/bill.h"
#include "tests/chapters/serving.h"
#include "tests/support/allocations.h"
#include "tests/support/close.h"

namespace quire::test {
namespace {

class EngineAllocations : public testing::Test {
 protected:
  void SetUp() override {
    if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has an allocator of its own";
  }

  // The most allocations of a step in which nobody comes or goes, of some requests that are served
  // twice: the first time all buffers grow.
  int worst_step(Backend backend, int blocks, const SchedulerOptions& options, int samples = 1) {
    TestModel model("llama-6-2", nullptr, 1, backend);
    BlockManager manager(blocks, 4);
    KvStorage storage(model.ops(), kv_shape_of(model.config()), manager, true);
    Engine engine(model.decoder(), manager, storage, options);
    int worst = 0;
    for (const bool counted : {false, true}) {
      for (int i = 0; i < 5; ++i) engine.add(request(samples));
      while (!engine.idle()) {
        const int before = allocations();
        const auto outputs = engine.step();
        const int made = allocations() - before;
        const Plan& plan = engine.scheduler().plan();
        const bool somebody_went =
            std::any_of(outputs.begin(), outputs.end(), [](auto& o) { return o.finish; });
        const bool steady = plan.admitted.empty() && plan.preempted.empty() && !somebody_went;
        if (counted && steady && first_choices(engine) == 0) {
          worst = std::max(worst, made);
          ++steady_steps;
        }
      }
    }
    return worst;
  }

  int steady_steps = 0;

 private:
  static GenerationRequest request(int samples) {
    GenerationRequest request{.prompt = tokens_of({1, 2, 3, 4, 5, 6, 7}),
                              .options = {.max_tokens = 40}};
    request.options.ignore_eos = true;
    request.options.sampling = {.temperature = 0.8, .top_k = 20, .repetition_penalty = 1.1};
    request.samples = samples;
    return request;
  }

  // Who chose its first token in this step, for which it got its sampler.
  static int first_choices(const Engine& engine) {
    int count = 0;
    for (const Sequence* s : engine.scheduler().running()) count += s->known() == 7 + 1;
    return count;
  }
};

TEST_F(EngineAllocations, AStepInWhichNobodyComesOrGoesMakesNone) {
  EXPECT_EQ(worst_step(Backend::simd, 100, {}), 0);
  EXPECT_GT(steady_steps, 30);
}

TEST_F(EngineAllocations, NorDoesOneInPiecesOfAPrompt) {
  EXPECT_EQ(worst_step(Backend::simd, 100, {.budget = 3}), 0);
  EXPECT_GT(steady_steps, 30);
}

TEST_F(EngineAllocations, NorDoesOneInWhichOthersWaitForRoom) {
  EXPECT_EQ(worst_step(Backend::simd, 24, {}), 0) << "room for two";
  EXPECT_GT(steady_steps, 30);
  EXPECT_EQ(worst_step(Backend::simd, 100, {.max_sequences = 2}), 0);
}

TEST_F(EngineAllocations, NorDoesOneOfSeveralSamples) {
  EXPECT_EQ(worst_step(Backend::simd, 200, {.max_sequences = 20}, 3), 0);
  EXPECT_GT(steady_steps, 30);
}

TEST_F(EngineAllocations, ThoseOfTheReferenceAreCounted) {
  EXPECT_GT(worst_step(Backend::eigen, 100, {}), 0);
}

}  // namespace
}  // namespace quire::test
