#include "tests/chapters/serving.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "chapters/04_kv_cache/slab.h"
#include "chapters/09_paged_attention/gathered_storage.h"
#include "src/core/random.h"
#include "src/model/bill.h"
#include "tests/support/test_tensor.h"

namespace quire::test {
namespace {

std::unique_ptr<KvCache> storage_of(TestModel& model, const BlockManager& manager, bool gathered) {
  const KvShape shape = kv_shape_of(model.config());
  if (gathered) return std::make_unique<GatheredStorage>(model.ops(), shape, manager);
  return std::make_unique<KvStorage>(model.ops(), shape, manager, true);
}

}  // namespace

void PoisonedStorage::begin(const Step& step) {
  inner_.begin(step);  // copies first: what they are made from may be free by now
  const int size = manager_.block_size();
  for (int block = 0; block < manager_.pool().blocks(); ++block) {
    if (manager_.pool().references(BlockId{block}) == 0) poison_rows(Index{block} * size, size);
  }
  for (const Span& span : step.spans) {
    const auto table = manager_.table(span.sequence);
    for (Index p = span.context; p < static_cast<Index>(table.size()) * size; ++p) {
      poison_rows(to_int(slot_of(table[static_cast<std::size_t>(p / size)], size, p)), 1);
    }
    if (damaged_ == span.sequence && span.context > 0) {
      poison_rows(to_int(slot_of(table[0], size, 0)), 1);
    }
  }
}

void PoisonedStorage::poison_rows(Index first, Index rows) {
  for (int layer = 0; layer < layers_; ++layer) {
    const KvSlots slots = inner_.slots(layer);
    poison(slots.k.rows(first, rows));
    poison(slots.v.rows(first, rows));
  }
}

void scramble(BlockManager& manager, std::uint64_t seed) {
  std::vector<SequenceId> open;
  for (int i = 0; i < manager.pool().blocks(); ++i) {
    open.push_back(SequenceId{i});
    EXPECT_TRUE(manager.open(open.back(), {}, 1) && manager.reserve(open.back(), 1));
  }
  Random random(seed);
  while (!open.empty()) {
    std::swap(open.back(), open[random.below(open.size())]);
    manager.release(open.back());
    open.pop_back();
  }
}

void Reader::read(std::span<const Output> outputs) {
  for (const Output& output : outputs) {
    Text& text = texts_[output.sequence];
    ASSERT_FALSE(text.finish) << "sequence " << to_int(output.sequence) << " has ended already";
    EXPECT_NE(output.token.has_value(), output.finish == FinishReason::error);
    if (output.token) text.tokens.push_back(*output.token);
    if (output.logprobs) text.logprobs.push_back(output.logprobs->chosen.logprob);
    text.finish = output.finish;
    text.error = output.error;
  }
}

Server::Server(TestModel& model, int blocks, int block_size, const SchedulerOptions& options,
               bool gathered, const Wrap& wrap)
    : manager(blocks, block_size),
      wrapped(wrap ? wrap(manager) : nullptr),
      storage(storage_of(model, manager, gathered)),
      cache(*storage, model.config().layers, manager),
      engine(model.decoder(), wrapped ? *wrapped : manager, cache, options) {
  scramble(manager);
}

void Server::step() {
  reader.read(engine.step());
  preemptions += static_cast<int>(engine.scheduler().plan().preempted.size());
  ASSERT_NO_THROW(engine.scheduler().check_invariants());
  ASSERT_NO_THROW(manager.check_invariants());
}

void Server::finish() {
  for (int steps = 0; !engine.idle(); ++steps) {
    ASSERT_LT(steps, 5000) << "somebody waits for ever";
    ASSERT_NO_FATAL_FAILURE(step());
  }
  EXPECT_EQ(manager.pool().free_blocks(), manager.pool().blocks()) << "a block was lost";
}

std::vector<GenerationRequest> four_requests(const ModelConfig& config) {
  Random random(11);
  const auto prompt = [&](int length) {
    std::vector<TokenId> tokens;
    for (int i = 0; i < length; ++i) {
      const auto id = random.below(static_cast<std::uint64_t>(config.vocabulary));
      tokens.push_back(TokenId{static_cast<std::int32_t>(id)});
    }
    return tokens;
  };
  const auto options = [](int max_tokens, const SamplingOptions& sampling) {
    GenerationOptions result{.max_tokens = max_tokens, .sampling = sampling, .ignore_eos = true};
    result.logprobs = 0;
    return result;
  };
  return {
      {.prompt = prompt(7), .options = options(12, {})},
      {.prompt = prompt(17), .options = options(9, {.temperature = 1, .seed = 3})},
      {.prompt = prompt(1), .options = options(18, {.repetition_penalty = 1.3})},
      {.prompt = prompt(16), .options = options(6, {.temperature = 0.7, .top_k = 9, .seed = 3})}};
}

Text text_of(const Generation& generation) {
  Text text{.tokens = generation.tokens, .logprobs = {}, .finish = generation.finish, .error = {}};
  for (const ChoiceLogprobs& choice : generation.logprobs) {
    text.logprobs.push_back(choice.chosen.logprob);
  }
  return text;
}

Text alone(TestModel& model, const GenerationRequest& request, int sample, Observer& observer) {
  GenerationOptions options = request.options;
  options.sampling.sample += sample;
  Slab slab(model.config().max_positions);
  KvStorage storage(model.ops(), kv_shape_of(model.config()), slab, true);
  const Generation generation =
      generate(model.decoder(), slab, storage, request.prompt, options, observer);
  return text_of(generation);
}

int rows_of(const GenerationRequest& request) {
  return static_cast<int>(request.prompt.size()) + request.options.max_tokens.value() - 1;
}

}  // namespace quire::test
