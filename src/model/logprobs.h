/// \file
/// \brief The logarithms of probabilities that logits stand for, before any sampling option.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief ln(sum of e^logit): what is subtracted from a logit to make it the logarithm of a
/// probability. In double precision; the largest logit is taken out first, so nothing overflows.
/// \param logits  F32 [vocabulary], at least one finite, none NaN
double log_sum_exp(std::span<const float> logits);

/// \brief The negative log-likelihood of a token in nats, -ln(softmax(logits)[token]): how much the
/// model is surprised.
/// \param logits  F32 [vocabulary], at least one finite, none NaN
/// \param token   a token of the vocabulary
/// \return at least 0; infinite for a token whose logit is -inf
/// \throws Error if the token is outside the vocabulary, or the logits are broken
double negative_log_likelihood(std::span<const float> logits, TokenId token);

/// \brief A token and how likely the model finds it.
struct TokenLogprob {
  TokenId token{};     ///< which
  double logprob = 0;  ///< ln of its probability, at most 0
  /// \brief The same token as likely.
  bool operator==(const TokenLogprob&) const = default;
};

/// \brief How likely the model found a token that was chosen, and which ones it liked best.
///
/// All are of the distribution that the model gave, softmax(logits): temperature, penalties, biases
/// and filters have no part in it. So the chosen token need not be among the top ones.
struct ChoiceLogprobs {
  TokenLogprob chosen;            ///< the token that was chosen
  std::vector<TokenLogprob> top;  ///< the likeliest, most likely first; of equal ones the lower id
};

/// \brief The logprobs of a choice. O(V + n log V) for a vocabulary of V.
/// \param logits  F32 [vocabulary], as the model gave them
/// \param chosen  a token of the vocabulary
/// \param n       how many of the likeliest to name; more than there are gives all
/// \throws Error as negative_log_likelihood, or if n is negative
ChoiceLogprobs logprobs_of(std::span<const float> logits, TokenId chosen, int n);

}  // namespace quire
