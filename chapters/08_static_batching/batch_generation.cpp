#include "chapters/08_static_batching/batch_generation.h"

#include "src/core/error.h"
#include "src/model/sampler.h"

namespace quire {
namespace {

SequenceId id_of(std::size_t text) {
  return SequenceId{static_cast<std::int32_t>(text)};
}

LogHeader header_of(const SlabManager& manager, const KvCache& cache, const BatchLimits& limits) {
  return {.engine = "static",
          .blocks = static_cast<int>(manager.slots() / manager.block_size()),
          .block_size = manager.block_size(),
          .budget = limits.budget,
          .max_sequences = limits.max_sequences,
          .bytes_per_row = static_cast<std::int64_t>(cache.bytes_per_token()),
          .feeds_idle = true};
}

// Those of one text; a single one counts for all.
const GenerationOptions& options_of(const std::vector<GenerationOptions>& options,
                                    std::size_t text) {
  return options.size() == 1 ? options[0] : options[text];
}

// One batch on a decoder. Member i is text first + i.
class RunningBatch {
 public:
  RunningBatch(Decoder& decoder, SlabManager& manager, KvCache& cache, std::size_t first,
               const std::vector<GenerationOptions>& options, const BatchLimits& limits,
               StepLog* log)
      : decoder_(decoder),
        manager_(manager),
        cache_(cache),
        first_(first),
        options_(options),
        log_(log),
        batch_(manager, limits) {}

  // False if the batch is full.
  bool add(SequenceId sequence, const std::vector<TokenId>& prompt) {
    const ModelConfig& config = decoder_.config();
    const GenerationOptions& options = options_of(options_, first_ + known_.size());
    const int limit = token_limit(config, prompt.size(), options.max_tokens);
    if (!batch_.add(sequence, prompt, limit)) return false;
    samplers_.emplace_back(options.sampling, config.vocabulary, prompt);
    known_.push_back(prompt);
    last_step_.push_back(0);
    if (log_ != nullptr) {
      log_->admit(sequence);
      log_->table(sequence, manager_.table(sequence));
    }
    return true;
  }

  // Runs the batch to its end.
  void run(int waiting, BatchGeneration& result) {
    const std::span texts = std::span(result.texts).subspan(first_);
    const std::size_t first_step = result.steps.size();
    for (auto shares = batch_.next(); !shares.empty(); shares = batch_.next()) {
      if (log_ != nullptr) log_->begin_step();
      CountedStep counted{.waiting = waiting, .memory = {}};
      for (const BatchMember& member : batch_.members()) counted.running += !member.finished;
      const Step step = step_of(shares);
      const auto logits = decoder_.forward(step, cache_, nobody_);
      batch_.commit(shares);
      if (log_ != nullptr) report(step);
      choose(shares, step, logits, texts);
      if (log_ != nullptr) end_step();
      counted.rows = step.rows();
      for (const BatchShare& share : shares) {
        if (!share.idle) continue;
        counted.idle_rows += share.rows;
        result.idle_rows[first_ + share.member] += share.rows;
      }
      counted.memory = manager_.use(waiting > 0, batch_.finished());
      result.steps.push_back(counted);
      ++steps_;
    }
    look_back(std::span(result.steps).subspan(first_step));
  }

 private:
  // [step]
  // The rows of a step. Whoever is fed to the end of what it knows wants logits; an idle member
  // gets them too, and nobody looks at them.
  Step step_of(std::span<const BatchShare> shares) const {
    Step step;
    for (const BatchShare& share : shares) {
      const SequenceId sequence = batch_.members()[share.member].sequence;
      const std::vector<TokenId>& known = known_[share.member];
      const int context = manager_.stored(sequence), first_row = step.rows();
      step.spans.push_back({sequence, first_row, share.rows, context});
      step.tokens.insert(step.tokens.end(), known.begin() + context,
                         known.begin() + context + share.rows);
      const bool to_the_end = context + share.rows == static_cast<int>(known.size());
      if (to_the_end || share.idle) step.logits_rows.push_back(step.rows() - 1);
    }
    return step;
  }
  // [step]

