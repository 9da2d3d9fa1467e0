#include "chapters/10_continuous_batching/engine.h"

#include <algorithm>
#include <utility>

#include "src/core/error.h"

namespace quire {
namespace {

LogReason reason_of(FinishReason finish) {
  switch (finish) {
    case FinishReason::stop:
      return LogReason::stop;
    case FinishReason::length:
      return LogReason::length;
    case FinishReason::error:
      break;
  }
  return LogReason::error;
}

void check_tokens(const std::vector<TokenId>& prompt, int vocabulary) {
  for (const TokenId token : prompt) {
    require(to_int(token) >= 0 && to_int(token) < vocabulary,
            "the prompt has token {}, the vocabulary 0 to {}", to_int(token), vocabulary - 1);
  }
}

}  // namespace

Engine::Engine(Decoder& decoder, KvManager& manager, KvCache& cache,
               const SchedulerOptions& options)
    : decoder_(decoder),
      manager_(manager),
      cache_(cache),
      scheduler_(manager, options),
      options_(options) {}

void Engine::report_to(StepLog& log, const Placement& placement,
                       std::function<std::string(TokenId)> text_of) {
  log.begin({.engine = "continuous",
             .blocks = static_cast<int>(placement.slots() / placement.block_size()),
             .block_size = placement.block_size(),
             .budget = options_.budget,
             .max_sequences = options_.max_sequences,
             .bytes_per_row = static_cast<std::int64_t>(cache_.bytes_per_token())});
  scheduler_.report_to(log, placement);
  log_ = &log;
  text_of_ = std::move(text_of);
}

// [add]
SequenceId Engine::add(const GenerationRequest& request) {
  const int limit = limit_of(request);
  check(request.options.sampling, decoder_.config().vocabulary);
  check_tokens(request.prompt, decoder_.config().vocabulary);
  require(request.samples >= 1, "{} samples are none; at least 1", request.samples);
  require(request.options.logprobs.value_or(0) >= 0, "logprobs is {}, expected at least 0",
          request.options.logprobs.value_or(0));
  require(!request.options.stop_when,
          "an engine asks nobody whether a text ends; read its outputs, and abort");
  const SequenceId first{arrived_};
  try {
    for (int sample = 0; sample < request.samples; ++sample) enter(request, sample, limit);
    if (log_ != nullptr) report_arrivals(first);
  } catch (...) {
    // All samples or none.
    for (int id = to_int(first); id < arrived_; ++id) forget(SequenceId{id});
    throw;
  }
  return first;
}

// P prompt and G generated tokens need P + G - 1 rows: the last one is never fed.
int Engine::limit_of(const GenerationRequest& request) const {
  const auto& asked_for = request.options.max_tokens;
  const int limit = token_limit(decoder_.config(), request.prompt.size(), asked_for);
  const int prompt = static_cast<int>(request.prompt.size()), rows = manager_.capacity();
  const int least = asked_for ? limit : 1;
  require(prompt <= rows - least + 1,
          "{} prompt tokens and {} to generate need {} rows, the cache has {}; waiting would not "
          "help",
          prompt, least, prompt + least - 1, rows);
  return std::min(limit, rows - prompt + 1);
}
// [add]

void Engine::enter(const GenerationRequest& request, int sample, int limit) {
  const SequenceId id{arrived_++};
  Live& live = live_[id];
  live.options = request.options;
  live.options.sampling.sample += sample;
  live.limit = limit;
  live.prompt = static_cast<int>(request.prompt.size());
  Sequence& sequence = live.sequence;
  sequence.id = id;
  sequence.max_rows = live.prompt + limit - 1;
  // Room for the whole text at once, so that no step allocates for it.
  sequence.tokens.reserve(static_cast<std::size_t>(live.prompt + limit));
  sequence.tokens.assign(request.prompt.begin(), request.prompt.end());
  if (sample > 0) {
    sequence.sibling = SequenceId{to_int(id) - sample};
    sequence.shared = live.prompt;
  }
  scheduler_.add(sequence);
  live.arrived = true;
}

void Engine::report_arrivals(SequenceId first) const {
  for (auto it = live_.find(first); it != live_.end(); ++it) {
    log_->arrive(it->first, it->second.prompt, it->second.limit);
  }
}

// [step]
std::span<const Output> Engine::step() {
  outputs_.clear();
  if (log_ != nullptr) log_->begin_step();
  try {
    choose_tokens(compute());
  } catch (...) {
    // Nobody knows what memory holds, or whose token is missing. What sequences know is safe.
    scheduler_.forget_rows();
    if (log_ != nullptr) log_->end_step();
    throw;
  }
  if (log_ != nullptr) log_->end_step();
  return outputs_;
}

// One run of the decoder for everybody: the logits of those who computed all that they know.
std::span<const float> Engine::compute() {
  lay_out_step(scheduler_.schedule());
  if (step_.spans.empty()) return {};
  const auto logits = decoder_.forward(step_, cache_, *observer_);
  scheduler_.commit();
  report_run();
  return logits;
}

void Engine::lay_out_step(const Plan& plan) {
  step_.tokens.clear();
  step_.spans.clear();
  step_.logits_rows.clear();
  step_.copies = manager_.take_copies();
  for (const Share& share : plan.shares) add_span(share);
  outputs_.reserve(step_.logits_rows.size());
}

void Engine::add_span(const Share& share) {
  const Sequence& sequence = live_.at(share.sequence).sequence;
  const Span span{.sequence = share.sequence,
                  .first_row = step_.rows(),
                  .rows = share.rows,
                  .context = manager_.stored(share.sequence)};
  const auto from = sequence.tokens.begin() + span.context;
  step_.tokens.insert(step_.tokens.end(), from, from + span.rows);
  step_.spans.push_back(span);
  if (completes(span, sequence)) step_.logits_rows.push_back(step_.rows() - 1);
}

// A piece of a prompt yields no token: its last row does not know how the prompt goes on.
bool Engine::completes(const Span& span, const Sequence& sequence) {
  return span.context + span.rows == sequence.known();
}

void Engine::choose_tokens(std::span<const float> logits) {
  const auto width = static_cast<std::size_t>(decoder_.config().vocabulary);
  for (const Span& span : step_.spans) {
    Live& live = live_.at(span.sequence);
    if (!completes(span, live.sequence)) continue;
    outputs_.push_back(choose(live, logits.first(width)));
    logits = logits.subspan(width);
    const auto finish = outputs_.back().finish;
    if (finish) leave(span.sequence, reason_of(*finish));
  }
}
// [step]

// [choose]
// Logits that nothing can be chosen from are this request's trouble, and nobody else's.
Output Engine::choose(Live& live, std::span<const float> logits) {
  Output output{.sequence = live.sequence.id};
  try {
    output.token = next_token(live, logits, output);
  } catch (const std::exception& error) {
    output.finish = FinishReason::error;
    output.error = error.what();
    return output;
  }
  live.sequence.tokens.push_back(*output.token);
  report_token(live.sequence.id, *output.token);
  if (ends_text(*output.token, live.options, decoder_.config())) {
    output.finish = FinishReason::stop;
  } else if (live.sequence.known() == live.prompt + live.limit) {
    output.finish = FinishReason::length;
  }
  return output;
}
// [choose]

TokenId Engine::next_token(Live& live, std::span<const float> logits, Output& output) {
  const GenerationOptions& options = live.options;
  if (!live.sampler) {
    live.sampler.emplace(options.sampling, decoder_.config().vocabulary, live.sequence.tokens);
  }
  const TokenId token = live.sampler->choose(logits, *observer_);
  if (options.logprobs) output.logprobs = logprobs_of(logits, token, *options.logprobs);
  return token;
}

bool Engine::abort(SequenceId sequence) {
  require(to_int(sequence) >= 0 && to_int(sequence) < arrived_, "there was never a sequence {}",
          to_int(sequence));
  if (!live_.contains(sequence)) return false;
  leave(sequence, LogReason::abort);
  return true;
}

void Engine::leave(SequenceId sequence, LogReason reason) {
  if (log_ != nullptr) log_->finish(sequence, reason);
  forget(sequence);
}

void Engine::forget(SequenceId sequence) {
  const auto live = live_.find(sequence);
  if (live == live_.end()) return;
  if (live->second.arrived) scheduler_.remove(sequence);
  live_.erase(live);
}

void Engine::report_token(SequenceId sequence, TokenId token) const {
  if (log_ != nullptr) log_->sample(sequence, token, text_of_ ? text_of_(token) : "");
}

void Engine::report_run() const {
  if (log_ == nullptr) return;
  for (const Span& span : step_.spans) log_->write(span.sequence, span.context, span.rows);
  log_->run(step_.rows(), static_cast<int>(step_.spans.size()));
}

}  // namespace quire
