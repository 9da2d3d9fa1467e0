// The oracle's table, continued: every way to serve some requests must give each of them what it
// would get alone, from a slab.
//
// Each row is one way, the way it is held against, and whether the two are equal bit for bit or
// within a bound on operators that may sum in another order for another number of rows. On the fast
// operators (SimdOps) every row is bit for bit. Every server here has scrambled blocks, and NaN
// wherever nothing was written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "chapters/08_static_batching/batch_generation.h"
#include "src/model/bill.h"
#include "tests/chapters/serving.h"
#include "tests/model/rounding_bound.h"

namespace quire::test {
namespace {

using Requests = std::vector<GenerationRequest>;
// Of each request, or of each sample of the first one.
using Texts = std::vector<Text>;

struct Situation {
  Requests requests;
  int block_size, budget;

  int blocks_for(const GenerationRequest& request) const {
    return static_cast<int>(blocks_needed(rows_of(request), block_size));
  }
  int all_blocks() const {
    int blocks = 0;
    for (const GenerationRequest& request : requests) blocks += blocks_for(request);
    return blocks;
  }
  int most_blocks() const {
    int blocks = 0;
    for (const GenerationRequest& request : requests) {
      blocks = std::max(blocks, blocks_for(request));
    }
    return blocks;
  }
};

constexpr int kWhole = 512;

Texts texts_of(Server& server, const std::vector<SequenceId>& ids) {
  Texts texts;
  for (const SequenceId id : ids) texts.push_back(server.reader.text(id));
  return texts;
}

Texts alone_in_slabs(TestModel& model, const Situation& situation) {
  Texts texts;
  for (const GenerationRequest& request : situation.requests)
    texts.push_back(alone(model, request));
  return texts;
}

enum Attention { through_table, gathered };

template <Attention kAttention>
Texts alone_in_blocks(TestModel& model, const Situation& situation) {
  Texts texts;
  for (const GenerationRequest& request : situation.requests) {
    Server server(model, situation.blocks_for(request), situation.block_size, {.budget = kWhole},
                  kAttention == gathered);
    const SequenceId id = server.add(request);
    server.finish();
    texts.push_back(server.reader.text(id));
  }
  return texts;
}

template <Attention kAttention>
Texts together(TestModel& model, const Situation& situation) {
  Server server(model, situation.all_blocks(), situation.block_size, {.budget = situation.budget},
                kAttention == gathered);
  std::vector<SequenceId> ids;
  for (const GenerationRequest& request : situation.requests) ids.push_back(server.add(request));
  server.finish();
  EXPECT_EQ(server.preemptions, 0);
  return texts_of(server, ids);
}

Texts joining_and_leaving(TestModel& model, const Situation& situation) {
  Server server(model, situation.all_blocks(), situation.block_size,
                {.budget = situation.budget, .max_sequences = 3});
  std::vector<SequenceId> ids;
  for (const GenerationRequest& request : situation.requests) {
    ids.push_back(server.add(request));
    for (int i = 0; i < 3; ++i) server.step();
  }
  server.finish();
  return texts_of(server, ids);
}

Texts in_another_order(TestModel& model, const Situation& situation) {
  Situation reversed = situation;
  std::reverse(reversed.requests.begin(), reversed.requests.end());
  Texts texts = together<through_table>(model, reversed);
  std::reverse(texts.begin(), texts.end());
  return texts;
}

Texts preempted_and_resumed(TestModel& model, const Situation& situation) {
  Server server(model, situation.most_blocks() + 1, situation.block_size,
                {.budget = situation.budget});
  std::vector<SequenceId> ids;
  for (const GenerationRequest& request : situation.requests) ids.push_back(server.add(request));
  server.finish();
  return texts_of(server, ids);
}

// All with the options of one of them: a static batch knows no others.
Requests with_common_options(const Situation& situation) {
  Requests requests = situation.requests;
  const GenerationOptions options = requests[1].options;
  for (GenerationRequest& request : requests) request.options = options;
  return requests;
}

Texts common_alone(TestModel& model, const Situation& situation) {
  Texts texts;
  for (const GenerationRequest& request : with_common_options(situation)) {
    texts.push_back(alone(model, request));
  }
  return texts;
}

Texts static_batch(TestModel& model, const Situation& situation) {
  const int context = model.config().max_positions;
  SlabManager slabs({.rows = 3 * context, .longest = context, .granularity = context});
  KvStorage storage(model.ops(), kv_shape_of(model.config()), slabs, true);
  const Requests requests = with_common_options(situation);
  std::vector<std::vector<TokenId>> prompts;
  for (const GenerationRequest& request : requests) prompts.push_back(request.prompt);
  const BatchGeneration batches =
      generate_in_batches(model.decoder(), slabs, storage, prompts, {requests[0].options},
                          {.budget = std::max(3, situation.budget), .max_sequences = 3});
  Texts texts;
  for (const Generation& generation : batches.texts) texts.push_back(text_of(generation));
  return texts;
}

GenerationRequest three_samples(const Situation& situation) {
  GenerationRequest request = situation.requests[1];
  request.samples = 3;
  return request;
}

Texts samples_alone(TestModel& model, const Situation& situation) {
  Texts texts;
  for (int k = 0; k < 3; ++k) texts.push_back(alone(model, three_samples(situation), k));
  return texts;
}

Texts samples_of(TestModel& model, const Situation& situation, int blocks) {
  Server server(model, blocks, situation.block_size, {.budget = situation.budget});
  server.add(situation.requests[0]);
  const int first = to_int(server.add(three_samples(situation)));
  server.add(situation.requests[2]);
  server.finish();
  return texts_of(server, {SequenceId{first}, SequenceId{first + 1}, SequenceId{first + 2}});
}

Texts forked(TestModel& model, const Situation& situation) {
  return samples_of(model, situation, 3 * situation.all_blocks());
}

Texts forked_and_preempted(TestModel& model, const Situation& situation) {
  return samples_of(model, situation, situation.most_blocks() + 2);
}

enum class Equal { bit_for_bit, within_bound };

struct Way {
  const char* name;
  Texts (*run)(TestModel&, const Situation&);
  Texts (*against)(TestModel&, const Situation&);
  Equal equal;
  const char* why;
};

const char* const kPlacement = "only the placement differs, and keys are visited in position order";
const char* const kShape = "a linear layer may sum in another order for another number of rows";

const Way kTable[] = {
    {"AloneInBlocks", alone_in_blocks<through_table>, alone_in_slabs, Equal::bit_for_bit,
     kPlacement},
    {"AloneGathered", alone_in_blocks<gathered>, alone_in_slabs, Equal::bit_for_bit, kPlacement},
    {"StaticBatch", static_batch, common_alone, Equal::within_bound, kShape},
    {"Together", together<through_table>, alone_in_slabs, Equal::within_bound, kShape},
    {"TogetherGathered", together<gathered>, together<through_table>, Equal::bit_for_bit,
     kPlacement},
    {"InAnotherOrder", in_another_order, alone_in_slabs, Equal::within_bound, kShape},
    {"JoiningAndLeaving", joining_and_leaving, alone_in_slabs, Equal::within_bound, kShape},
    {"PreemptedAndResumed", preempted_and_resumed, alone_in_slabs, Equal::within_bound, kShape},
    {"Forked", forked, samples_alone, Equal::within_bound, kShape},
    {"ForkedAndPreempted", forked_and_preempted, samples_alone, Equal::within_bound, kShape},
};

// The largest logit, which rounding errors are measured by.
class LargestLogit : public Observer {
 public:
  void on_value(std::string_view name, int, ConstTensor value) override {
    if (name != "logits") return;
    for (const float x : value.values<float>()) largest = std::max(largest, std::abs(double{x}));
  }
  double largest = 0;
};

struct Machine {
  std::string model;
  Backend backend;
};

void PrintTo(const Machine& machine, std::ostream* out) {
  *out << machine.model << " " << name_of(machine.backend);
}

std::vector<Machine> machines() {
  std::vector<Machine> result;
  for (const Backend backend : {Backend::eigen, Backend::simd}) {
    for (const std::string& name : tiny_models()) result.push_back({name, backend});
  }
  for (const char* name : {"qwen2-window", "qwen3"}) result.push_back({name, Backend::emulated});
  return result;
}

// Shorter texts for the kernels, which take their time to be emulated.
Requests requests_for(TestModel& model, Backend backend) {
  Requests requests = four_requests(model.config());
  if (backend != Backend::emulated) return requests;
  for (GenerationRequest& request : requests) request.options.max_tokens = 5;
  return requests;
}

class EngineChain : public testing::TestWithParam<Machine> {
 protected:
  // Two logprobs may differ by twice what logits do.
  double tolerance() {
    LargestLogit logits;
    for (const GenerationRequest& request : requests) alone(model, request, 0, logits);
    return 2 * rounding_bound(model.config()) * logits.largest;
  }

