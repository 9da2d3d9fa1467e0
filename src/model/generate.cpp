#include "src/model/generate.h"

#include <algorithm>
#include <chrono>

#include "src/core/error.h"
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

// A sequence that is released whatever happens.
class OpenSequence {
 public:
  OpenSequence(KvManager& manager, std::span<const TokenId> prompt, int max_rows)
      : manager_(manager) {
    require(manager_.open(kId, prompt, max_rows),
            "the cache has no room for a sequence of {} rows now", max_rows);
  }
  ~OpenSequence() { manager_.release(kId); }
  OpenSequence(const OpenSequence&) = delete;
  OpenSequence& operator=(const OpenSequence&) = delete;

  static constexpr SequenceId kId{0};

 private:
  KvManager& manager_;
};

bool is_eos(TokenId token, const ModelConfig& config) {
  return std::find(config.eos.begin(), config.eos.end(), token) != config.eos.end();
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
  return reason == FinishReason::stop ? "stop" : "length";
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
  const int limit = token_limit(decoder.config(), prompt.size(), options.max_tokens);
  const Stopwatch time;
  Sampler sampler(options.temperature, options.seed);
  const OpenSequence sequence(manager, prompt, static_cast<int>(prompt.size()) + limit - 1);
  std::vector<TokenId> known = prompt;
  Generation result{.prompt = std::move(prompt), .tokens = {}, .finish = FinishReason::length};
  StepEvent step;
  step.sequence = OpenSequence::kId;
  while (static_cast<int>(result.tokens.size()) < limit) {
    const auto logits = run_step(decoder, manager, cache, known, step, observer);
    const TokenId token = sampler.choose(logits);
    const int index = static_cast<int>(result.tokens.size());
    known.push_back(token);
    result.tokens.push_back(token);
    observer.on_token({OpenSequence::kId, index, token, time.seconds()});
    if (!options.ignore_eos && is_eos(token, decoder.config())) {
      result.finish = FinishReason::stop;
      break;
    }
  }
  return result;
}
// [generate]

}  // namespace quire
