/// \file
/// \brief Who watches a computation: events from the decoder and from the loops around it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "src/core/counters.h"
#include "src/core/ids.h"
#include "src/core/tensor.h"

namespace quire {

/// \brief A step of one sequence that has just been run.
struct StepEvent {
  SequenceId sequence{};       ///< whose step it was
  int index = 0;               ///< how many steps the sequence had before
  int context = 0;             ///< rows that were stored before the step
  int rows = 0;                ///< rows that the step fed
  double seconds = 0;          ///< from the start of the step to its logits
  Counters work;               ///< what the operators did in it
  std::uint64_t kv_bytes = 0;  ///< bytes of keys and values that hold tokens after it
};

/// \brief A token that has just been chosen.
struct TokenEvent {
  SequenceId sequence{};  ///< whose token
  int index = 0;          ///< how many were generated before
  TokenId token{};        ///< which
  double seconds = 0;     ///< since the generation began
  bool ends = false;      ///< an EOS or stop token: it ends the text and is no part of it
};

/// \brief A token that may be the next, in the hands of the sampler.
struct Candidate {
  TokenId token{};    ///< which
  double logit = 0;   ///< the model's score, as changed so far
  double weight = 0;  ///< from the temperature on: its probability, times a factor common to all
};

/// \brief Receives events. Every function does nothing unless overridden.
///
/// What one of them throws ends the generation and reaches whoever asked for it.
class Observer {
 public:
  virtual ~Observer() = default;
  /// \brief The decoder computed an intermediate value. The view is valid during the call only.
  /// \param name   the field's name: "embedding", "q", "k", "v", "attention", "ffn", "logits" ...
  /// \param layer  0 <= layer < layers, or -1 outside the layers
  /// \param value  the tensor, in device memory
  virtual void on_value(std::string_view name, int layer, ConstTensor value) {
    (void)name, (void)layer, (void)value;
  }
  /// \brief A step has been run.
  /// \param step  what it did
  virtual void on_step(const StepEvent& step) { (void)step; }
  /// \brief An operation of the sampler has changed the candidates for the next token. The view is
  /// valid during the call only.
  /// \param operation   "logits" (as the model gave them), "logit bias", "penalties", "greedy",
  ///                    "temperature", "min-p", "top-k" or "top-p"
  /// \param candidates  those that are left, at least one
  virtual void on_candidates(std::string_view operation, std::span<const Candidate> candidates) {
    (void)operation, (void)candidates;
  }
  /// \brief A token has been chosen.
  /// \param token  which, and when
  virtual void on_token(const TokenEvent& token) { (void)token; }
};

}  // namespace quire
