#include "src/model/logprobs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/core/error.h"
#include "src/model/sampler.h"

namespace quire {
namespace {

std::size_t index_of(std::span<const float> logits, TokenId token) {
  const auto index = static_cast<std::size_t>(to_int(token));
  require(to_int(token) >= 0 && index < logits.size(), "token {} is outside the vocabulary of {}",
          to_int(token), logits.size());
  return index;
}

}  // namespace

// [log_sum_exp]
double log_sum_exp(std::span<const float> logits) {
  const double top = logits[static_cast<std::size_t>(to_int(argmax(logits)))];
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - top);
  return top + std::log(sum);
}

double negative_log_likelihood(std::span<const float> logits, TokenId token) {
  return log_sum_exp(logits) - logits[index_of(logits, token)];
}
// [log_sum_exp]

ChoiceLogprobs logprobs_of(std::span<const float> logits, TokenId chosen, int n) {
  require(n >= 0, "logprobs of the {} likeliest tokens were asked for, expected at least 0", n);
  const double whole = log_sum_exp(logits);
  const auto logprob = [&](std::size_t i) {
    return TokenLogprob{TokenId{static_cast<std::int32_t>(i)}, logits[i] - whole};
  };
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto count = std::min(order.size(), static_cast<std::size_t>(n));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
                    });
  ChoiceLogprobs result{.chosen = logprob(index_of(logits, chosen)), .top = {}};
  for (std::size_t i = 0; i < count; ++i) result.top.push_back(logprob(order[i]));
  return result;
}

}  // namespace quire
