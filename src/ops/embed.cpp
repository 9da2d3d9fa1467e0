#include "src/ops/check.h"
#include "src/ops/convert.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::embed(const Weight& table, ConstTensor tokens, Tensor out) {
  const Index rows = tokens.size();
  const Index hidden = table.tensor.shape().row_size();
  check_weight(Operator::embed, "table", table, {table.tensor.extent(0), hidden});
  check_argument(Operator::embed, "tokens", tokens, DType::i32, {rows});
  check_argument(Operator::embed, "out", out, DType::f32, {rows, hidden});
  do_embed(table, tokens, out);
  const std::uint64_t row_bytes = count(hidden) * size_of(table.tensor.dtype());
  counters_.add(Operator::embed, {.flops = 0,
                                  .bytes_read = tokens.byte_count() + count(rows) * row_bytes,
                                  .bytes_written = out.byte_count()});
}

void EigenOps::do_embed(const Weight& table, ConstTensor tokens, Tensor out) {
  const auto ids = tokens.values<std::int32_t>();
  for (Index row = 0; row < out.extent(0); ++row) {
    const Index id = ids[static_cast<std::size_t>(row)];
    widen(table.tensor.rows(id, 1), out.rows(row, 1).values<float>());
  }
}

}  // namespace quire
