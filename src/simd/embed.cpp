#include "src/simd/panels.h"
#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"

namespace quire {

void SimdOps::do_embed(const Weight& table, ConstTensor tokens, Tensor out) {
  const auto ids = tokens.values<std::int32_t>();
  const Index hidden = out.shape().row_size();
  const ConstTensor& panels = table.tensor;
  threads_.parallel_for(tokens.size(), simd::rows_worth_a_thread(hidden),
                        [&](Index begin, Index end) {
                          for (Index row = begin; row < end; ++row) {
                            simd::unpack_row(panels.bytes(), panels.dtype(), hidden,
                                             ids[static_cast<std::size_t>(row)],
                                             out.rows(row, 1).values<float>().data());
                          }
                        });
}

}  // namespace quire
