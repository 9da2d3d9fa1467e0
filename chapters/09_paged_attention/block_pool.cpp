#include "chapters/09_paged_attention/block_pool.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire {

BlockPool::BlockPool(int blocks) : free_(blocks) {
  references_.assign(static_cast<std::size_t>(blocks), 0);
}

int BlockPool::references(BlockId block) const {
  expect_exists(block);
  return references_[static_cast<std::size_t>(to_int(block))];
}

// [pool]
BlockId BlockPool::allocate() {
  const BlockId block = free_.pop_front();
  count(block) = 1;
  most_held_ = std::max(most_held_, blocks() - free_blocks());
  return block;
}

void BlockPool::share(BlockId block) {
  require(references(block) > 0, "block {} is free; it cannot be shared", to_int(block));
  ++count(block);
}

void BlockPool::release(BlockId block) {
  require(references(block) > 0, "block {} is free already; it cannot be released", to_int(block));
  if (--count(block) == 0) free_.push_back(block);
}
// [pool]

void BlockPool::check_invariants(std::span<const std::span<const BlockId>> tables) const {
  std::vector<int> expected(references_.size(), 0);
  for (const std::span<const BlockId> table : tables) {
    for (const BlockId block : table) {
      expect_exists(block);
      ++expected[static_cast<std::size_t>(to_int(block))];
    }
  }
  for (int b = 0; b < blocks(); ++b) {
    const int held = references(BlockId{b}), holders = expected[static_cast<std::size_t>(b)];
    require(held == holders, "block {} counts {} references, {} tables hold it", b, held, holders);
    require(free_.contains(BlockId{b}) == (held == 0), "block {} has {} references and is {}free",
            b, held, held == 0 ? "not " : "");
  }
  require(static_cast<int>(free_.in_order().size()) == free_.size(),
          "the free list says {} blocks and has {}", free_.size(), free_.in_order().size());
}

int& BlockPool::count(BlockId block) {
  return references_[static_cast<std::size_t>(to_int(block))];
}

void BlockPool::expect_exists(BlockId block) const {
  require(to_int(block) >= 0 && to_int(block) < blocks(), "there is no block {} among {}",
          to_int(block), blocks());
}

}  // namespace quire
