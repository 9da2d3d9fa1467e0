#include "src/ops/check.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::add(ConstTensor x, Tensor out) {
  check_argument(Operator::add, "x", x, DType::f32, out.shape());
  check_argument(Operator::add, "out", out, DType::f32, out.shape());
  do_add(x, out);
  counters_.add(Operator::add, {.flops = count(out.size()),
                                .bytes_read = 2 * out.byte_count(),
                                .bytes_written = out.byte_count()});
}

void EigenOps::do_add(ConstTensor x, Tensor out) {
  matrix(out) += matrix(x);
}

}  // namespace quire
