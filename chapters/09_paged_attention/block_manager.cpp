#include "chapters/09_paged_attention/block_manager.h"

#include <limits>
#include <utility>

#include "src/core/error.h"

namespace quire {
BlockManager::BlockManager(int blocks, int block_size) : pool_(blocks), block_size_(block_size) {
  require(block_size > 0, "blocks of {} rows hold nothing; at least 1", block_size);
  require(Index{blocks} * block_size <= std::numeric_limits<int>::max(),
          "{} blocks of {} rows are more than {} rows", blocks, block_size,
          std::numeric_limits<int>::max());
}

bool BlockManager::open(SequenceId sequence, std::span<const TokenId>, int max_rows) {
  require(!entries_.contains(sequence), "sequence {} is already open", to_int(sequence));
  require(max_rows >= 0, "a sequence of {} rows; at least 0", max_rows);
  require(max_rows <= capacity(),
          "a sequence of {} rows needs {} blocks of {}; there are {} in all, so it can never fit",
          max_rows, blocks_needed(max_rows, block_size_), block_size_, pool_.blocks());
  // Room for its longest table at once, so that no step allocates for it.
  insert(sequence).blocks.reserve(static_cast<std::size_t>(blocks_needed(max_rows, block_size_)));
  return true;
}

// [reserve]
bool BlockManager::reserve(SequenceId sequence, int rows) {
  Entry& ours = entry(sequence);
  // exercise 09.1 begin: Make room for some rows after those stored: as many blocks as they need
  // and no more. A shared block that would be written is copied. If blocks are lacking, say so and
  // change nothing.
  require(rows >= 0, "cannot reserve {} rows; at least 0", rows);
  const Index blocks = blocks_needed(Index{ours.stored} + rows, block_size_);
  const bool copy = must_copy(ours, rows);
  const Index missing = blocks - static_cast<Index>(ours.blocks.size()) + (copy ? 1 : 0);
  if (missing > pool_.free_blocks()) return false;
  resize(ours, blocks);
  if (copy) copy_last_block(ours);
  ours.reserved = rows;
  return true;
  // exercise 09.1 end
}

// Whether rows would be written into a block that others read: only the last one with stored rows
// can be both shared and not full.
bool BlockManager::must_copy(const Entry& entry, int rows) const {
  // exercise 09.2 begin: Say whether the next row goes into a block that somebody else holds too.
  if (rows == 0 || entry.stored % block_size_ == 0) return false;
  const auto last = static_cast<std::size_t>(entry.stored / block_size_);
  return pool_.references(entry.blocks[last]) > 1;
  // exercise 09.2 end
}

void BlockManager::copy_last_block(Entry& entry) {
  BlockId& block = entry.blocks[static_cast<std::size_t>(entry.stored / block_size_)];
  const BlockId copy = pool_.allocate();
  copies_.push_back({.from = block, .to = copy});
  pool_.release(block);
  block = copy;
}
// [reserve]

void BlockManager::truncate(SequenceId sequence, int rows) {
  Entry& ours = entry(sequence);
  // exercise 09.3 begin: Forget all rows but the first few, and give back the blocks that hold none
  // of these; refuse to keep more than are stored.
  ours.keep(rows);
  resize(ours, blocks_needed(rows, block_size_));
  // exercise 09.3 end
}

// [fork]
void BlockManager::fork(SequenceId parent, SequenceId child) {
  require(!entries_.contains(child), "sequence {} is already open", to_int(child));
  const Entry& old = entry(parent);
  // exercise 09.4 begin: The child stores what the parent stores, in the same blocks; each of them
  // has one holder more. What is only reserved stays the parent's.
  Entry& young = insert(child);
  young.blocks.reserve(old.blocks.capacity());
  young.blocks.assign(old.blocks.begin(),
                      old.blocks.begin() + blocks_needed(old.stored, block_size_));
  young.stored = old.stored;
  for (const BlockId block : young.blocks) pool_.share(block);
  // exercise 09.4 end
}

void BlockManager::release(SequenceId sequence) {
  resize(entry(sequence), 0);
  spare_.push_back(entries_.extract(sequence));
}
// [fork]

// A block of a pending copy may be free again by now, or belong to somebody else. That harms nobody:
// the copies are made in their order, and before any row of the step is stored.
std::vector<BlockCopy> BlockManager::take_copies() {
  return std::exchange(copies_, {});
}

// Blocks go back from the end, so that the beginning of a sequence is the last to be given out.
void BlockManager::resize(Entry& entry, Index blocks) {
  while (static_cast<Index>(entry.blocks.size()) < blocks) entry.blocks.push_back(pool_.allocate());
  while (static_cast<Index>(entry.blocks.size()) > blocks) {
    pool_.release(entry.blocks.back());
    entry.blocks.pop_back();
  }
}

// An entry for a sequence, with the memory of one that has ended where there is one.
BlockManager::Entry& BlockManager::insert(SequenceId sequence) {
  if (spare_.empty()) return entries_[sequence];
  auto node = std::move(spare_.back());
  spare_.pop_back();
  node.key() = sequence;
  static_cast<RowCount&>(node.mapped()) = {};
  return entries_.insert(std::move(node)).position->second;
}

void BlockManager::check_invariants() const {
  std::vector<std::span<const BlockId>> tables;
  for (const auto& [sequence, entry] : entries_) {
    tables.push_back(entry.blocks);
    const Index blocks = blocks_needed(Index{entry.stored} + entry.reserved, block_size_);
    require(static_cast<Index>(entry.blocks.size()) == blocks,
            "sequence {} holds {} blocks of {} for {} stored and {} reserved rows",
            to_int(sequence), entry.blocks.size(), block_size_, entry.stored, entry.reserved);
  }
  pool_.check_invariants(tables);
}

BlockManager::Entry& BlockManager::entry(SequenceId sequence) {
  return open_entry(entries_, sequence);
}

const BlockManager::Entry& BlockManager::entry(SequenceId sequence) const {
  return open_entry(entries_, sequence);
}

}  // namespace quire
