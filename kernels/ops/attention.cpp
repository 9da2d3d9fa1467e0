#include "kernels/ops/attention.h"

#include <algorithm>
#include <limits>

#include "kernels/ops/stored.h"
#include "kernels/simt/grid_limits.h"
#include "src/core/error.h"

namespace quire::kernels {
namespace {

// With so many warps a card is busy without any split.
constexpr Index kEnoughWarps = 4096;
// Longer sequences than this allows are walked along by one warp a head.
constexpr std::size_t kMostWorkspace = std::size_t{64} << 20;

// The most keys that a row sees. A later row of a span never sees fewer.
int longest_of(std::span<const Span> spans, const AttentionMask& mask) {
  int longest = 0;
  for (const Span& span : spans) {
    if (span.rows == 0) continue;
    const int last = span.position(span.rows - 1);
    longest = std::max(longest, last - mask.first_visible(last) + 1);
  }
  return longest;
}

AttendShape shape_of(ConstTensor q, const KvView& view, const AttentionMask& mask) {
  const Index heads = q.extent(1), head_dim = q.extent(2), items = q.extent(0) * heads;
  require(head_dim <= kMaxHeadDim, "attend: heads of {} elements; the kernels take at most {}",
          head_dim, kMaxHeadDim);
  require(items <= std::numeric_limits<int>::max(),
          "attend: {} rows of {} heads are too many for one call; their product must be below 2^31",
          q.extent(0), heads);
  return {.rows = static_cast<int>(q.extent(0)),
          .heads = static_cast<int>(heads),
          .kv_heads = static_cast<int>(view.k.extent(1)),
          .head_dim = static_cast<int>(head_dim),
          .block_size = view.block_size,
          .table_width = view.tables.shape().row_size(),
          .scale = mask.scale,
          .window = mask.window,
          .longest = longest_of(view.spans, mask)};
}

AttentionKernel choose(const AttendShape& shape) {
  const bool is_long = shape.longest > kKeysInPiece;
  const bool are_few = Index{shape.rows} * shape.heads < kEnoughWarps;
  const bool fits = partials_size(shape) * sizeof(float) <= kMostWorkspace &&
                    pieces_of(shape.longest) <= simt::kMostBlocksY;
  return is_long && are_few && fits ? AttentionKernel::split : AttentionKernel::online;
}

}  // namespace

void Attention::run(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out) {
  if (out.size() == 0) return;
  const AttendShape shape = shape_of(q, view, mask);
  upload_places(view.spans);
  with_stored(view.k, [&](const auto* keys) {
    using T = std::remove_cvref_t<decltype(*keys)>;
    launch(AttendArguments<T>{.q = first_of<float>(q),
                              .k = keys,
                              .v = first_of<T>(view.v),
                              .tables = first_of<std::int32_t>(view.tables),
                              .places = reinterpret_cast<const AttendRow*>(
                                  device_places_.tensor(DType::i32, {0}).bytes()),
                              .out = first_of<float>(out),
                              .shape = shape});
  });
}

// [places]
void Attention::upload_places(std::span<const Span> spans) {
  places_.clear();
  for (std::size_t s = 0; s < spans.size(); ++s) {
    for (int row = 0; row < spans[s].rows; ++row) {
      places_.push_back({static_cast<std::int32_t>(s), spans[s].position(row)});
    }
  }
  if (places_ == uploaded_) return;
  uploaded_.clear();  // nothing is there if one of the next calls throws
  const std::size_t bytes = places_.size() * sizeof(AttendRow);
  if (device_places_.bytes() < bytes) {
    device_places_ = memory_.allocate(std::max(bytes, 2 * device_places_.bytes()));
  }
  memory_.upload(places_.data(),
                 device_places_.tensor(DType::i32, {static_cast<Index>(places_.size()), 2}));
  uploaded_ = places_;
}
// [places]

float* Attention::workspace(std::size_t floats) {
  const std::size_t bytes = floats * sizeof(float);
  if (workspace_.bytes() < bytes) {
    workspace_ = {};  // the old one goes before the new one comes
    workspace_ = memory_.allocate(std::max(bytes, std::min(2 * bytes, kMostWorkspace)));
  }
  return first_of<float>(workspace_.tensor(DType::f32, {0}));
}

template <class T>
void Attention::launch(const AttendArguments<T>& arguments) {
  const AttendShape& shape = arguments.shape;
  switch (kernel_ == AttentionKernel::chosen ? choose(shape) : kernel_) {
    case AttentionKernel::scores:
      return attend_scores(arguments, workspace(scores_size(shape)), stream_);
    case AttentionKernel::split:
      return attend_split(arguments, workspace(partials_size(shape)), stream_);
    case AttentionKernel::chosen:
    case AttentionKernel::online:
      return attend_online(arguments, stream_);
  }
}

}  // namespace quire::kernels
