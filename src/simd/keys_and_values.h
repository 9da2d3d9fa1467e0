/// \file
/// \brief Copies a block of stored keys or values into panels.
#pragma once

#include <span>

#include "src/ops/kv_view.h"
#include "src/simd/attend_head.h"

namespace quire::simd {

/// \brief Floats that a block of keys or of values takes in panels, with room to copy it.
/// \param head_dim  elements a head
constexpr Index panel_scratch(Index head_dim) {
  return kKeys * panels_of(head_dim) * kPanel + 4 * head_dim;
}

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

  /// \brief Whether stored rows are floats in whole panels, so that for_each_run() has something to
  /// show.
  bool is_in_panels() const { return rows_.dtype() == DType::f32 && head_dim_ % kPanel == 0; }
  /// \brief Calls `body(position, count, rows)` for values that lie one after the other, as panels
  /// where they are: 16 elements of a row are the outputs of a panel, and the rows its inputs.
  /// \param begin  the first position
  /// \param end    one past the last
  /// \param body   takes two numbers and a PanelsView<F32Panels>
  template <class Body>
  void for_each_run(Index begin, Index end, const Body& body) const {
    const float* const floats = rows_.values<float>().data();
    for (Index position = begin; position < end;) {
      const Index next = std::min(end, (position / block_size_ + 1) * block_size_);
      body(
          position, next - position,
          PanelsView<F32Panels>{floats + offset_of(position), kPanel, rows_.extent(1) * head_dim_});
      position = next;
    }
  }

 private:
  Index offset_of(Index position) const;

  ConstTensor rows_;  // [slots, kv_heads, head_dim]
  std::span<const BlockId> table_;
  Index block_size_;
  Index kv_head_;
  Index head_dim_;
};

}  // namespace quire::simd
