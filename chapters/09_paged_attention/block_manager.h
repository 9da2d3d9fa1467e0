/// \file
/// \brief Chapter 09: sequences keep their rows in blocks of a common pool, found through a table.
#pragma once

#include <map>
#include <vector>

#include "chapters/09_paged_attention/block_pool.h"
#include "src/kv/kv_manager.h"
#include "src/kv/row_count.h"

namespace quire {

/// \brief Gives a sequence a block when it needs one, and not earlier.
///
/// Position p of a sequence lies in block `table[p / block_size]`, at place p % block_size.
/// Invariants: a table has blocks_needed(stored + reserved) blocks, so that an open sequence wastes
/// fewer than block_size rows; a block that several sequences share is never written, since
/// whoever is about to write into it gets a copy first (copy-on-write).
class BlockManager final : public KvManager, public Placement {
 public:
  /// \brief A manager whose blocks are all free.
  /// \param blocks      how many there are, at least 1
  /// \param block_size  rows a block, at least 1
  /// \throws Error if one of them is less, or the rows do not fit an int
  BlockManager(int blocks, int block_size);

  int capacity() const override { return pool_.blocks() * block_size_; }
  bool open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) override;
  int stored(SequenceId sequence) const override { return entry(sequence).stored; }
  bool reserve(SequenceId sequence, int rows) override;
  void commit(SequenceId sequence, int rows) override { entry(sequence).commit(rows); }
  void truncate(SequenceId sequence, int rows) override;
  void fork(SequenceId parent, SequenceId child) override;
  void release(SequenceId sequence) override;
  std::vector<BlockCopy> take_copies() override;

  Index slots() const override { return capacity(); }
  int block_size() const override { return block_size_; }
  std::span<const BlockId> table(SequenceId sequence) const override {
    return entry(sequence).blocks;
  }

  /// \brief The blocks, free and held.
  const BlockPool& pool() const { return pool_; }
  /// \brief Checks every invariant of the pool and of the tables; costs a look at every block.
  /// \throws Error that says which one is broken
  void check_invariants() const;

 private:
  struct Entry : RowCount {
    std::vector<BlockId> blocks;
  };

  Entry& insert(SequenceId sequence);
  Entry& entry(SequenceId sequence);
  const Entry& entry(SequenceId sequence) const;
  bool must_copy(const Entry& entry, int rows) const;
  void copy_last_block(Entry& entry);
  void resize(Entry& entry, Index blocks);

  BlockPool pool_;
  int block_size_;
  std::map<SequenceId, Entry> entries_;
  std::vector<std::map<SequenceId, Entry>::node_type> spare_;  // of sequences that have ended
  std::vector<BlockCopy> copies_;
};

}  // namespace quire
