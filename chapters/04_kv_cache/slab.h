/// \file
/// \brief Chapter 04: one slab of its final size holds the keys and values of one sequence.
#pragma once

#include "src/kv/one_sequence.h"

namespace quire {

/// \brief Remembers the rows of a single sequence, in order, in one contiguous slab.
///
/// Row p of the slab is position p. The slab has its final size from the start: P + G - 1 rows for P
/// prompt and G generated tokens, since the last token is never fed. Invariant:
/// 0 <= stored <= reserved <= capacity; rows below `stored` are valid in every layer.
class Slab final : public OneSequence {
 public:
  /// \brief A slab.
  /// \param rows  its size, at least 1
  explicit Slab(int rows) : OneSequence(rows) {}

  bool open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) override;
  int stored(SequenceId sequence) const override;
  bool reserve(SequenceId sequence, int rows) override;
  void commit(SequenceId sequence, int rows) override;
  void truncate(SequenceId sequence, int rows) override;

 private:
  int stored_ = 0;
  int reserved_ = 0;
};

}  // namespace quire