  // Blocks and budgets of every kind; one of each for the kernels.
  std::vector<Situation> situations() const {
    if (GetParam().backend == Backend::emulated) return {{requests, 3, 4}};
    std::vector<Situation> result;
    for (const int block_size : {1, 3, 16}) {
      for (const int budget : {1, 3, block_size - 1, block_size, block_size + 1, kWhole}) {
        if (budget > 0) result.push_back({requests, block_size, budget});
      }
    }
    return result;
  }

  void expect_equal(const Texts& ours, const Texts& theirs, double bound) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].finish, theirs[i].finish) << "text " << i << ": " << ours[i].error;
      ASSERT_TRUE(ours[i].tokens == theirs[i].tokens) << "text " << i;
      ASSERT_EQ(ours[i].logprobs.size(), theirs[i].logprobs.size());
      for (std::size_t t = 0; t < ours[i].logprobs.size(); ++t) {
        EXPECT_LE(std::abs(ours[i].logprobs[t] - theirs[i].logprobs[t]), bound)
            << "text " << i << ", token " << t;
      }
    }
  }

  TestModel model{GetParam().model, nullptr, 1, GetParam().backend};
  Requests requests = requests_for(model, GetParam().backend);
};

INSTANTIATE_TEST_SUITE_P(Of, EngineChain, testing::ValuesIn(machines()), [](const auto& info) {
  std::string name = info.param.model + "_" + name_of(info.param.backend);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EngineChain, EveryWayGivesEachRequestItsText) {
  const double bound = GetParam().backend == Backend::simd ? 0 : tolerance();
  for (const Situation& situation : situations()) {
    std::map<Texts (*)(TestModel&, const Situation&), Texts> expected;
    for (const Way& way : kTable) {
      SCOPED_TRACE(testing::Message() << way.name << ", block size " << situation.block_size
                                      << ", budget " << situation.budget << ": " << way.why);
      if (!expected.contains(way.against)) expected[way.against] = way.against(model, situation);
      expect_equal(way.run(model, situation), expected[way.against],
                   way.equal == Equal::bit_for_bit ? 0 : bound);
    }
  }
}

TEST_P(EngineChain, TheWayWithLittleRoomDoesPreempt) {
  Server server(model, Situation{requests, 3, kWhole}.most_blocks() + 1, 3, {.budget = kWhole});
  for (const GenerationRequest& request : requests) server.add(request);
  server.finish();
  EXPECT_GT(server.preemptions, 0);
}

}  // namespace
}  // namespace quire::test
