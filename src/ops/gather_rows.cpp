#include "src/ops/check.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::gather_rows(ConstTensor x, ConstTensor rows, Tensor out) {
  const Shape picked{rows.size(), x.shape().row_size()};
  check_argument(Operator::gather_rows, "x", x, DType::f32, picked.with_rows(x.extent(0)));
  check_argument(Operator::gather_rows, "rows", rows, DType::i32, {rows.size()});
  check_argument(Operator::gather_rows, "out", out, DType::f32, picked);
  do_gather_rows(x, rows, out);
  counters_.add(Operator::gather_rows, {.flops = 0,
                                        .bytes_read = rows.byte_count() + out.byte_count(),
                                        .bytes_written = out.byte_count()});
}

void EigenOps::do_gather_rows(ConstTensor x, ConstTensor rows, Tensor out) {
  const auto picked = rows.values<std::int32_t>();
  for (Index row = 0; row < out.extent(0); ++row) {
    matrix(out).row(row) = matrix(x).row(picked[static_cast<std::size_t>(row)]);
  }
}

}  // namespace quire
