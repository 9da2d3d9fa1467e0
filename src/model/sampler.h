/// \file
/// \brief How the next token is chosen from its logits.
#pragma once

#include <span>
#include <vector>

#include "src/core/ids.h"
#include "src/core/random.h"

namespace quire {

/// \brief The most likely token; of equal ones the one with the lowest id.
/// \param logits  F32 [vocabulary], at least one
/// \throws Error if one of them is NaN, or none is finite
TokenId argmax(std::span<const float> logits);

/// \brief Chooses tokens at one temperature, with random numbers of its own.
///
/// A request owns its sampler: its tokens depend on its seed and logits, on no neighbour.
class Sampler {
 public:
  /// \brief A sampler; equal seeds choose equally.
  /// \param temperature  logits are divided by it; below 1e-5 the choice is argmax
  /// \param seed         of the random numbers
  /// \throws Error if the temperature is negative or not finite
  Sampler(float temperature, std::uint64_t seed);

  /// \brief Chooses a token: token i with probability softmax(logits / temperature)[i].
  ///
  /// Greedy choices consume no random number, others exactly one.
  /// \param logits  F32 [vocabulary]
  /// \throws Error if one of them is NaN, or none is finite
  TokenId choose(std::span<const float> logits);

 private:
  float temperature_;
  Random random_;
  std::vector<double> weights_;
};

}  // namespace quire
