/// \file
/// \brief The free blocks of a pool, in the order in which they will be given out.
#pragma once

#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief A queue of blocks from whose middle a block can be taken too, each call in constant time.
///
/// The block that has been free for longest is given out first, so that what a block still holds
/// survives for as long as possible. A doubly linked list whose links lie in one array, entry b for
/// block b, and one entry more that closes the ring.
class FreeList {
 public:
  /// \brief A list that holds all blocks, in ascending order.
  /// \param blocks  how many there are, at least 1
  explicit FreeList(int blocks);

  /// \brief How many blocks are in the list.
  int size() const { return size_; }
  /// \brief Whether a block is in the list.
  /// \param block  0 <= block < blocks
  bool contains(BlockId block) const { return link(block).next != kNowhere; }
  /// \brief Takes the first block out.
  /// \throws Error if the list is empty
  BlockId pop_front();
  /// \brief Adds a block at the end.
  /// \param block  a block that is not in the list
  /// \throws Error if it is
  void push_back(BlockId block);
  /// \brief Takes a block out, wherever it stands.
  /// \param block  a block in the list
  /// \throws Error if it is not
  void remove(BlockId block);
  /// \brief The blocks from first to last; costs as many steps as there are.
  std::vector<BlockId> in_order() const;

 private:
  struct Link {
    int previous, next;
  };
  static constexpr int kNowhere = -1;

  const Link& link(BlockId block) const { return links_[static_cast<std::size_t>(to_int(block))]; }
  Link& at(int index) { return links_[static_cast<std::size_t>(index)]; }

  std::vector<Link> links_;  // the last one is the ring's end: before the first and after the last
  int size_ = 0;
};

}  // namespace quire
