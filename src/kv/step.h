/// \file
/// \brief A step: the flat, ragged batch of rows that everything above and below meets in.
#pragma once

#include <vector>

#include "src/core/ids.h"
#include "src/ops/kv_view.h"

namespace quire {

/// \brief Copy-on-write: the rows of one block become another's before the step stores anything.
struct BlockCopy {
  BlockId from{};  ///< a block that several sequences share
  BlockId to{};    ///< a block that one of them owns from now on
};

/// \brief One run of the decoder over some rows of some sequences.
///
/// Row r carries `tokens[r]`; the spans cover the rows in order, and a row's position is its span's
/// context plus its place in the span. A prompt, one decoded token, a chunk, drafts to verify and a
/// mixed batch are all steps.
struct Step {
  std::vector<TokenId> tokens;    ///< [rows]
  std::vector<Span> spans;        ///< in row order
  std::vector<int> logits_rows;   ///< rows whose next-token logits are wanted, ascending
  std::vector<BlockCopy> copies;  ///< done first, one after the other

  /// \brief The number of rows.
  int rows() const { return static_cast<int>(tokens.size()); }
};

/// \brief The step that computes what a single sequence knows but has not stored yet, and wants the
/// logits of its last row.
///
/// Without a cache that is everything; after a prompt has been stored it is one token.
/// \param sequence  whose step
/// \param known     its tokens so far
/// \param stored    how many of them are stored, fewer than `known.size()`
/// \throws Error if nothing is left to compute
Step close_the_gap(SequenceId sequence, const std::vector<TokenId>& known, int stored);

/// \brief Checks what every step must keep: spans cover the rows in order, none is empty, contexts
/// are not negative, rows that want logits exist and ascend.
/// \param step  a step
/// \throws Error that says which of these is broken
void check(const Step& step);

}  // namespace quire
