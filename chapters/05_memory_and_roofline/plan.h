/// \file
/// \brief Chapter 05: a plan: what a model takes on a card, what fits, and how fast it can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chapters/05_memory_and_roofline/arithmetic.h"

namespace quire {

/// \brief What a plan is asked for.
struct PlanRequest {
  ModelShape shape = {};                    ///< the whole model
  Card card = {};                           ///< what it runs on
  Formats formats = {};                     ///< how numbers are stored
  std::vector<std::uint64_t> lengths = {};  ///< tokens of each sequence, at least one
  std::uint64_t block_size = 16;            ///< tokens a block
  std::uint64_t reserved = 0;               ///< bytes kept free for activations and the driver
  int ranks = 1;                            ///< devices that share every matrix

  /// \brief The longest of the sequences.
  std::uint64_t longest() const;
  /// \brief Whether the sequences differ in length.
  bool ragged() const;
};

/// \brief What sequences of a length take.
struct LengthRow {
  std::uint64_t length = 0;                 ///< tokens
  std::uint64_t kv_bytes = 0;               ///< keys and values that are seen, of one sequence
  std::uint64_t kv_allocated = 0;           ///< bytes of the blocks of one sequence
  std::uint64_t sequences = 0;              ///< how many fit beside the weights
  std::optional<std::uint64_t> batch = {};  ///< from how many on arithmetic limits decoding
};

/// \brief What a step takes.
struct StepRow {
  std::string phase = {};       ///< "prefill" or "decode"
  std::uint64_t sequences = 0;  ///< how many
  std::uint64_t length = 0;     ///< tokens of the longest, after the step
  StepCost cost = {};           ///< bytes and FLOPs
  StepTime time = {};           ///< on the card
  bool fits = false;            ///< whether the card holds weights, keys and values
};

/// \brief A plan. With several ranks all numbers are of one of them.
struct Plan {
  PlanRequest request = {};        ///< what was asked
  ModelShape shape = {};           ///< what one rank holds
  WeightParts parameters = {};     ///< of that shape
  WeightParts weights = {};        ///< their bytes
  std::uint64_t kv_per_token = 0;  ///< bytes
  std::uint64_t kv_bytes = 0;      ///< of all sequences, tokens that are seen
  std::uint64_t kv_allocated = 0;  ///< of all sequences, in whole blocks
  std::uint64_t kv_padded = 0;     ///< if each sequence took as much as the longest
  /// \brief Bytes left for keys and values; none if there is no room for the weights.
  std::optional<std::uint64_t> free = {};
  /// \brief Tokens of each sequence, if all were as long; none if there is no limit.
  std::optional<std::uint64_t> longest = {};
  std::vector<LengthRow> lengths = {};  ///< powers of two, and the length asked for
  std::vector<StepRow> steps = {};      ///< what was asked for, then other numbers of sequences
  /// \brief From how many tokens on arithmetic limits prefill.
  std::optional<std::uint64_t> prompt = {};
  bool fits = false;  ///< whether the card holds what was asked for
};

/// \brief Makes a plan. No weights are read.
/// \param request  what is asked
/// \throws Error if ranks cannot share the model, or if a number does not fit in 64 bits
Plan make_plan(const PlanRequest& request);

}  // namespace quire
