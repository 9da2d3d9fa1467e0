/// \file
/// \brief The physical blocks of a cache: which are free, and how many sequences hold the others.
#pragma once

#include <span>
#include <vector>

#include "chapters/09_paged_attention/free_list.h"
#include "src/core/ids.h"

namespace quire {

/// \brief Counts references to blocks of equal size.
///
/// Invariants: a block is in the free list exactly when nobody holds it, and
/// free + held == blocks. Every call takes constant time but the checks.
class BlockPool {
 public:
  /// \brief A pool all of whose blocks are free.
  /// \param blocks  how many, at least 1
  /// \throws Error if it is fewer
  explicit BlockPool(int blocks);

  /// \brief How many blocks there are.
  int blocks() const { return static_cast<int>(references_.size()); }
  /// \brief How many of them nobody holds.
  int free_blocks() const { return free_.size(); }
  /// \brief The most blocks that were held at a time so far.
  int most_held() const { return most_held_; }
  /// \brief How many hold a block.
  /// \param block  any block
  /// \throws Error if there is no such block
  int references(BlockId block) const;

  /// \brief Gives out the block that has been free for longest, with one reference.
  /// \throws Error if none is free: whoever asks looks at free_blocks() first
  BlockId allocate();
  /// \brief One more holds a block.
  /// \param block  a block that somebody holds
  /// \throws Error if nobody does
  void share(BlockId block);
  /// \brief One fewer holds a block; after the last one it is free, and the last to be given out.
  /// \param block  a block that somebody holds
  /// \throws Error if nobody does
  void release(BlockId block);

  /// \brief Checks the invariants, and that the references are those of some tables.
  /// \param tables  the blocks that each holder holds
  /// \throws Error that names the block where they are broken
  void check_invariants(std::span<const std::span<const BlockId>> tables) const;

 private:
  int& count(BlockId block);
  void expect_exists(BlockId block) const;

  std::vector<int> references_;
  FreeList free_;
  int most_held_ = 0;
};

}  // namespace quire
