/// \file
/// \brief A first way to attend over blocks: gather them into dense memory, then attend as before.
#pragma once

#include <vector>

#include "src/kv/kv_cache.h"

namespace quire {

/// \brief Stores rows in blocks, and copies all that a step may see into dense scratch memory before
/// each attention.
///
/// Attention then needs no table, which is how an engine with contiguous attention kernels can use
/// paged memory. The price is that every stored row is read, written and read again in every step:
/// three times the traffic of attention through the table, and scratch memory for the longest
/// sequence times the number of sequences. Keys and values are F32.
class GatheredStorage final : public KvCache {
 public:
  /// \brief Allocates the storage; the scratch memory grows with what a step needs.
  /// \param ops        whose memory; must outlive this object
  /// \param shape      what the model asks; F32
  /// \param placement  where sequences lie; must outlive this object
  /// \throws Error if the dtype is another
  GatheredStorage(Ops& ops, const KvShape& shape, const Placement& placement);

  void begin(const Step& step) override;
  KvSlots slots(int layer) override { return paged_.slots(layer); }
  void attend(int layer, ConstTensor q, Tensor out) override;
  std::uint64_t bytes_per_token() const override { return shape_.bytes_per_token(); }

 private:
  ConstTensor gathered(const Tensor& rows, Buffer& scratch);

  Ops& ops_;
  KvShape shape_;
  const Placement& placement_;
  KvStorage paged_;
  std::span<const Span> spans_;
  int longest_ = 0;               // positions of the longest sequence after the step
  Buffer scratch_k_, scratch_v_;  // [spans * longest, kv_heads, head_dim]
  Buffer device_sources_, device_tables_;
  Tensor sources_, tables_;
};

}  // namespace quire
