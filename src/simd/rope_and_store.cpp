#include <algorithm>

#include "src/ops/convert.h"
#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"

namespace quire {
namespace simd {
namespace {

void store_as(Vec v, float* to, Index n) {
  store(v, to, n);
}
void store_as(Vec v, Float16* to, Index n) {
  for (Index i = 0; i < n; ++i) to[i] = to_float16(v[i]);
}
void store_as(Vec v, BFloat16* to, Index n) {
  for (Index i = 0; i < n; ++i) to[i] = to_bfloat16(v[i]);
}

// Turns the pairs (i, i + half) of every head. `angles` holds the cosines, then the sines.
template <class Stored>
void rotate(const float* heads, const float* angles, Index count, Index half, Stored* out) {
  for (Index head = 0; head < count; ++head, heads += 2 * half, out += 2 * half) {
    for_each_vector(half, [&](Index i, Index n) {
      const Vec cosine = load(angles + i, n), sine = load(angles + half + i, n);
      const Vec first = load(heads + i, n), second = load(heads + half + i, n);
      store_as(multiply_add(-second, sine, first * cosine), out + i, n);
      store_as(multiply_add(first, sine, second * cosine), out + half + i, n);
    });
  }
}

}  // namespace
}  // namespace simd

void SimdOps::do_rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                                const KvSlots& slots) {
  const Index heads = q.extent(1), kv_heads = k.extent(1), half = q.extent(2) / 2;
  const auto slot_of_row = slots.of_rows.values<Slot>();
  const auto rotate_row = [&](Index row) {
    const float* angles = rotation.rows(row, 1).values<float>().data();
    float* queries = q.rows(row, 1).values<float>().data();
    simd::rotate(queries, angles, heads, half, queries);
    const Index slot = to_int(slot_of_row[static_cast<std::size_t>(row)]);
    const float* keys = k.rows(row, 1).values<float>().data();
    simd::with_stored(slots.k.rows(slot, 1),
                      [&](auto* stored) { simd::rotate(keys, angles, kv_heads, half, stored); });
    narrow(v.rows(row, 1).values<float>(), slots.v.rows(slot, 1));
  };
  threads_.parallel_for(q.extent(0), simd::rows_worth_a_thread(q.shape().row_size()),
                        [&](Index begin, Index end) {
                          for (Index row = begin; row < end; ++row) rotate_row(row);
                        });
}

}  // namespace quire
