/// \file
/// \brief Attention alone, over keys and values that lie in one piece or in scattered blocks.
#pragma once

#include <memory>

#include "src/ops/ops.h"

namespace quire::bench {

/// \brief One decoded token of one sequence, in one layer of many heads: what it reads, and how.
class AttentionStep {
 public:
  /// \brief Fills a cache with random keys and values.
  /// \param ops         computes; must outlive this
  /// \param keys        how many the sequence has stored, with that of its own
  /// \param block_size  of which each block lies somewhere else; `keys` for one piece
  AttentionStep(Ops& ops, int keys, int block_size);

  /// \brief Attends once.
  void run();
  /// \brief Bytes of keys and values that it reads.
  std::uint64_t bytes() const;

 private:
  static constexpr int kKvHeads = 8, kGroup = 4, kHeadDim = 128;

  Ops& ops_;
  int keys_, block_size_;
  Span span_;
  Buffer k_, v_, q_, out_, table_;
};

}  // namespace quire::bench
