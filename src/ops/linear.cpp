#include <algorithm>

#include "src/ops/check.h"
#include "src/ops/convert.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::linear(ConstTensor x, const Weight& weight, Tensor out) {
  const Shape in{x.extent(0), x.shape().row_size()};
  const Index outputs = weight.tensor.extent(0);
  check_argument(Operator::linear, "x", x, DType::f32, in);
  check_weight(Operator::linear, "weight", weight, {outputs, in[1]});
  check_argument(Operator::linear, "out", out, DType::f32, {in[0], outputs});
  do_linear(x, weight, out);
  counters_.add(Operator::linear, {.flops = 2 * count(in.size()) * count(outputs),
                                   .bytes_read = x.byte_count() + weight.byte_count(),
                                   .bytes_written = out.byte_count()});
}

void EigenOps::do_linear(ConstTensor x, const Weight& weight, Tensor out) {
  // So many weight rows are widened at a time that they stay in the cache until they are used.
  constexpr Index kBlock = 64;
  const Index inputs = x.shape().row_size();
  threads_.parallel_for(weight.tensor.extent(0), kBlock, [&](Index begin, Index end) {
    RowMatrix wide(std::min(kBlock, end - begin), inputs);
    for (Index first = begin; first < end; first += kBlock) {
      const Index outputs = std::min(kBlock, end - first);
      widen(weight.tensor.rows(first, outputs), {wide.data(), count(outputs * inputs)});
      matrix(out).middleCols(first, outputs).noalias() =
          matrix(x) * wide.topRows(outputs).transpose();
    }
  });
}

}  // namespace quire
