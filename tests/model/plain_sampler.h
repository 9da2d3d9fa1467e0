/// \file
/// \brief An oracle for the sampler: the distribution that a request asks for, computed plainly.
#pragma once

#include <span>
#include <vector>

#include "src/core/ids.h"
#include "src/model/sampling_options.h"

namespace quire::test {

/// \brief The probability of each token. Written for tests, from the definitions, with a full sort
/// and normalised probabilities after every operation.
/// \param logits     [vocabulary]
/// \param options    what is asked for
/// \param prompt     tokens that the repetition penalty counts
/// \param generated  tokens that all penalties count
std::vector<double> plain_distribution(std::span<const float> logits,
                                       const SamplingOptions& options,
                                       std::span<const TokenId> prompt,
                                       std::span<const TokenId> generated);

}  // namespace quire::test
