/// \file
/// \brief A model of a usual shape with random weights, and room for its sequences.
#pragma once

#include <memory>
#include <vector>

#include "src/kv/kv_cache.h"
#include "src/model/decoder.h"

namespace quire::bench {

/// \brief SmolLM2-135M's sizes.
ModelConfig smollm2_135m();

/// \brief Random BF16 weights, prepared by a device; of the tied embedding there is one.
/// \param config  the sizes
/// \param ops     the device
DecoderWeights random_weights(const ModelConfig& config, Ops& ops);

/// \brief Room of one size for each of some sequences, one after the other, in one block each.
class EqualSlabs final : public Placement {
 public:
  /// \brief The room.
  /// \param sequences  how many: SequenceId 0, 1, ...
  /// \param rows       of each
  EqualSlabs(int sequences, int rows);

  Index slots() const override { return static_cast<Index>(blocks_.size()) * rows_; }
  int block_size() const override { return rows_; }
  std::span<const BlockId> table(SequenceId sequence) const override {
    return std::span(blocks_).subspan(static_cast<std::size_t>(to_int(sequence)), 1);
  }

 private:
  int rows_;
  std::vector<BlockId> blocks_;
};

}  // namespace quire::bench
