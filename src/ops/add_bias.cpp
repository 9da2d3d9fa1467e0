#include "src/ops/check.h"
#include "src/ops/convert.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::add_bias(const Weight& bias, Tensor out) {
  check_weight(Operator::add_bias, "bias", bias, {out.shape().row_size()});
  check_argument(Operator::add_bias, "out", out, DType::f32, out.shape());
  do_add_bias(bias, out);
  counters_.add(Operator::add_bias, {.flops = count(out.size()),
                                     .bytes_read = out.byte_count() + bias.byte_count(),
                                     .bytes_written = out.byte_count()});
}

void EigenOps::do_add_bias(const Weight& bias, Tensor out) {
  Eigen::RowVectorXf wide(bias.tensor.size());
  widen(bias.tensor, {wide.data(), count(wide.size())});
  matrix(out).rowwise() += wide;
}

}  // namespace quire
