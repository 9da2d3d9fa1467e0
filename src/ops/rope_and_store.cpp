#include "src/core/error.h"
#include "src/ops/check.h"
#include "src/ops/convert.h"
#include "src/ops/eigen_maps.h"
#include "src/ops/eigen_ops.h"

namespace quire {

void Ops::rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                         const KvSlots& slots) {
  constexpr Operator kOp = Operator::rope_and_store;
  if (q.shape().rank() != 3 || k.shape().rank() != 3) {
    fail("rope_and_store: q is {} and k is {}, expected [rows, heads, head_dim] each",
         to_string(q.shape()), to_string(k.shape()));
  }
  const Index rows = q.extent(0), head_dim = q.extent(2), kv_heads = k.extent(1);
  require(head_dim % 2 == 0, "rope_and_store: head_dim is {}, expected an even number", head_dim);
  check_argument(kOp, "q", q, DType::f32, q.shape());
  check_argument(kOp, "k", k, DType::f32, {rows, kv_heads, head_dim});
  check_argument(kOp, "v", v, DType::f32, k.shape());
  check_argument(kOp, "rotation", rotation, DType::f32, {rows, 2, head_dim / 2});
  check_argument(kOp, "slots.of_rows", slots.of_rows, DType::i64, {rows});
  check_stored(kOp, "slots.k", slots.k, {slots.k.extent(0), kv_heads, head_dim});
  check_argument(kOp, "slots.v", slots.v, slots.k.dtype(), slots.k.shape());
  do_rope_and_store(q, k, v, rotation, slots);
  const std::uint64_t stored = 2 * count(k.size()) * size_of(slots.k.dtype());
  counters_.add(kOp, {.flops = 3 * count(q.size() + k.size()),
                      .bytes_read = q.byte_count() + k.byte_count() + v.byte_count() +
                                    rotation.byte_count() + slots.of_rows.byte_count(),
                      .bytes_written = q.byte_count() + stored});
}

// [rotate]
namespace {

// Every head is a row of `heads`; `rotation` holds the cosines in its first row, sines in its
// second.
void rotate(Eigen::Map<RowMatrix> heads, Eigen::Map<const RowMatrix> rotation) {
  const Index half = heads.cols() / 2;
  const auto cosine = rotation.row(0).array(), sine = rotation.row(1).array();
  for (Index head = 0; head < heads.rows(); ++head) {
    const Eigen::ArrayXXf first = heads.row(head).head(half);
    const Eigen::ArrayXXf second = heads.row(head).tail(half);
    heads.row(head).head(half) = first * cosine - second * sine;
    heads.row(head).tail(half) = second * cosine + first * sine;
  }
}

}  // namespace
// [rotate]

void EigenOps::do_rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                                 const KvSlots& slots) {
  const Index heads = q.extent(1), kv_heads = k.extent(1), head_dim = q.extent(2);
  RowMatrix key(kv_heads, head_dim);
  for (Index row = 0; row < q.extent(0); ++row) {
    const auto angles = matrix(rotation.rows(row, 1).reshaped({2, head_dim / 2}));
    rotate(matrix(q.rows(row, 1).reshaped({heads, head_dim})), angles);
    key = matrix(k.rows(row, 1).reshaped({kv_heads, head_dim}));
    rotate({key.data(), kv_heads, head_dim}, angles);
    const Slot slot = slots.of_rows.values<Slot>()[static_cast<std::size_t>(row)];
    narrow({key.data(), count(key.size())}, slots.k.rows(to_int(slot), 1));
    narrow(v.rows(row, 1).values<float>(), slots.v.rows(to_int(slot), 1));
  }
}

}  // namespace quire
