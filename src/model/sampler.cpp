#include "src/model/sampler.h"

#include <algorithm>
#include <cmath>

#include "src/core/error.h"

namespace quire {
namespace {

std::size_t index_of(TokenId token) {
  return static_cast<std::size_t>(to_int(token));
}

// Whether the second is to be preferred.
bool is_behind(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit < b.logit : a.token > b.token;
}

double total_weight(std::span<const Candidate> candidates) {
  double total = 0;
  for (const Candidate& candidate : candidates) total += candidate.weight;
  return total;
}

// [keep_likeliest]
// Takes the likeliest candidate, then the next, until one is enough, and drops the rest. A heap
// knows its largest element; what is never taken is never sorted.
template <class Enough>
void keep_likeliest(Candidates& candidates, Enough enough) {
  std::make_heap(candidates.begin(), candidates.end(), is_behind);
  auto taken = candidates.end();
  do {
    std::pop_heap(candidates.begin(), taken, is_behind);
    --taken;
  } while (!enough(*taken) && taken != candidates.begin());
  const auto count = candidates.end() - taken;
  std::reverse(candidates.begin(), candidates.end());
  candidates.erase(candidates.begin() + count, candidates.end());
}
// [keep_likeliest]

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

// [logits]
void add_bias(Candidates& candidates, std::span<const LogitBias> biases) {
  for (const LogitBias& bias : biases) candidates[index_of(bias.token)].logit += bias.bias;
}

void penalize(Candidates& candidates, const SamplingOptions& options,
              std::span<const TokenUse> history) {
  for (Candidate& candidate : candidates) {
    const TokenUse& use = history[index_of(candidate.token)];
    double& logit = candidate.logit;
    // exercise 03.1 begin: Apply the repetition penalty to a token that the prompt or the text has,
    // whatever the sign of its logit, then the frequency and presence penalty to one of the text.
    if (use.in_prompt || use.generated > 0) {
      const double penalty = options.repetition_penalty;
      logit = logit > 0 ? logit / penalty : logit * penalty;
    }
    if (use.generated > 0) {
      logit -= options.frequency_penalty * use.generated + options.presence_penalty;
    }
    // exercise 03.1 end
  }
}

void soften(Candidates& candidates, double temperature) {
  // exercise 03.2 begin: Divide every logit by the temperature, and set each weight to e to the
  // power of its logit less the largest one.
  for (Candidate& candidate : candidates) candidate.logit /= temperature;
  const double top = std::max_element(candidates.begin(), candidates.end(), is_behind)->logit;
  for (Candidate& candidate : candidates) candidate.weight = std::exp(candidate.logit - top);
  // exercise 03.2 end
}
// [logits]

// [filters]
void keep_best(Candidates& candidates) {
  candidates.front() = *std::max_element(candidates.begin(), candidates.end(), is_behind);
  candidates.resize(1);
}

void keep_min_p(Candidates& candidates, double min_p) {
  std::erase_if(candidates, [&](const Candidate& one) { return one.weight < min_p; });
}

void keep_top_k(Candidates& candidates, int k) {
  if (static_cast<std::size_t>(k) >= candidates.size()) return;
  int missing = k;
  keep_likeliest(candidates, [&](const Candidate&) { return --missing == 0; });
}

void keep_top_p(Candidates& candidates, double top_p) {
  // exercise 03.3 begin: Keep the fewest of the likeliest candidates whose weights together are at
  // least top_p of all weights; the one that reaches it is kept too.
  double missing = top_p * total_weight(candidates);
  keep_likeliest(candidates, [&](const Candidate& one) { return (missing -= one.weight) <= 0; });
  // exercise 03.3 end
}
// [filters]

// [draw]
TokenId draw(std::span<const Candidate> candidates, Random& random) {
  // exercise 03.4 begin: Choose the candidate whose share of [0, total weight) holds a random point
  // of it.
  double rest = random.uniform() * total_weight(candidates);
  TokenId last{};
  for (const Candidate& candidate : candidates) {
    if (candidate.weight == 0) continue;
    last = candidate.token;
    rest -= candidate.weight;
    if (rest < 0) break;
  }
  // Where rounding leaves a crumb beyond the last share, it belongs to that.
  return last;
  // exercise 03.4 end
}
// [draw]

Sampler::Sampler(const SamplingOptions& options, int vocabulary, std::span<const TokenId> prompt)
    : options_(options),
      random_(Random::of(options.seed, static_cast<std::uint64_t>(options.sample))) {
  check(options, vocabulary);
  candidates_.reserve(static_cast<std::size_t>(vocabulary));
  history_.resize(static_cast<std::size_t>(vocabulary));
  if (!has_penalties(options)) return;
  for (const TokenId token : prompt) {
    require(0 <= to_int(token) && to_int(token) < vocabulary,
            "the prompt has token {}, the vocabulary 0 to {}", to_int(token), vocabulary - 1);
    history_[index_of(token)].in_prompt = true;
  }
}

void Sampler::begin(std::span<const float> logits) {
  require(logits.size() == history_.size(), "there are {} logits for a vocabulary of {}",
          logits.size(), history_.size());
  argmax(logits);  // refuses what nothing can be chosen from
  candidates_.clear();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    candidates_.push_back({.token = TokenId{static_cast<std::int32_t>(i)}, .logit = logits[i]});
  }
}

// [narrow]
void Sampler::narrow(Observer& observer) {
  const SamplingOptions& o = options_;
  const auto run = [&](std::string_view operation, bool asked_for, auto apply) {
    if (!asked_for) return;
    apply();
    observer.on_candidates(operation, candidates_);
  };
  run("logit bias", !o.logit_bias.empty(), [&] { add_bias(candidates_, o.logit_bias); });
  run("penalties", has_penalties(o), [&] { penalize(candidates_, o, history_); });
  if (is_greedy(o)) return run("greedy", true, [&] { keep_best(candidates_); });
  run("temperature", true, [&] { soften(candidates_, o.temperature); });
  run("min-p", o.min_p > 0, [&] { keep_min_p(candidates_, o.min_p); });
  run("top-k", o.top_k > 0, [&] { keep_top_k(candidates_, o.top_k); });
  run("top-p", o.top_p < 1, [&] { keep_top_p(candidates_, o.top_p); });
}

TokenId Sampler::choose(std::span<const float> logits, Observer& observer) {
  begin(logits);
  observer.on_candidates("logits", candidates_);
  narrow(observer);
  const TokenId token =
      is_greedy(options_) ? candidates_.front().token : draw(candidates_, random_);
  ++history_[index_of(token)].generated;
  return token;
}
// [narrow]

}  // namespace quire
