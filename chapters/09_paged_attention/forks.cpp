#include "chapters/09_paged_attention/forks.h"

#include "src/core/error.h"
#include "src/model/sampler.h"

namespace quire {
namespace {

// Samples of one prompt while they grow. Sample k is sequence k.
class Growing {
 public:
  Growing(Decoder& decoder, BlockManager& manager, KvCache& cache,
          const std::vector<TokenId>& prompt, int count, const GenerationOptions& options)
      : decoder_(decoder), manager_(manager), cache_(cache), options_(options) {
    limit_ = token_limit(decoder.config(), prompt.size(), options.max_tokens);
    for (int k = 0; k < count; ++k) {
      SamplingOptions sampling = options.sampling;
      sampling.sample += k;
      samplers_.emplace_back(sampling, decoder.config().vocabulary, prompt);
      result_.samples.push_back({.prompt = prompt, .tokens = {}});
      result_.tables.emplace_back();
    }
  }

  // [forks]
  Forks run() {
    const std::vector<TokenId>& prompt = result_.samples[0].prompt;
    const int rows = static_cast<int>(prompt.size());
    manager_.open(SequenceId{0}, prompt, rows + limit_ - 1);
    require(manager_.reserve(SequenceId{0}, rows), "the cache has no room for {} rows", rows);
    const auto first = forward(close_the_gap(SequenceId{0}, prompt, 0));
    for (int k = 1; k < static_cast<int>(samplers_.size()); ++k) {
      manager_.fork(SequenceId{0}, SequenceId{k});
    }
    for (int k = 0; k < static_cast<int>(samplers_.size()); ++k) growing_.push_back(SequenceId{k});
    note_use(0);
    // All samples choose their first token from the same logits.
    std::vector<float> logits;
    for (std::size_t k = 0; k < growing_.size(); ++k) {
      logits.insert(logits.end(), first.begin(), first.end());
    }
    choose(logits);
    while (!growing_.empty()) {
      const Step step = next_step();
      const auto copies = static_cast<int>(step.copies.size());
      const auto scores = forward(step);
      note_use(copies);
      choose(scores);
    }
    return std::move(result_);
  }
  // [forks]

 private:
  Generation& sample(SequenceId id) {
    return result_.samples[static_cast<std::size_t>(to_int(id))];
  }

  // One row for each sample: the token that it chose last.
  Step next_step() {
    Step step;
    for (const SequenceId id : growing_) {
      require(manager_.reserve(id, 1), "the cache has no room for one more row of sample {}",
              to_int(id));
      const int row = step.rows();
      step.tokens.push_back(sample(id).tokens.back());
      step.spans.push_back(
          {.sequence = id, .first_row = row, .rows = 1, .context = manager_.stored(id)});
      step.logits_rows.push_back(row);
    }
    step.copies = manager_.take_copies();
    return step;
  }

  std::span<const float> forward(const Step& step) {
    const auto logits = decoder_.forward(step, cache_, nobody_);
    for (const Span& span : step.spans) manager_.commit(span.sequence, span.rows);
    return logits;
  }

  // The next token of every sample, each from its row of logits; samples that end let go of their
  // blocks.
  void choose(std::span<const float> logits) {
    const std::size_t width = logits.size() / growing_.size();
    std::vector<SequenceId> next;
    for (std::size_t row = 0; row < growing_.size(); ++row) {
      const SequenceId id = growing_[row];
      Generation& ours = sample(id);
      const TokenId token = samplers_[static_cast<std::size_t>(to_int(id))].choose(
          logits.subspan(row * width, width), nobody_);
      ours.tokens.push_back(token);
      const bool ended = ends_text(token, options_, decoder_.config());
      if (ended) ours.finish = FinishReason::stop;
      if (ended || static_cast<int>(ours.tokens.size()) == limit_) {
        finish(id);
      } else {
        next.push_back(id);
      }
    }
    growing_ = std::move(next);
  }

  void finish(SequenceId id) {
    const auto table = manager_.table(id);
    result_.tables[static_cast<std::size_t>(to_int(id))].assign(table.begin(), table.end());
    manager_.release(id);
  }

  void note_use(int copies) {
    BlockUse use{.samples = static_cast<int>(growing_.size()),
                 .known = 0,
                 .blocks = manager_.pool().blocks() - manager_.pool().free_blocks(),
                 .copies = copies};
    for (const SequenceId id : growing_) use.known += manager_.stored(id);
    result_.steps.push_back(use);
  }

  Decoder& decoder_;
  BlockManager& manager_;
  KvCache& cache_;
  const GenerationOptions& options_;
  Observer nobody_;
  int limit_ = 0;
  std::vector<Sampler> samplers_;
  std::vector<SequenceId> growing_;
  Forks result_;
};

}  // namespace

Forks generate_forks(Decoder& decoder, BlockManager& manager, KvCache& cache,
                     const std::vector<TokenId>& prompt, int count,
                     const GenerationOptions& options) {
  require(count >= 1, "{} samples are none; at least 1", count);
  return Growing(decoder, manager, cache, prompt, count, options).run();
}

}  // namespace quire
