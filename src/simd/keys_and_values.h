/// \file
/// \brief Copies a block of stored keys or values into panels.
#pragma once

#include <array>
#include <span>

#include "src/ops/kv_view.h"
#include "src/simd/attend_head.h"

namespace quire::simd {

/// \brief Floats that a block of keys or of values takes in panels, with room to copy it.
/// \param head_dim  elements a head
constexpr Index panel_scratch(Index head_dim) {
  return kKeys * panels_of(head_dim) * kPanel + 4 * head_dim;
}

/// \brief Where the rows of a block of keys or of values lie.
using RowAddresses = std::array<const std::byte*, kKeys>;

/// \brief The stored rows of one sequence and one KV head, wherever they lie.
class StoredHead {
 public:
  /// \brief Looks into stored rows.
  /// \param rows     the view's keys or its values
  /// \param view     where they lie
  /// \param span     whose: an index of the view's spans
  /// \param kv_head  which head
  StoredHead(ConstTensor rows, const KvView& view, std::size_t span, Index kv_head);

  /// \brief Copies keys so that 16 of them are the outputs of a panel and their elements its inputs.
  /// The keys of other positions are 0 or anything.
  /// \param base   the position of the block's first key
  /// \param begin  the first position that is read
  /// \param end    one past the last
  /// \param to     panel_scratch(head_dim) floats
  void pack_keys(Index base, Index begin, Index end, float* to) const;

  /// \brief Copies values so that 16 of their elements are the outputs of a panel and the keys its
  /// inputs. The values of other positions are left as they were.
  /// \param base   the position of the block's first value
  /// \param begin  the first position that is read
  /// \param end    one past the last
  /// \param to     panel_scratch(head_dim) floats
  void pack_values(Index base, Index begin, Index end, float* to) const;

  /// \brief Whether stored rows are floats in whole panels, so that they can be read as ScatteredRows.
  bool is_in_panels() const { return rows_.dtype() == DType::f32 && head_dim_ % kPanel == 0; }
  /// \brief Looks up where rows lie.
  /// \param begin  the first position
  /// \param end    one past the last, at most begin + kKeys
  /// \return the address of each, that of `begin` first
  RowAddresses addresses(Index begin, Index end) const;
  /// \brief Asks for rows that will soon be read.
  /// \param begin  the first position
  /// \param end    one past the last, at most begin + kKeys; nothing happens if it is not after `begin`
  void prefetch_rows(Index begin, Index end) const;

 private:
  Index row_bytes() const { return head_dim_ * static_cast<Index>(size_of(rows_.dtype())); }

  ConstTensor rows_;  // [slots, kv_heads, head_dim]
  std::span<const BlockId> table_;
  Index block_size_;
  Index kv_head_;
  Index head_dim_;
};

}  // namespace quire::simd
