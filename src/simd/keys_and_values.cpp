#include "src/simd/keys_and_values.h"

#include <algorithm>
#include <array>

#include "src/simd/rows.h"
#include "src/simd/transpose.h"

namespace quire::simd {
namespace {

// A stored row as floats: where it lies, or in `room`.
const float* as_floats(const float* row, Index, float*) {
  return row;
}
template <class Stored>
const float* as_floats(const Stored* row, Index n, float* room) {
  for_each_vector(n,
                  [&](Index i, Index lanes) { store(load_wide(row + i, lanes), room + i, lanes); });
  return room;
}

}  // namespace

StoredHead::StoredHead(ConstTensor rows, const KvView& view, std::size_t span, Index kv_head)
    : rows_(rows),
      table_(view.tables.rows(static_cast<Index>(span), 1).values<BlockId>()),
      block_size_(view.block_size),
      kv_head_(kv_head),
      head_dim_(rows.extent(2)) {}

RowAddresses StoredHead::addresses(Index begin, Index end) const {
  RowAddresses result;
  const Index step = rows_.extent(1) * row_bytes();
  for (Index position = begin; position < end;) {
    const BlockId block = table_[static_cast<std::size_t>(position / block_size_)];
    const Index slot = to_int(slot_of(block, block_size_, position));
    const std::byte* address = rows_.bytes() + slot * step + kv_head_ * row_bytes();
    const Index run_end = std::min(end, (position / block_size_ + 1) * block_size_);
    for (; position < run_end; ++position, address += step) {
      result[static_cast<std::size_t>(position - begin)] = address;
    }
  }
  return result;
}

void StoredHead::prefetch_rows(Index begin, Index end) const {
  constexpr Index kLine = 64;
  const RowAddresses rows = addresses(begin, end);
  for (Index i = 0; i < end - begin; ++i) {
    for (Index byte = 0; byte < row_bytes(); byte += kLine) {
      prefetch(rows[static_cast<std::size_t>(i)] + byte);
    }
  }
}

void StoredHead::pack_keys(Index base, Index begin, Index end, float* to) const {
  const RowAddresses rows = addresses(begin, end);
  float* const room = to + panel_scratch(head_dim_) - 4 * head_dim_;
  with_stored(rows_, [&](const auto* stored) {
    for (Index first = base; first < end; first += 4) {
      std::array<const float*, 4> keys;
      for (Index j = 0; j < 4; ++j) {
        const Index position = first + j;
        float* const own_room = room + j * head_dim_;
        const float*& key = keys[static_cast<std::size_t>(j)];
        if (begin <= position && position < end) {
          const std::byte* row = rows[static_cast<std::size_t>(position - begin)];
          key = as_floats(reinterpret_cast<decltype(stored)>(row), head_dim_, own_room);
        } else {
          key = std::fill_n(own_room, head_dim_, 0.0f) - head_dim_;
        }
      }
      const Index key = first - base;
      // Four neighbouring lanes of a panel.
      transpose_four<kPanel>(keys, head_dim_,
                             to + key / kPanel * kPanel * head_dim_ + key % kPanel);
    }
  });
}

void StoredHead::pack_values(Index base, Index begin, Index end, float* to) const {
  const RowAddresses rows = addresses(begin, end);
  with_stored(rows_, [&](const auto* stored) {
    for (Index position = begin; position < end; ++position) {
      const std::byte* row = rows[static_cast<std::size_t>(position - begin)];
      const auto* value = reinterpret_cast<decltype(stored)>(row);
      float* const input = to + (position - base) * kPanel;
      for_each_vector(head_dim_, [&](Index i, Index lanes) {
        store(load_wide(value + i, lanes), input + i / kPanel * kKeys * kPanel + i % kPanel);
      });
    }
  });
}

}  // namespace quire::simd
