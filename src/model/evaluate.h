/// \file
/// \brief How well a model predicts a text: the negative log-likelihood of its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "src/kv/kv_cache.h"
#include "src/kv/kv_manager.h"
#include "src/model/decoder.h"

namespace quire {

/// \brief How a text that is longer than the model's context is cut.
///
/// The first window is the first `context` tokens. Each further one ends `stride` tokens later, and
/// scores those tokens alone; the ones before them, as many as fit, are there to be looked at. So
/// every token but the text's first is scored exactly once. In the first window token i is
/// predicted from the i tokens before it; later, every token from at least context - stride and at
/// most context - 1. A smaller stride judges the model more kindly and costs more: each token is
/// fed about context / stride times.
struct EvaluationOptions {
  int context = 0;  ///< tokens of a window, 2 to the model's context; 0 means the latter
  int stride = 0;   ///< new tokens a window, 1 to context - 1; 0 means half of context
};

/// \brief A piece of the text that the model sees at once.
struct EvaluationWindow {
  std::size_t begin = 0;   ///< its first token
  std::size_t scored = 0;  ///< the first token that is scored in it; begin < scored < end
  std::size_t end = 0;     ///< one beyond its last token
  /// \brief The same window.
  bool operator==(const EvaluationWindow&) const = default;
};

/// \brief The options with their defaults filled in.
/// \param options  as they were given
/// \param config   the model
/// \throws Error if a number is out of its range
EvaluationOptions resolve(const EvaluationOptions& options, const ModelConfig& config);

/// \brief The windows of a text.
/// \param tokens   how many it has, at least 2
/// \param options  resolved
std::vector<EvaluationWindow> windows_of(std::size_t tokens, const EvaluationOptions& options);

/// \brief What a text costs the model.
struct Evaluation {
  double nats = 0;           ///< the sum of -ln p(token | tokens before it in its window)
  std::uint64_t scored = 0;  ///< tokens in that sum: all but the first
  std::uint64_t fed = 0;     ///< rows that went through the decoder
  std::size_t windows = 0;   ///< how many there were

  /// \brief The mean over tokens; e to the power of it is the perplexity.
  double nats_per_token() const { return nats / static_cast<double>(scored); }
  /// \brief How many equally likely tokens would be as hard to predict.
  double perplexity() const;
};

/// \brief Called with the number of tokens that have just been scored.
using OnScored = std::function<void(int)>;

/// \brief Scores a text, whoever remembers: with a cache a window is fed in chunks of 64 rows, so
/// that no more rows of logits are held at once; without one, all at once.
/// \param decoder    the model
/// \param manager    bookkeeping of a cache with room for context - 1 rows; the last token of a
///                   window is never fed
/// \param cache      its storage
/// \param tokens     the text, at least 2
/// \param options    how it is cut
/// \param on_scored  told how far it is; may be empty
/// \throws Error if there are fewer tokens than two, one is outside the vocabulary, an option is out
///         of its range, or the cache has no room
Evaluation evaluate(Decoder& decoder, KvManager& manager, KvCache& cache,
                    std::span<const TokenId> tokens, const EvaluationOptions& options,
                    const OnScored& on_scored = {});

}  // namespace quire
