#include <algorithm>

#include "src/simd/simd_ops.h"

namespace quire {

void SimdOps::do_gather_rows(ConstTensor x, ConstTensor rows, Tensor out) {
  const auto picked = rows.values<std::int32_t>();
  for (Index row = 0; row < out.extent(0); ++row) {
    const ConstTensor from = x.rows(picked[static_cast<std::size_t>(row)], 1);
    std::copy_n(from.bytes(), from.byte_count(), out.rows(row, 1).bytes());
  }
}

}  // namespace quire
