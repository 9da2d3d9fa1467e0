/// \file
/// \brief Chapter 02: nothing is remembered, so every step computes the whole sequence again.
#pragma once

#include "src/kv/one_sequence.h"

namespace quire {

/// \brief Room for the rows of a single step, and no memory beyond it.
///
/// The rows of a step meet in attention, so their keys and values need a place; but stored() is
/// always 0, and the next step writes over them.
class NoCache final : public OneSequence {
 public:
  /// \brief Makes room for the longest step.
  /// \param rows  the most rows that the sequence will have, at least 1
  explicit NoCache(int rows) : OneSequence(rows) {}

  bool retains() const override { return false; }
  int stored(SequenceId sequence) const override;
  bool reserve(SequenceId sequence, int rows) override;
  void commit(SequenceId sequence, int rows) override;
  void truncate(SequenceId sequence, int rows) override;

 private:
  int reserved_ = 0;
};

}  // namespace quire
