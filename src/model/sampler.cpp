#include "src/model/sampler.h"

#include <algorithm>
#include <cmath>

#include "src/core/error.h"

namespace quire {
namespace {

constexpr float kGreedyBelow = 1e-5f;

}  // namespace

TokenId argmax(std::span<const float> logits) {
  const auto nan =
      std::find_if(logits.begin(), logits.end(), [](float x) { return std::isnan(x); });
  require(nan == logits.end(), "logit {} is NaN: the model or its input is broken",
          nan - logits.begin());
  const auto best = std::max_element(logits.begin(), logits.end());
  require(best != logits.end(), "there are no logits to choose from");
  require(std::isfinite(*best), "the largest logit is {}, expected a finite number", *best);
  return TokenId{static_cast<std::int32_t>(best - logits.begin())};
}

Sampler::Sampler(float temperature, std::uint64_t seed) : temperature_(temperature), random_(seed) {
  require(std::isfinite(temperature) && temperature >= 0,
          "the temperature is {}, expected a finite number from 0 (greedy) up", temperature);
}

TokenId Sampler::choose(std::span<const float> logits) {
  const TokenId best = argmax(logits);
  if (temperature_ < kGreedyBelow) return best;
  const double top = logits[static_cast<std::size_t>(to_int(best))];
  weights_.clear();
  double total = 0;
  for (const float logit : logits) {
    weights_.push_back(std::exp((logit - top) / temperature_));
    total += weights_.back();
  }
  // The token whose share of [0, total) holds the random point.
  double rest = random_.uniform() * total;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    rest -= weights_[i];
    if (rest < 0) return TokenId{static_cast<std::int32_t>(i)};
  }
  return best;
}

}  // namespace quire
