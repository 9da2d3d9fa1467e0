/// \file
/// \brief What placements for a single sequence in a single block have in common.
#pragma once

#include "src/kv/kv_manager.h"

namespace quire {

/// \brief Room for one sequence at a time, in one block: a position is its own slot.
///
/// Says who may come in and where rows lie. What is stored, and what happens to it, is up to the
/// derived class.
class OneSequence : public KvManager, public Placement {
 public:
  int capacity() const override { return rows_; }
  bool open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) override;
  void fork(SequenceId parent, SequenceId child) override;
  void release(SequenceId sequence) override;

  Index slots() const override { return rows_; }
  int block_size() const override { return rows_; }
  std::span<const BlockId> table(SequenceId sequence) const override;

 protected:
  /// \brief Room for a sequence.
  /// \param rows  the most rows it may have, at least 1
  explicit OneSequence(int rows);

  /// \brief Checks that a sequence is the one that is open.
  /// \param sequence  a name
  /// \throws Error if it is not
  void expect_open(SequenceId sequence) const;

 private:
  int rows_;
  bool open_ = false;
  SequenceId sequence_{};
};

}  // namespace quire
