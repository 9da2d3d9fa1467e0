/// \file
/// \brief A placement for tests: every sequence in small blocks, in no order at all.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "src/core/random.h"
#include "src/kv/kv_manager.h"

namespace quire::test {

/// \brief Gives each of some sequences the blocks it needs, drawn at random from a pool.
class ScrambledBlocks final : public Placement {
 public:
  /// \brief Draws the blocks.
  /// \param block_size  rows a block
  /// \param rows        of each sequence; SequenceId 0, 1, ...
  /// \param seed        of the disorder
  ScrambledBlocks(int block_size, const std::vector<int>& rows, std::uint64_t seed = 1)
      : block_size_(block_size) {
    Index blocks = 1;
    for (const int n : rows) blocks += blocks_needed(n, block_size);
    for (Index i = 0; i < blocks; ++i) free_.push_back(BlockId{static_cast<std::int32_t>(i)});
    slots_ = blocks * block_size;
    Random random(seed);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      for (Index i = 0; i < blocks_needed(rows[s], block_size); ++i) {
        std::swap(free_.back(), free_[random.below(free_.size())]);
        tables_[SequenceId{static_cast<std::int32_t>(s)}].push_back(free_.back());
        free_.pop_back();
      }
    }
  }

  Index slots() const override { return slots_; }
  int block_size() const override { return block_size_; }
  std::span<const BlockId> table(SequenceId sequence) const override {
    return tables_.at(sequence);
  }

 private:
  int block_size_;
  Index slots_ = 0;
  std::vector<BlockId> free_;
  std::map<SequenceId, std::vector<BlockId>> tables_;
};

}  // namespace quire::test
