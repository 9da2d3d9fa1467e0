/// \file
/// \brief How far two orders of summation may take the logits of a model apart.
#pragma once

#include <algorithm>
#include <cmath>

#include "src/model/config.h"

namespace quire::test {

/// \brief The largest normalised error between two runs that differ in the order of their sums.
///
/// Two orders of a sum of n products differ by about 2 sqrt(n) u of its terms (Higham and Mary, "A new
/// approach to probabilistic rounding error analysis", 2019), once a matrix on the way.
/// \param config  the model
inline double rounding_bound(const ModelConfig& config) {
  const int longest = std::max({config.hidden, config.ffn, config.heads * config.head_dim});
  return (7 * config.layers + 1) * 2 * std::sqrt(longest) * 0x1p-24;
}

}  // namespace quire::test
