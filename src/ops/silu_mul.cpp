#include "src/ops/check.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::silu_mul(ConstTensor gate, ConstTensor up, Tensor out) {
  check_argument(Operator::silu_mul, "gate", gate, DType::f32, out.shape());
  check_argument(Operator::silu_mul, "up", up, DType::f32, out.shape());
  check_argument(Operator::silu_mul, "out", out, DType::f32, out.shape());
  do_silu_mul(gate, up, out);
  counters_.add(Operator::silu_mul, {.flops = 4 * count(out.size()),
                                     .bytes_read = 2 * out.byte_count(),
                                     .bytes_written = out.byte_count()});
}

void EigenOps::do_silu_mul(ConstTensor gate, ConstTensor up, Tensor out) {
  for (Index row = 0; row < out.extent(0); ++row) {
    const auto g = matrix(gate).row(row).array();
    // In memory of its own, since Eigen rounds an exponential by its place between two boundaries.
    const Eigen::RowVectorXf exponential = (-g).exp().matrix();
    matrix(out).row(row).array() = g / (1.0f + exponential.array()) * matrix(up).row(row).array();
  }
}

}  // namespace quire