  void report(const Step& step) {
    for (const Span& span : step.spans) log_->write(span.sequence, span.context, span.rows);
    log_->run(step.rows(), static_cast<int>(step.spans.size()));
  }

  // All members give their slabs back with the last step, since none could before.
  void end_step() {
    if (batch_.all_finished()) {
      for (const BatchMember& member : batch_.members()) log_->table(member.sequence, {});
    }
    log_->end_step();
  }

  void choose(std::span<const BatchShare> shares, const Step& step, std::span<const float> logits,
              std::span<Generation> texts) {
    const auto width = static_cast<std::size_t>(decoder_.config().vocabulary);
    std::size_t row = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const int last = step.spans[i].first_row + step.spans[i].rows - 1;
      if (row == step.logits_rows.size() || step.logits_rows[row] != last) continue;
      const auto scores = logits.subspan(row++ * width, width);
      if (batch_.gives_token(shares[i])) take_token(shares[i].member, scores, texts);
    }
  }

  void take_token(std::size_t member, std::span<const float> logits, std::span<Generation> texts) {
    Generation& text = texts[member];
    const GenerationOptions& options = options_of(options_, first_ + member);
    const TokenId token = samplers_[member].choose(logits, nobody_);
    if (options.logprobs) text.logprobs.push_back(logprobs_of(logits, token, *options.logprobs));
    text.tokens.push_back(token);
    known_[member].push_back(token);
    const bool ends = ends_text(token, options, decoder_.config());
    if (ends) text.finish = FinishReason::stop;
    batch_.know(member, ends);
    const BatchMember& ours = batch_.members()[member];
    if (ours.finished) last_step_[member] = steps_;
    if (log_ == nullptr) return;
    log_->sample(ours.sequence, token);
    if (ours.finished) log_->finish(ours.sequence, ends ? LogReason::stop : LogReason::length);
  }

  // A text that ended before its limit left rows of its slab unused. That they were not reserved for
  // later but wasted is known only now.
  void look_back(std::span<CountedStep> steps) const {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const BatchMember& member = batch_.members()[i];
      const int unused = member.limit - member.generated;
      // With the step that ended it, none of its rows counted as needed any more.
      for (CountedStep& step : steps.first(last_step_[i])) {
        step.memory.reserved -= unused;
        step.memory.internal += unused;
      }
    }
  }

  Decoder& decoder_;
  SlabManager& manager_;
  KvCache& cache_;
  std::size_t first_;
  const std::vector<GenerationOptions>& options_;
  StepLog* log_;
  Observer nobody_;
  StaticBatch batch_;
  std::vector<Sampler> samplers_;
  std::vector<std::vector<TokenId>> known_;
  std::vector<std::size_t> last_step_;  // of each member: in which its text ended
  std::size_t steps_ = 0;               // that have run
};

}  // namespace

BatchGeneration generate_in_batches(Decoder& decoder, SlabManager& manager, KvCache& cache,
                                    const std::vector<std::vector<TokenId>>& prompts,
                                    const std::vector<GenerationOptions>& options,
                                    const BatchLimits& limits, StepLog* log) {
  require(options.size() == 1 || options.size() == prompts.size(),
          "{} options for {} prompts; one for each is right, or one for all", options.size(),
          prompts.size());
  BatchGeneration result;
  if (log != nullptr) {
    log->begin(header_of(manager, cache, limits));
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      log->arrive(
          id_of(i), static_cast<int>(prompts[i].size()),
          token_limit(decoder.config(), prompts[i].size(), options_of(options, i).max_tokens));
    }
  }
  for (const auto& prompt : prompts) result.texts.push_back({.prompt = prompt, .tokens = {}});
  result.idle_rows.resize(prompts.size());
  for (std::size_t first = 0; first < prompts.size();) {
    RunningBatch batch(decoder, manager, cache, first, options, limits, log);
    std::size_t next = first;
    while (next < prompts.size() && batch.add(id_of(next), prompts[next])) {
      ++next;
    }
    require(next > first, "the cache has no room for the first text of a batch");
    batch.run(static_cast<int>(prompts.size() - next), result);
    first = next;
  }
  return result;
}

}  // namespace quire
