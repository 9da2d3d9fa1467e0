#include "kernels/attend/attend.h"

#include <algorithm>

#include "kernels/ops/kernel_ops.h"
#include "kernels/ops/stored.h"
#include "src/core/error.h"

namespace quire {

using kernels::AttendArguments;
using kernels::AttendRow;
using kernels::AttendShape;
using kernels::first_of;
using kernels::with_stored;

namespace {

// Heads of rows that leave a large card half idle, a warp each: then a long sequence is shared out.
constexpr Index kFewHeads = 1024;

// The most keys that any row sees.
int longest_of(const KvView& view, const AttentionMask& mask) {
  int longest = 0;
  for (const Span& span : view.spans) {
    if (span.rows == 0) continue;
    const int last = span.position(span.rows - 1);
    longest = std::max(longest, last - mask.first_visible(last) + 1);
  }
  return longest;
}

AttendShape shape_of(ConstTensor q, const KvView& view, const AttentionMask& mask) {
  return {.rows = static_cast<int>(q.extent(0)),
          .heads = static_cast<int>(q.extent(1)),
          .kv_heads = static_cast<int>(view.k.extent(1)),
          .head_dim = static_cast<int>(q.extent(2)),
          .block_size = view.block_size,
          .table_width = view.tables.shape().row_size(),
          .scale = mask.scale,
          .window = mask.window,
          .longest = longest_of(view, mask)};
}

}  // namespace

// [do_attend]
void KernelOps::do_attend(ConstTensor q, const KvView& view, const AttentionMask& mask,
                          Tensor out) {
  const AttendShape shape = shape_of(q, view, mask);
  require(shape.head_dim <= kernels::kMaxHeadDim,
          "attend: head_dim is {}; the kernels take up to {}", shape.head_dim,
          kernels::kMaxHeadDim);
  const bool split = shape.longest > kernels::kKeysInPiece && q.extent(0) * q.extent(1) < kFewHeads;
  with_stored(view.k, [&](const auto* keys) {
    using Stored = std::remove_const_t<std::remove_pointer_t<decltype(keys)>>;
    const AttendArguments<Stored> arguments{.q = first_of<float>(q),
                                            .k = keys,
                                            .v = first_of<Stored>(view.v),
                                            .tables = first_of<std::int32_t>(view.tables),
                                            .places = places_of_rows(view),
                                            .out = first_of<float>(out),
                                            .shape = shape};
    if (split) return attend_split(arguments, scratch(partials_size(shape)), stream_);
    attend_online(arguments, stream_);
  });
}
// [do_attend]

// Where each row stands, uploaded anew for every layer: 8 bytes a row, little beside its keys.
const AttendRow* KernelOps::places_of_rows(const KvView& view) {
  places_.clear();
  for (std::size_t s = 0; s < view.spans.size(); ++s) {
    const Span& span = view.spans[s];
    for (int row = 0; row < span.rows; ++row) {
      places_.push_back({static_cast<std::int32_t>(s), span.position(row)});
    }
  }
  const std::size_t bytes = places_.size() * sizeof(AttendRow);
  if (device_places_.bytes() < bytes) {
    device_places_ = allocate(std::max(bytes, 2 * device_places_.bytes()));
  }
  std::byte* const first = device_places_.tensor(DType::i32, {0}).bytes();
  staging_.copy(first, places_.data(), bytes);
  return reinterpret_cast<const AttendRow*>(first);
}

float* KernelOps::scratch(std::size_t floats) {
  const std::size_t bytes = floats * sizeof(float);
  if (scratch_.bytes() < bytes) scratch_ = allocate(std::max(bytes, 2 * scratch_.bytes()));
  return first_of<float>(scratch_.tensor(DType::f32, {0}));
}

}  // namespace quire
