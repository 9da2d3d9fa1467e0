/// \file
/// \brief How the next token is chosen from its logits: a short pipeline over candidates.
///
/// The order of the operations, each of which runs only if the request asks for it:
///
/// | | operation | on | keeps |
/// |--:|:--|:--|:--|
/// | 1 | logit bias | logits | all |
/// | 2 | repetition, then frequency and presence penalty | logits | all |
/// | 3 | temperature below 1e-5: take the likeliest, and stop here | logits | one |
/// | 4 | temperature, softmax | logits | all |
/// | 5 | min-p | probabilities | those near the likeliest |
/// | 6 | top-k | probabilities | the k likeliest |
/// | 7 | top-p | what 5 and 6 left, as if that were all | the likeliest that hold p of it |
/// | 8 | draw | what is left | one |
///
/// This is vLLM's order (v1), where ties at the k-th place are all kept and here the lower ids win.
/// llama.cpp applies its filters before the temperature: logit bias, penalties over the last 64
/// tokens, top-k, top-p, min-p, temperature, draw. There top-p is taken of the untempered
/// distribution, so a high temperature never widens the choice; here it does.
#pragma once

#include <span>
#include <vector>

#include "src/core/ids.h"
#include "src/core/observer.h"
#include "src/core/random.h"
#include "src/model/sampling_options.h"

namespace quire {

/// \brief The most likely token; of equal ones the one with the lowest id.
/// \param logits  F32 [vocabulary], at least one
/// \throws Error if one of them is NaN, or none is finite
TokenId argmax(std::span<const float> logits);

/// \brief How often a sequence has a token already.
struct TokenUse {
  bool in_prompt = false;  ///< whether the prompt has it
  int generated = 0;       ///< how often it was chosen
};

/// \brief The tokens that may still be chosen.
using Candidates = std::vector<Candidate>;

/// \brief Adds each bias to its token's logit.
/// \param candidates  the whole vocabulary in order: candidate i is token i
/// \param biases      tokens of the vocabulary
void add_bias(Candidates& candidates, std::span<const LogitBias> biases);

/// \brief Makes tokens less likely that the sequence has already (or likelier, if asked to).
///
/// The repetition penalty r (Keskar et al., 2019, arXiv 1909.05858) counts the prompt too. It moves
/// a logit l towards less: l / r if l is positive, l * r if it is negative. Frequency and presence
/// penalty count what was generated: l - frequency * count - presence.
/// \param candidates  any
/// \param options     the three penalties
/// \param history     a use for each token of the vocabulary
void penalize(Candidates& candidates, const SamplingOptions& options,
              std::span<const TokenUse> history);

/// \brief Divides logits by a temperature, and sets each weight to e^(logit - largest logit): the
/// softmax without its division, since only shares of the sum count later.
/// \param candidates   at least one with a finite logit
/// \param temperature  above 0
void soften(Candidates& candidates, double temperature);

/// \brief Keeps the likeliest candidate alone; of equal ones the lowest id.
/// \param candidates  at least one
void keep_best(Candidates& candidates);

/// \brief Keeps candidates at least so likely as a fraction of the likeliest (min-p: Nguyen et al.,
/// 2024, arXiv 2407.01082).
/// \param candidates  with weights; the largest is 1, and is kept
/// \param min_p       0 to 1
void keep_min_p(Candidates& candidates, double min_p);

/// \brief Keeps the k likeliest, most likely first; at equal weights the lower ids (top-k: Fan et
/// al., 2018, arXiv 1805.04833). O(V + k log V).
/// \param candidates  with weights
/// \param k           at least 1; as many as there are, or more, changes nothing
void keep_top_k(Candidates& candidates, int k);

/// \brief Keeps the fewest of the likeliest that together have at least a share of the probability,
/// and one at any rate (nucleus sampling: Holtzman et al., 2020, arXiv 1904.09751). O(V + n log V)
/// for n that are kept: nothing is sorted that is not kept.
/// \param candidates  with weights
/// \param top_p       0 to 1
void keep_top_p(Candidates& candidates, double top_p);

/// \brief Draws a candidate: each with the probability weight / sum of weights.
/// \param candidates  at least one with a weight above 0
/// \param random      gives exactly one number
TokenId draw(std::span<const Candidate> candidates, Random& random);

/// \brief Chooses the tokens of one sequence, with random numbers and a history of its own.
///
/// A request owns a sampler for each of its samples: tokens depend on its options, its seed and its
/// logits, on no neighbour. All memory is taken at the start: choosing allocates nothing.
class Sampler {
 public:
  /// \brief A sampler; equal options choose equally from equal logits.
  /// \param options     checked here
  /// \param vocabulary  how many logits there will be, at least 1
  /// \param prompt      what the repetition penalty counts besides what is chosen
  /// \throws Error as check(), or if a repetition penalty meets a prompt that has a token outside
  ///         the vocabulary
  Sampler(const SamplingOptions& options, int vocabulary, std::span<const TokenId> prompt = {});

  /// \brief Chooses a token, and remembers it for the penalties. O(V), and O(n log V) for n that
  /// top-k and top-p keep.
  ///
  /// Greedy choices consume no random number, others exactly one.
  /// \param logits    F32 [vocabulary]
  /// \param observer  sees the candidates after each operation that runs
  /// \throws Error if a logit is NaN, none is finite, or there are not `vocabulary` of them
  TokenId choose(std::span<const float> logits, Observer& observer);

 private:
  void begin(std::span<const float> logits);
  void narrow(Observer& observer);

  SamplingOptions options_;
  Random random_;
  std::vector<TokenUse> history_;  // [vocabulary]
  Candidates candidates_;
};

}  // namespace quire
