/// \file
/// \brief Whether counts agree with a distribution: Pearson's chi-square test.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

namespace quire::test {

/// \brief Pearson's statistic of some counts: the sum of (count - expected)^2 / expected. Infinite
/// if something happened whose probability is 0.
/// \param counts         how often each outcome came
/// \param probabilities  of the outcomes; they sum to 1
inline double chi_square(std::span<const int> counts, std::span<const double> probabilities) {
  const double draws = std::accumulate(counts.begin(), counts.end(), 0.0);
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = draws * probabilities[i];
    if (expected == 0 && counts[i] > 0) return std::numeric_limits<double>::infinity();
    if (expected > 0) statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return statistic;
}

/// \brief What the statistic exceeds about once in a million (Wilson and Hilferty, 1931).
/// \param probabilities  of the outcomes; one degree of freedom less than are possible
inline double once_in_a_million(std::span<const double> probabilities) {
  double freedom = -1;
  for (const double probability : probabilities) freedom += probability > 0 ? 1 : 0;
  if (freedom < 1) return 0;
  constexpr double kDeviations = 4.7534;
  const double part = 2 / (9 * freedom);
  return freedom * std::pow(1 - part + kDeviations * std::sqrt(part), 3);
}

}  // namespace quire::test
