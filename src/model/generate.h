/// \file
/// \brief The autoregressive loop: compute what is known but not stored, choose a token, know it
/// too, until something says stop.
///
/// Four things end a generation, and the first to come counts: an EOS token of the model, a stop id
/// of the request, whoever reads along (`stop_when`), and the limit. The loop knows ids only. Stop
/// *strings* are a matter of text, which stands beside the model and not below it: whoever asks for
/// them decodes the tokens as they come (src/text/text_stream.h) and answers through `stop_when`.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "src/core/observer.h"
#include "src/kv/kv_cache.h"
#include "src/kv/kv_manager.h"
#include "src/model/decoder.h"
#include "src/model/logprobs.h"
#include "src/model/sampling_options.h"

namespace quire {

/// \brief How to continue a prompt.
struct GenerationOptions {
  std::optional<int> max_tokens;       ///< at least 1; unset means up to the model's context
  SamplingOptions sampling = {};       ///< how tokens are chosen
  bool ignore_eos = false;             ///< go on after an end-of-sequence token
  std::vector<TokenId> stop_ids = {};  ///< further tokens that end the text
  std::optional<int> logprobs = {};  ///< keep those of each choice, and of so many likeliest tokens
  /// \brief Asked after each token, once the observer has seen it: whether the text ends here.
  std::function<bool()> stop_when = {};
};

/// \brief Why a generation ended.
enum class FinishReason {
  stop,    ///< an end-of-sequence token, a stop id, or `stop_when` said so
  length,  ///< as many tokens as asked for, or the context is full
  error,   ///< it could not be continued, while others went on
};

/// \brief The name of a finish reason in outputs: "stop", "length" or "error".
/// \param reason  why a generation ended
std::string_view name_of(FinishReason reason);

/// \brief What came of a prompt.
struct Generation {
  std::vector<TokenId> prompt;  ///< as given
  std::vector<TokenId> tokens;  ///< generated; the last is the EOS or stop token if one ended it
  std::vector<ChoiceLogprobs> logprobs = {};   ///< one for each of them, if they were asked for
  FinishReason finish = FinishReason::length;  ///< why it ended
};

/// \brief Whether a token ends its text: an EOS token of the model, unless these are ignored, or a
/// stop id of the request.
/// \param token    a token that was chosen
/// \param options  of the request
/// \param config   the model
bool ends_text(TokenId token, const GenerationOptions& options, const ModelConfig& config);

/// \brief How many tokens may be generated for a prompt.
///
/// P prompt and G generated tokens need P + G - 1 rows: the last token is never fed.
/// \param config      the model
/// \param prompt      tokens of the prompt
/// \param max_tokens  what was asked for, if anything
/// \return at least 1, so that prompt + result fits the context
/// \throws Error if the prompt is empty or leaves no room in the context, or max_tokens is below 1
int token_limit(const ModelConfig& config, std::size_t prompt, std::optional<int> max_tokens);

/// \brief Continues a prompt, whoever remembers: without a cache each step computes everything
/// again, with one only what is new.
/// \param decoder   the model
/// \param manager   bookkeeping of the cache, with room for the sequence
/// \param cache     its storage
/// \param prompt    at least one token
/// \param options   how to go on
/// \param observer  sees steps and tokens as they come
/// \throws Error as token_limit and Sampler do, or if the cache has no room
Generation generate(Decoder& decoder, KvManager& manager, KvCache& cache,
                    std::vector<TokenId> prompt, const GenerationOptions& options,
                    Observer& observer);

}  // namespace quire
