/// \file
/// \brief The bookkeeping of a cache: all that a scheduler or a generation loop sees of it.
#pragma once

#include <span>
#include <vector>

#include "src/core/ids.h"
#include "src/kv/step.h"

namespace quire {

/// \brief Knows which sequences have room, and how many of their rows are stored. Host memory only.
///
/// A sequence is opened, then for each step its rows are reserved, the step runs, and the rows are
/// committed; at the end it is released. A row exists only once it has been committed.
class KvManager {
 public:
  virtual ~KvManager() = default;

  /// \brief Rows it can ever hold for one sequence.
  virtual int capacity() const = 0;
  /// \brief Whether anything is remembered from one step to the next.
  virtual bool retains() const { return true; }

  /// \brief Begins a sequence, and reserves what the policy reserves at once.
  /// \param sequence  a name that is not open
  /// \param tokens    what the sequence knows; a prefix of it may already be stored
  /// \param max_rows  the most rows it will ever store
  /// \return false if there is no room now; then nothing has changed
  /// \throws Error if `sequence` is open, or if `max_rows` can never fit
  virtual bool open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) = 0;
  /// \brief How many rows of a sequence are stored: the context of its next step.
  /// \param sequence  an open sequence
  virtual int stored(SequenceId sequence) const = 0;
  /// \brief Makes room for the next rows of a sequence.
  /// \param sequence  an open sequence
  /// \param rows      how many, beyond those stored, at least 0; the latest reservation counts
  /// \return false if there is no room; then nothing has changed
  virtual bool reserve(SequenceId sequence, int rows) = 0;
  /// \brief The step ran: the rows are stored.
  /// \param sequence  an open sequence
  /// \param rows      at most what was reserved
  /// \throws Error if it is more
  virtual void commit(SequenceId sequence, int rows) = 0;
  /// \brief Forgets the rows from some position on: rejected drafts, a failed step.
  /// \param sequence  an open sequence
  /// \param rows      how many remain, at most stored(sequence)
  virtual void truncate(SequenceId sequence, int rows) = 0;
  /// \brief Begins a sequence with the same stored rows as another.
  /// \param parent  an open sequence
  /// \param child   a name that is not open
  /// \throws Error if this placement cannot share rows
  virtual void fork(SequenceId parent, SequenceId child) = 0;
  /// \brief Ends a sequence; its room is free again.
  /// \param sequence  an open sequence
  virtual void release(SequenceId sequence) = 0;
  /// \brief The copies that the next step must make first. A second call returns none.
  virtual std::vector<BlockCopy> take_copies() { return {}; }
};

/// \brief Where the rows of open sequences lie: all that storage must know of a placement.
class Placement {
 public:
  virtual ~Placement() = default;
  /// \brief Physical rows in all.
  virtual Index slots() const = 0;
  /// \brief Consecutive slots that one table entry stands for.
  virtual int block_size() const = 0;
  /// \brief The physical blocks of a sequence, in position order. Covers all reserved rows; valid
  /// until the manager changes.
  /// \param sequence  an open sequence
  virtual std::span<const BlockId> table(SequenceId sequence) const = 0;
};

}  // namespace quire
