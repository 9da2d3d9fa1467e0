#include <algorithm>

#include "src/core/error.h"
#include "src/ops/check.h"
#include "src/ops/convert.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {
namespace {

// The spans must cover the rows of q in order, and each must find its blocks in its table.
void check_spans(const KvView& view, Index rows) {
  const Index width = view.tables.shape().row_size();
  Index row = 0;
  for (const Span& span : view.spans) {
    require(span.rows >= 0 && span.context >= 0, "attend: a span has {} rows after {}", span.rows,
            span.context);
    require(span.first_row == row, "attend: a span begins at row {}, expected {}", span.first_row,
            row);
    const Index blocks = blocks_needed(Index{span.context} + span.rows, view.block_size);
    require(blocks <= width, "attend: tables are {} blocks wide, a span needs {}", width, blocks);
    row += span.rows;
  }
  require(row == rows, "attend: the spans cover {} rows, q has {}", row, rows);
}

void check_attend(ConstTensor q, const KvView& view, const AttentionMask& mask, ConstTensor out) {
  constexpr Operator kOp = Operator::attend;
  if (q.shape().rank() != 3 || view.k.shape().rank() != 3) {
    fail(
        "attend: q is {} and k is {}, expected [rows, heads, head_dim] and [slots, kv_heads, "
        "head_dim]",
        to_string(q.shape()), to_string(view.k.shape()));
  }
  const Index heads = q.extent(1), kv_heads = view.k.extent(1);
  require(kv_heads > 0 && heads % kv_heads == 0,
          "attend: {} query heads do not share {} KV heads evenly", heads, kv_heads);
  check_argument(kOp, "q", q, DType::f32, q.shape());
  check_stored(kOp, "k", view.k, {view.k.extent(0), kv_heads, q.extent(2)});
  check_argument(kOp, "v", view.v, view.k.dtype(), view.k.shape());
  check_argument(kOp, "out", out, DType::f32, q.shape());
  check_argument(kOp, "tables", view.tables, DType::i32,
                 {static_cast<Index>(view.spans.size()), view.tables.shape().row_size()});
  require(view.block_size > 0, "attend: block_size is {}, expected at least 1", view.block_size);
  require(mask.window >= 0, "attend: window is {}, expected 0 (all) or more", mask.window);
  check_spans(view, q.extent(0));
}

// What one span costs: its rows' visible keys, and the stored rows that any of them sees.
Work work_of(const Span& span, ConstTensor q, const KvView& view, const AttentionMask& mask) {
  const Index heads = q.extent(1), kv_heads = view.k.extent(1), head_dim = q.extent(2);
  Index visible = 0;
  for (int row = 0; row < span.rows; ++row) {
    const int position = span.position(row);
    visible += position - mask.first_visible(position) + 1;
  }
  const Index first = mask.first_visible(span.context), last = span.position(span.rows - 1);
  const Index blocks = last / view.block_size - first / view.block_size + 1;
  const auto row_bytes = count(2 * kv_heads * head_dim) * size_of(view.k.dtype());
  return {.flops = count(4 * head_dim * heads * visible),
          .bytes_read = count(last - first + 1) * row_bytes + count(blocks) * sizeof(BlockId),
          .bytes_written = 0};
}

}  // namespace

void Ops::attend(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out) {
  check_attend(q, view, mask, out);
  do_attend(q, view, mask, out);
  Work work{.flops = 0, .bytes_read = q.byte_count(), .bytes_written = out.byte_count()};
  for (const Span& span : view.spans) {
    if (span.rows > 0) work += work_of(span, q, view, mask);
  }
  counters_.add(Operator::attend, work);
}

namespace {

// The stored rows of one KV head of one sequence, by position.
class KvHead {
 public:
  KvHead(ConstTensor rows, const KvView& view, std::size_t span, Index kv_head)
      : rows_(rows),
        table_(view.tables.rows(static_cast<Index>(span), 1).values<BlockId>()),
        block_size_(view.block_size),
        kv_head_(kv_head),
        wide_(rows.extent(2)) {}

  // The key or value of a position; valid until the next call.
  Eigen::Map<const Eigen::RowVectorXf> at(Index position) {
    const BlockId block = table_[static_cast<std::size_t>(position / block_size_)];
    const Index slot = to_int(slot_of(block, block_size_, position));
    const Index head_dim = rows_.extent(2);
    const ConstTensor heads = rows_.rows(slot, 1).reshaped({rows_.extent(1), head_dim});
    const ConstTensor stored = heads.rows(kv_head_, 1);
    if (stored.dtype() == DType::f32) return {stored.values<float>().data(), head_dim};
    widen(stored, {wide_.data(), count(head_dim)});
    return {wide_.data(), head_dim};
  }

 private:
  ConstTensor rows_;  // [slots, kv_heads, head_dim]
  std::span<const BlockId> table_;
  Index block_size_;
  Index kv_head_;
  Eigen::RowVectorXf wide_;
};

// [attend_row]
// One query head of one row: scores, softmax, weighted sum, each over the keys in position order.
void attend_row(Eigen::Map<const Eigen::RowVectorXf> q, KvHead keys, KvHead values, int position,
                const AttentionMask& mask, Eigen::Map<Eigen::RowVectorXf> out) {
  const int first = mask.first_visible(position);
  Eigen::ArrayXf scores(position - first + 1);
  for (int p = first; p <= position; ++p) scores[p - first] = mask.scale * q.dot(keys.at(p));

  const float top = scores.maxCoeff();
  scores = (scores - top).exp();
  scores /= scores.sum();

  out.setZero();
  for (int p = first; p <= position; ++p) out += scores[p - first] * values.at(p);
}
// [attend_row]

}  // namespace

void EigenOps::do_attend(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out) {
  const Index heads = q.extent(1), head_dim = q.extent(2), group = heads / view.k.extent(1);
  const float* queries = q.values<float>().data();
  float* results = out.values<float>().data();
  for (std::size_t s = 0; s < view.spans.size(); ++s) {
    const Span& span = view.spans[s];
    threads_.parallel_for(span.rows * heads, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const Index row = i / heads, head = i % heads;
        const Index offset = ((span.first_row + row) * heads + head) * head_dim;
        attend_row({queries + offset, head_dim}, {view.k, view, s, head / group},
                   {view.v, view, s, head / group}, span.position(static_cast<int>(row)), mask,
                   {results + offset, head_dim});
      }
    });
  }
}

}  // namespace quire
