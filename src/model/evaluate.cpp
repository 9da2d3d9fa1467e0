#include "src/model/evaluate.h"

#include <algorithm>
#include <cmath>

#include "src/core/error.h"
#include "src/model/logprobs.h"
#include "src/model/open_sequence.h"

namespace quire {
namespace {

constexpr int kChunk = 64;

// The rows of a window from `context` on. Row r predicts the token after it; those whose prediction
// is scored want logits.
Step step_of(std::span<const TokenId> window, std::size_t first_scored, int context, int rows) {
  const auto fed =
      window.subspan(static_cast<std::size_t>(context), static_cast<std::size_t>(rows));
  Step step;
  step.tokens.assign(fed.begin(), fed.end());
  step.spans = {{.sequence = OpenSequence::kId, .first_row = 0, .rows = rows, .context = context}};
  const int first_row = std::max(0, static_cast<int>(first_scored) - 1 - context);
  for (int row = first_row; row < rows; ++row) step.logits_rows.push_back(row);
  return step;
}

// [score]
// The nats of the tokens that a step's rows predict.
double score(std::span<const float> logits, const Step& step, std::span<const TokenId> window,
             int vocabulary) {
  const auto width = static_cast<std::size_t>(vocabulary);
  double nats = 0;
  const Span& span = step.spans.front();
  for (std::size_t i = 0; i < step.logits_rows.size(); ++i) {
    const auto predicted = static_cast<std::size_t>(span.position(step.logits_rows[i])) + 1;
    nats += negative_log_likelihood(logits.subspan(i * width, width), window[predicted]);
  }
  return nats;
}
// [score]

// Scores one window. It opens its sequence without naming tokens, since the logits of every row are
// wanted: none may be taken from a prefix that somebody remembers.
Evaluation evaluate_window(Decoder& decoder, KvManager& manager, KvCache& cache,
                           std::span<const TokenId> window, std::size_t first_scored,
                           const OnScored& on_scored) {
  const int last = static_cast<int>(window.size()) - 1;
  const OpenSequence sequence(manager, {}, last);
  Evaluation result{.fed = static_cast<std::uint64_t>(last), .windows = 1};
  Observer nobody;
  for (int fed = 0; fed < last;) {
    const int rows = manager.retains() ? std::min(kChunk, last - fed) : last;
    const Step step = step_of(window, first_scored, fed, rows);
    require(manager.reserve(OpenSequence::kId, rows), "the cache has no room for {} more rows",
            rows);
    const auto logits = decoder.forward(step, cache, nobody);
    manager.commit(OpenSequence::kId, rows);
    result.nats += score(logits, step, window, decoder.config().vocabulary);
    result.scored += step.logits_rows.size();
    if (on_scored) on_scored(static_cast<int>(step.logits_rows.size()));
    fed += rows;
  }
  return result;
}

}  // namespace

EvaluationOptions resolve(const EvaluationOptions& options, const ModelConfig& config) {
  const int context = options.context == 0 ? config.max_positions : options.context;
  require(2 <= context && context <= config.max_positions,
          "a window of {} tokens was asked for, expected 2 to {}, the model's context", context,
          config.max_positions);
  const int stride = options.stride == 0 ? context / 2 : options.stride;
  require(1 <= stride && stride < context,
          "the stride is {}, expected 1 to {}: a window of {} tokens needs one to look at", stride,
          context - 1, context);
  return {.context = context, .stride = stride};
}

// [windows]
std::vector<EvaluationWindow> windows_of(std::size_t tokens, const EvaluationOptions& options) {
  const auto context = static_cast<std::size_t>(options.context);
  const auto stride = static_cast<std::size_t>(options.stride);
  std::vector<EvaluationWindow> windows = {{0, 1, std::min(context, tokens)}};
  while (windows.back().end < tokens) {
    const std::size_t seen = windows.back().end, end = std::min(seen + stride, tokens);
    windows.push_back({end - context, seen, end});
  }
  return windows;
}
// [windows]

double Evaluation::perplexity() const {
  return std::exp(nats_per_token());
}

Evaluation evaluate(Decoder& decoder, KvManager& manager, KvCache& cache,
                    std::span<const TokenId> tokens, const EvaluationOptions& options,
                    const OnScored& on_scored) {
  require(tokens.size() >= 2,
          "the text has {} tokens, expected at least 2: the first is predicted from nothing",
          tokens.size());
  Evaluation sum;
  for (const auto& [begin, scored, end] :
       windows_of(tokens.size(), resolve(options, decoder.config()))) {
    const Evaluation one = evaluate_window(
        decoder, manager, cache, tokens.subspan(begin, end - begin), scored - begin, on_scored);
    sum.nats += one.nats;
    sum.scored += one.scored;
    sum.fed += one.fed;
    ++sum.windows;
  }
  return sum;
}

}  // namespace quire
