#include "src/model/generate.h"

#include <algorithm>
#include <chrono>

#include "src/core/error.h"
#include "src/model/open_sequence.h"
#include "src/model/sampler.h"

namespace quire {
namespace {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool is_one_of(TokenId token, const std::vector<TokenId>& tokens) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// [run_step]
// Computes all that the sequence knows and has not stored, and returns the logits of its last
// token.
std::span<const float> run_step(Decoder& decoder, KvManager& manager, KvCache& cache,
                                const std::vector<TokenId>& known, StepEvent& event,
                                Observer& observer) {
  const Stopwatch time;
  const Counters before = decoder.counters();
  const int stored = manager.stored(event.sequence);
  const Step step = close_the_gap(event.sequence, known, stored);
  require(manager.reserve(event.sequence, step.rows()),
          "the cache has no room for {} more rows after {}", step.rows(), stored);
  const std::span<const float> logits = decoder.forward(step, cache, observer);
  manager.commit(event.sequence, step.rows());

  event.context = stored;
  event.rows = step.rows();
  event.seconds = time.seconds();
  event.work = decoder.counters() - before;
  event.kv_bytes =
      static_cast<std::uint64_t>(manager.stored(event.sequence)) * cache.bytes_per_token();
  observer.on_step(event);
  ++event.index;
  return logits;
}
// [run_step]

}  // namespace

std::string_view name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop:
      return "stop";
    case FinishReason::length:
      return "length";
    case FinishReason::error:
      break;
  }
  return "error";
}

bool ends_text(TokenId token, const GenerationOptions& options, const ModelConfig& config) {
  return (!options.ignore_eos && is_one_of(token, config.eos)) ||
         is_one_of(token, options.stop_ids);
}

int token_limit(const ModelConfig& config, std::size_t prompt, std::optional<int> max_tokens) {
  require(prompt > 0,
          "the prompt is empty, and the tokenizer puts no token before it; give at least one");
  const auto context = static_cast<std::size_t>(config.max_positions);
  require(prompt < context,
          "the prompt has {} tokens, the model's context is {}; at most {} fit, to "
          "leave room for one new token",
          prompt, context, context - 1);
  require(max_tokens.value_or(1) >= 1, "max_tokens is {}, expected at least 1",
          max_tokens.value_or(1));
  const int room = static_cast<int>(context - prompt);
  return std::min(max_tokens.value_or(room), room);
}

// [generate]
Generation generate(Decoder& decoder, KvManager& manager, KvCache& cache,
                    std::vector<TokenId> prompt, const GenerationOptions& options,
                    Observer& observer) {
  const ModelConfig& config = decoder.config();
  const int limit = token_limit(config, prompt.size(), options.max_tokens);
  const Stopwatch time;
  Sampler sampler(options.sampling, config.vocabulary, prompt);
  const OpenSequence sequence(manager, prompt, static_cast<int>(prompt.size()) + limit - 1);
  std::vector<TokenId> known = prompt;
  Generation result{.prompt = std::move(prompt), .tokens = {}};
  StepEvent step;
  step.sequence = OpenSequence::kId;
  while (static_cast<int>(result.tokens.size()) < limit) {
    const auto logits = run_step(decoder, manager, cache, known, step, observer);
    const TokenId token = sampler.choose(logits, observer);
    if (options.logprobs) result.logprobs.push_back(logprobs_of(logits, token, *options.logprobs));
    const int index = static_cast<int>(result.tokens.size());
    known.push_back(token);
    result.tokens.push_back(token);
    const bool ends = ends_text(token, options, config);
    observer.on_token({OpenSequence::kId, index, token, time.seconds(), ends});
    if (ends || (options.stop_when && options.stop_when())) {
      result.finish = FinishReason::stop;
      break;
    }
  }
  return result;
}
// [generate]

}  // namespace quire
