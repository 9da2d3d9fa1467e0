#include "tests/model/plain_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quire::test {
namespace {

using Numbers = std::vector<double>;

void normalise(Numbers& p) {
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= sum;
}

// All tokens, the likeliest first, of equal ones the lower id.
std::vector<std::size_t> ranking(const Numbers& scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

void penalise(Numbers& logits, const SamplingOptions& o, std::span<const TokenId> prompt,
              std::span<const TokenId> generated) {
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const TokenId token{static_cast<std::int32_t>(i)};
    const auto times = std::count(generated.begin(), generated.end(), token);
    const bool known = times > 0 || std::count(prompt.begin(), prompt.end(), token) > 0;
    if (known && logits[i] > 0) {
      logits[i] /= o.repetition_penalty;
    } else if (known) {
      logits[i] *= o.repetition_penalty;
    }
    logits[i] -= o.frequency_penalty * static_cast<double>(times);
    logits[i] -= times > 0 ? o.presence_penalty : 0;
  }
}

Numbers softmax(const Numbers& logits, double temperature) {
  const double top = *std::max_element(logits.begin(), logits.end());
  Numbers p;
  for (const double logit : logits) p.push_back(std::exp((logit - top) / temperature));
  normalise(p);
  return p;
}

void keep(Numbers& p, const std::vector<bool>& kept) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = kept[i] ? p[i] : 0;
  normalise(p);
}

void min_p(Numbers& p, double fraction) {
  const double top = *std::max_element(p.begin(), p.end());
  std::vector<bool> kept;
  for (const double x : p) kept.push_back(x >= fraction * top);
  keep(p, kept);
}

void top_k(Numbers& p, int k) {
  std::vector<bool> kept(p.size(), false);
  for (const std::size_t i : ranking(p)) {
    if (k-- > 0) kept[i] = true;
  }
  keep(p, kept);
}

void top_p(Numbers& p, double share) {
  std::vector<bool> kept(p.size(), false);
  double sum = 0;
  for (const std::size_t i : ranking(p)) {
    if (sum > 0 && sum >= share) break;
    kept[i] = true;
    sum += p[i];
  }
  keep(p, kept);
}

}  // namespace

std::vector<double> plain_distribution(std::span<const float> logits, const SamplingOptions& o,
                                       std::span<const TokenId> prompt,
                                       std::span<const TokenId> generated) {
  Numbers scores(logits.begin(), logits.end());
  for (const LogitBias& bias : o.logit_bias) {
    scores[static_cast<std::size_t>(to_int(bias.token))] += bias.bias;
  }
  penalise(scores, o, prompt, generated);
  if (o.temperature < 1e-5) {
    Numbers p(scores.size(), 0);
    p[ranking(scores).front()] = 1;
    return p;
  }
  Numbers p = softmax(scores, o.temperature);
  if (o.min_p > 0) min_p(p, o.min_p);
  if (o.top_k > 0) top_k(p, o.top_k);
  if (o.top_p < 1) top_p(p, o.top_p);
  return p;
}

}  // namespace quire::test
