/// \file
/// \brief What store and attend must know of a cache: where rows lie, and whose they are.
#pragma once

#include <span>

#include "src/core/ids.h"
#include "src/core/tensor.h"

namespace quire {

/// \brief The rows of a step that belong to one sequence: consecutive rows, consecutive positions.
struct Span {
  SequenceId sequence{};  ///< whose rows
  int first_row = 0;      ///< the first of them in the step
  int rows = 0;           ///< how many
  int context = 0;        ///< how many rows of the sequence were stored before this step

  /// \brief The position of one row.
  /// \param row  0 <= row < rows, counted within the span
  int position(int row) const { return context + row; }
};

/// \brief How many blocks hold a number of tokens.
/// \param tokens      0 or more
/// \param block_size  tokens a block, at least 1
constexpr Index blocks_needed(Index tokens, Index block_size) {
  return (tokens + block_size - 1) / block_size;
}

/// \brief The physical row of a position, in 64 bits.
/// \param block       the physical block that holds the position
/// \param block_size  tokens a block
/// \param position    the position in its sequence
constexpr Slot slot_of(BlockId block, Index block_size, Index position) {
  return Slot{Index{to_int(block)} * block_size + position % block_size};
}

/// \brief Where the rows of a step are to be stored in one layer.
struct KvSlots {
  Tensor k;             ///< [slots, kv_heads, head_dim], all keys of the layer
  Tensor v;             ///< [slots, kv_heads, head_dim], all values of the layer
  ConstTensor of_rows;  ///< I64 [rows], the Slot of each row
};

/// \brief The stored keys and values of one layer, and the step's way to them.
///
/// Position p of the sequence of span s lies in slot
/// `tables[s, p / block_size] * block_size + p % block_size`. A slab is the case of one large
/// block.
struct KvView {
  ConstTensor k;       ///< [slots, kv_heads, head_dim]
  ConstTensor v;       ///< [slots, kv_heads, head_dim]
  int block_size = 0;  ///< tokens a block
  ConstTensor tables;  ///< I32 [spans, blocks], BlockIds; entries beyond a span's need are unread
  std::span<const Span> spans;  ///< in host memory; together they cover the step's rows in order
};

/// \brief Which keys a row may see, and how scores are scaled.
struct AttentionMask {
  float scale = 1;  ///< scores are scale * q.k, usually 1 / sqrt(head_dim)
  int window = 0;   ///< a row sees this many positions up to its own; 0 means all of them

  /// \brief The first position that a row may see.
  /// \param position  the row's own position
  int first_visible(int position) const {
    return window == 0 || position < window ? 0 : position - window + 1;
  }
};

}  // namespace quire
