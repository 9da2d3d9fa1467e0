/// \file
/// \brief Chapter 03: one sample of a request, from its tokens to what is shown of it.
#pragma once

#include <functional>
#include <string>

#include "chapters/03_sampling/stages.h"
#include "src/app/loaded_model.h"
#include "src/app/options.h"

namespace quire {

/// \brief A sample of a request: what was generated, and the text of it.
struct Sample {
  Generation generation;  ///< tokens, logprobs, why it ended
  std::string text;       ///< up to a stop string; without EOS or stop token
  StageRecord record;     ///< its steps, and how one token was chosen
};

/// \brief Takes a sample of a request, without a cache.
/// \param model    the model
/// \param prompt   token ids, at least one
/// \param options  the request; its sampling.sample says which sample
/// \param explain  index of the token whose choice is kept, or a negative number
/// \param show     called with each piece of text as soon as it is certain
/// \throws Error as generate and TextStream do
Sample take_sample(LoadedModel& model, const std::vector<TokenId>& prompt, const Options& options,
                   int explain, const std::function<void(const std::string&)>& show);

/// \brief The logprobs of a sample: a row for each token, with the likeliest beside it.
/// \param sample     with logprobs
/// \param tokenizer  names the tokens
Table logprobs_table(const Sample& sample, const Tokenizer& tokenizer);

/// \brief Several samples of a request side by side, and their means in the last row: tokens, why they
/// ended, and the nats by which a token surprised the model.
/// \param samples  with logprobs, at least one
Table samples_table(const std::vector<Sample>& samples);

/// \brief A sample as JSON: "ids", "text", "finish_reason", "seconds" and, if they were asked for,
/// "logprobs".
/// \param sample     any
/// \param tokenizer  names the tokens
Json to_json(const Sample& sample, const Tokenizer& tokenizer);

}  // namespace quire
