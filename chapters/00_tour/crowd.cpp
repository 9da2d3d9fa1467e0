#include "chapters/00_tour/crowd.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "chapters/02_decoder/no_cache.h"
#include "chapters/04_kv_cache/slab.h"
#include "chapters/08_static_batching/batch_generation.h"
#include "chapters/09_paged_attention/forks.h"
#include "chapters/10_continuous_batching/engine.h"
#include "src/app/progress.h"
#include "src/app/run_record.h"
#include "src/core/error.h"

namespace quire {
namespace {

constexpr int kBlockSize = 16;

// One prompt, and what may become of it.
struct Crowd {
  LoadedModel& model;
  const std::vector<TokenId>& prompt;
  const GenerationOptions& options;
  int longest;  // rows of a text at its end: P + G - 1

  // Blocks for all texts at their longest.
  BlockManager blocks() const {
    const Index blocks = kCrowd * blocks_needed(longest, kBlockSize);
    return {static_cast<int>(blocks), kBlockSize};
  }
  GenerationOptions options_of(int text) const {
    GenerationOptions own = options;
    own.sampling.sample += text;
    return own;
  }
};

// Rows held and rows needed, step by step.
class Rows {
 public:
  void note(Index held, Index needed) {
    most_ = std::max(most_, held);
    held_ += held;
    needed_ += needed;
  }
  void write_to(CrowdResult& result) const {
    result.reserved = most_;
    result.used = held_ == 0 ? 0 : static_cast<double>(needed_) / static_cast<double>(held_);
  }

 private:
  Index most_ = 0, held_ = 0, needed_ = 0;
};

Index held_rows(const BlockManager& manager) {
  return Index{manager.pool().blocks() - manager.pool().free_blocks()} * manager.block_size();
}

// One after the other; a text holds `held` rows from its beginning on, if it remembers any.
void serve_alone(const Crowd& crowd, const MakeMemory& make, int texts, Index held,
                 CrowdResult& result) {
  Rows memory;
  Progress progress("one request after the other", texts);
  for (int text = 0; text < texts; ++text) {
    RunRecord record;
    result.texts.push_back(
        continue_prompt(crowd.model, make, crowd.prompt, crowd.options_of(text), record).tokens);
    for (const StepEvent& step : record.steps()) {
      memory.note(held, held == 0 ? 0 : step.context + step.rows);
      result.rows += step.rows;
      ++result.steps;
    }
    progress.advance();
  }
  memory.write_to(result);
}

void serve_static(const Crowd& crowd, CrowdResult& result) {
  SlabManager slabs(
      {.rows = kCrowd * crowd.longest, .longest = crowd.longest, .granularity = crowd.longest});
  KvStorage storage(*crowd.model.ops, kv_shape_of(crowd.model.config()), slabs, true);
  std::vector<GenerationOptions> options;
  for (int text = 0; text < kCrowd; ++text) options.push_back(crowd.options_of(text));
  const std::vector prompts(static_cast<std::size_t>(kCrowd), crowd.prompt);
  BatchGeneration batches = generate_in_batches(*crowd.model.decoder, slabs, storage, prompts,
                                                options, {.max_sequences = kCrowd});
  for (Generation& text : batches.texts) result.texts.push_back(std::move(text.tokens));
  Rows memory;
  for (const CountedStep& step : batches.steps) {
    memory.note(step.memory.tokens + step.memory.reserved + step.memory.internal,
                step.memory.tokens);
    result.rows += step.rows;
  }
  result.steps = static_cast<int>(batches.steps.size());
  memory.write_to(result);
}

void serve_samples(const Crowd& crowd, CrowdResult& result) {
  BlockManager manager = crowd.blocks();
  KvStorage storage(*crowd.model.ops, kv_shape_of(crowd.model.config()), manager, true);
  Forks forks =
      generate_forks(*crowd.model.decoder, manager, storage, crowd.prompt, kCrowd, crowd.options);
  for (Generation& text : forks.samples) result.texts.push_back(std::move(text.tokens));
  Rows memory;
  for (const BlockUse& use : forks.steps) {
    memory.note(Index{use.blocks} * kBlockSize, use.known);
    result.rows += use.samples;
  }
  // The first step is the prompt, once.
  result.rows += std::ssize(crowd.prompt) - forks.steps.front().samples;
  result.steps = static_cast<int>(forks.steps.size());
  memory.write_to(result);
}

// Everybody joins as soon as there is room, and leaves at once.
void serve_continuously(const Crowd& crowd, CrowdResult& result) {
  BlockManager manager = crowd.blocks();
  KvStorage storage(*crowd.model.ops, kv_shape_of(crowd.model.config()), manager, true);
  Engine engine(*crowd.model.decoder, manager, storage, {.max_sequences = kCrowd});
  engine.add({.prompt = crowd.prompt, .options = crowd.options, .samples = kCrowd});
  result.texts.resize(static_cast<std::size_t>(kCrowd));
  Rows memory;
  while (!engine.idle()) {
    for (const Output& output : engine.step()) {
      require(output.error.empty(), "request {} failed: {}", to_int(output.sequence), output.error);
      const auto text = static_cast<std::size_t>(to_int(output.sequence));
      if (output.token) result.texts[text].push_back(*output.token);
    }
    Index needed = 0;
    for (const Sequence* running : engine.scheduler().running()) {
      needed += manager.stored(running->id);
    }
    memory.note(held_rows(manager), needed);
    for (const Share& share : engine.scheduler().plan().shares) result.rows += share.rows;
    ++result.steps;
  }
  memory.write_to(result);
}

// Serves all with one stage, and takes the time.
template <class Body>
CrowdResult timed(std::string chapter, std::string name, const Body& body) {
  CrowdResult result{.chapter = std::move(chapter), .name = std::move(name)};
  const auto start = std::chrono::steady_clock::now();
  body(result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

Index CrowdResult::tokens() const {
  Index sum = 0;
  for (const auto& text : texts) sum += std::ssize(text);
  return sum;
}

double CrowdResult::tokens_per_second() const {
  return static_cast<double>(tokens()) / seconds;
}

// [crowd]
std::vector<CrowdResult> serve_crowd(LoadedModel& model, const std::vector<TokenId>& prompt,
                                     const GenerationOptions& options) {
  const int limit = token_limit(model.config(), prompt.size(), options.max_tokens);
  const Crowd crowd{model, prompt, options, static_cast<int>(prompt.size()) + limit - 1};
  std::vector<CrowdResult> results = {
      timed("02", "no cache, one of them",
            [&](CrowdResult& result) { serve_alone(crowd, memory_of<NoCache>, 1, 0, result); }),
      timed("04", "KV cache, one by one",
            [&](CrowdResult& result) {
              serve_alone(crowd, memory_of<Slab>, kCrowd, crowd.longest, result);
            }),
      timed("08", "static batch of slabs",
            [&](CrowdResult& result) { serve_static(crowd, result); }),
      timed("09", "samples in blocks", [&](CrowdResult& result) { serve_samples(crowd, result); }),
      timed("10", "continuous batch",
            [&](CrowdResult& result) { serve_continuously(crowd, result); })};
  const std::span expected = results[1].texts;
  for (CrowdResult& result : results) {
    result.identical = std::ranges::equal(result.texts, expected.first(result.texts.size()));
  }
  return results;
}
// [crowd]

}  // namespace quire
