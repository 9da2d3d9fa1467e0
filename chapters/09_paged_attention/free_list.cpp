#include "chapters/09_paged_attention/free_list.h"

#include "src/core/error.h"

namespace quire {

FreeList::FreeList(int blocks) {
  require(blocks > 0, "a pool of {} blocks holds nothing; at least 1", blocks);
  links_.assign(static_cast<std::size_t>(blocks), {kNowhere, kNowhere});
  links_.push_back({blocks, blocks});
  for (int block = 0; block < blocks; ++block) push_back(BlockId{block});
}

BlockId FreeList::pop_front() {
  require(size_ > 0, "no block is free");
  const BlockId first{links_.back().next};
  remove(first);
  return first;
}

void FreeList::push_back(BlockId block) {
  require(!contains(block), "block {} is free already", to_int(block));
  const int end = static_cast<int>(links_.size()) - 1, last = links_.back().previous;
  at(to_int(block)) = {last, end};
  at(last).next = at(end).previous = to_int(block);
  ++size_;
}

void FreeList::remove(BlockId block) {
  require(contains(block), "block {} is not free", to_int(block));
  const auto [previous, next] = link(block);
  at(previous).next = next;
  at(next).previous = previous;
  at(to_int(block)) = {kNowhere, kNowhere};
  --size_;
}

std::vector<BlockId> FreeList::in_order() const {
  const int end = static_cast<int>(links_.size()) - 1;
  std::vector<BlockId> blocks;
  for (int b = links_.back().next; b != end; b = link(BlockId{b}).next)
    blocks.push_back(BlockId{b});
  return blocks;
}

}  // namespace quire
