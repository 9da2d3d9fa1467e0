/// \file
/// \brief Chapter 05: how many bytes, how many FLOPs, and which one is the limit.
///
/// Whole numbers are exact and overflow is an Error. Counted are the weights and the keys and
/// values, which every implementation must move, and the products of matrices and attention.
/// Activations are left out: a fused kernel keeps most of them on the chip.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "chapters/05_memory_and_roofline/cards.h"
#include "chapters/05_memory_and_roofline/number_format.h"
#include "chapters/05_memory_and_roofline/shapes.h"

namespace quire {

/// \brief How the numbers of a model are stored.
struct Formats {
  NumberFormat matrices = {};  ///< of the layers' products: what quantisation is about
  NumberFormat tables = {};    ///< embedding, positions and head
  NumberFormat vectors = {};   ///< norms and biases
  NumberFormat kv = {};        ///< keys and values
};

/// \brief One number for each part of a model's weights.
struct WeightParts {
  std::uint64_t embedding = 0;  ///< a row for each token of the vocabulary
  std::uint64_t positions = 0;  ///< a row for each position, where positions are learned
  std::uint64_t attention = 0;  ///< Q, K, V and output matrices of all layers
  std::uint64_t ffn = 0;        ///< FFN matrices of all layers
  std::uint64_t biases = 0;     ///< of all layers
  std::uint64_t norms = 0;      ///< of all layers, and the last
  std::uint64_t head = 0;       ///< the output matrix, unless the embedding serves as one

  /// \brief All parts together.
  std::uint64_t total() const;
};

/// \brief The parameters of a model, by part.
/// \param shape  the model
WeightParts parameters_of(const ModelShape& shape);

/// \brief The bytes of a model's weights, by part.
/// \param shape    the model
/// \param formats  how they are stored
WeightParts weight_bytes_of(const ModelShape& shape, const Formats& formats);

/// \brief The bytes of one token's keys and values in all layers: 2 L H_kv D e, and scales.
/// \param shape   the model
/// \param format  how they are stored; a group of numbers with one scale ends with its head
std::uint64_t kv_bytes_per_token(const ModelShape& shape, const NumberFormat& format);

/// \brief The tokens that a sequence's blocks have room for when it is as long as planned.
///
/// All blocks are whole. Under a window, blocks that nobody can see any more are given back; the
/// window may begin inside a block, so it can touch one more than it fills.
/// \param length      tokens, at least 1
/// \param block_size  tokens a block, at least 1
/// \param window      tokens that attention may see; 0 means all
std::uint64_t tokens_kept(std::uint64_t length, std::uint64_t block_size, std::uint64_t window);

/// \brief The longest sequences of which so many fit.
/// \param free_bytes       memory for keys and values
/// \param sequences        how many sequences, at least 1
/// \param bytes_per_token  of keys and values, at least 1
/// \param block_size       tokens a block, at least 1
/// \param window           tokens that attention may see; 0 means all
/// \return the tokens of each; none if there is no limit, as what a window keeps fits
std::optional<std::uint64_t> longest_that_fits(std::uint64_t free_bytes, std::uint64_t sequences,
                                               std::uint64_t bytes_per_token,
                                               std::uint64_t block_size, std::uint64_t window);

/// \brief Some sequences with the same numbers in a step.
struct EqualSpans {
  std::uint64_t sequences = 1;  ///< how many
  std::uint64_t context = 0;    ///< rows that each has stored before the step
  std::uint64_t rows = 1;       ///< rows that the step feeds of each, at least 1
};

/// \brief What a step must compute and move.
struct StepCost {
  std::uint64_t rows = 0;             ///< tokens fed
  std::uint64_t linear_flops = 0;     ///< products with matrices; a multiply-add is 2
  std::uint64_t attention_flops = 0;  ///< products with keys and values
  std::uint64_t weight_bytes = 0;     ///< weights read, each once
  std::uint64_t kv_read = 0;          ///< bytes of keys and values read
  std::uint64_t kv_written = 0;       ///< bytes of keys and values stored

  /// \brief All arithmetic.
  std::uint64_t flops() const;
  /// \brief All bytes.
  std::uint64_t bytes() const;
  /// \brief FLOPs for each byte.
  double intensity() const;
};

/// \brief The keys that the rows of one sequence see, added up.
/// \param context  rows stored before the step
/// \param rows     rows of the step; each sees what came before, and itself
/// \param window   tokens that attention may see; 0 means all
std::uint64_t visible_keys(std::uint64_t context, std::uint64_t rows, std::uint64_t window);

/// \brief What a step costs; each sequence wants the logits of its last row.
/// \param shape    the model
/// \param formats  how numbers are stored
/// \param spans    whose rows the step feeds, at least one
StepCost step_cost(const ModelShape& shape, const Formats& formats,
                   std::span<const EqualSpans> spans);

/// \brief The least time that a step can take on a card, by either bound. In seconds.
struct StepTime {
  double arithmetic = 0;  ///< if all FLOPs ran at the card's peak
  double reading = 0;     ///< if all bytes moved at the card's bandwidth

  /// \brief Whether the bytes take longer.
  bool memory_bound() const { return reading >= arithmetic; }
  /// \brief The longer of the two: they overlap at best.
  double seconds() const { return memory_bound() ? reading : arithmetic; }
};

/// \brief The least time that a step can take on a card.
/// \param cost  of the step
/// \param card  the card
StepTime time_of(const StepCost& cost, const Card& card);

/// \brief From how many sequences on arithmetic limits a decode step.
///
/// The weights are read once for all sequences, each sequence's keys and values for itself alone.
/// Where a sequence's own bytes take longer than its own arithmetic, no batch changes the limit.
/// \param shape    the model
/// \param formats  how numbers are stored
/// \param card     the card
/// \param length   tokens of each sequence, the new one included
/// \return how many; none if reading is the limit at any number
std::optional<std::uint64_t> compute_bound_batch(const ModelShape& shape, const Formats& formats,
                                                 const Card& card, std::uint64_t length);

/// \brief From how many tokens on arithmetic limits the prefill of one prompt.
/// \param shape    the model
/// \param formats  how numbers are stored
/// \param card     the card
/// \return how many, at most 65,536; none if reading is the limit up to there
std::optional<std::uint64_t> compute_bound_prompt(const ModelShape& shape, const Formats& formats,
                                                  const Card& card);

}  // namespace quire
