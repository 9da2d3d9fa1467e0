#include <cmath>

#include "src/core/error.h"
#include "src/ops/check.h"
#include "src/ops/convert.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out) {
  check_argument(Operator::rms_norm, "x", x, DType::f32, out.shape());
  check_argument(Operator::rms_norm, "out", out, DType::f32, out.shape());
  check_weight(Operator::rms_norm, "gain", gain, {out.shape().row_size()});
  require(epsilon > 0, "rms_norm: epsilon is {}, expected a number above 0", epsilon);
  do_rms_norm(x, gain, epsilon, out);
  counters_.add(Operator::rms_norm, {.flops = 4 * count(out.size()),
                                     .bytes_read = x.byte_count() + gain.byte_count(),
                                     .bytes_written = out.byte_count()});
}

void EigenOps::do_rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out) {
  Eigen::RowVectorXf g(gain.tensor.size());
  widen(gain.tensor, {g.data(), static_cast<std::size_t>(g.size())});
  for (Index row = 0; row < out.extent(0); ++row) {
    const auto values = matrix(x).row(row);
    const float mean_square = values.squaredNorm() / static_cast<float>(values.size());
    const float scale = 1.0f / std::sqrt(mean_square + epsilon);
    matrix(out).row(row) = (values * scale).cwiseProduct(g);
  }
}

}  // namespace quire
