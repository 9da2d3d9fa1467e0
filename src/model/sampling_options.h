/// \file
/// \brief What a request may ask of the sampler, and which numbers make sense.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief A number that is added to one token's logit.
struct LogitBias {
  TokenId token{};  ///< a token of the vocabulary
  double bias = 0;  ///< -100 to 100; the ends forbid or force the token in practice
};

/// \brief How a request wants its tokens to be chosen. Its defaults are greedy.
///
/// Each option has a value at which it is off, and then the operation does not run at all.
struct SamplingOptions {
  double temperature = 0;         ///< 0 or more; below 1e-5 the likeliest token is taken
  int top_k = 0;                  ///< candidates that are kept; 0 and -1 are off, like V and more
  double top_p = 1;               ///< 0 to 1: probability to keep; 1 is off, 0 keeps one candidate
  double min_p = 0;               ///< 0 to 1: of the likeliest's probability; 0 is off
  double repetition_penalty = 1;  ///< 0.01 to 100: divides logits of known tokens; 1 is off
  double presence_penalty = 0;    ///< -2 to 2: subtracted once from those of generated tokens
  double frequency_penalty = 0;   ///< -2 to 2: subtracted for each time they were generated
  std::vector<LogitBias> logit_bias = {};  ///< added first; several of one token add up
  std::uint64_t seed = 0;                  ///< of this request's random numbers
  int sample = 0;                          ///< which of several samples of the request, from 0
};

/// \brief Whether a request takes the likeliest token, without random numbers.
/// \param options  what it asks for
bool is_greedy(const SamplingOptions& options);

/// \brief Whether any of the three penalties is on.
/// \param options  what a request asks for
bool has_penalties(const SamplingOptions& options);

/// \brief Checks every number of a request.
/// \param options     what it asks for
/// \param vocabulary  how many tokens there are
/// \throws Error that names the first option that is out of its range, and the range
void check(const SamplingOptions& options, int vocabulary);

}  // namespace quire
