#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"

namespace quire {

void SimdOps::do_add_bias(const Weight& bias, Tensor out) {
  const Index n = out.shape().row_size();
  simd::with_stored(bias.tensor, [&](const auto* biases) {
    for (Index row = 0; row < out.extent(0); ++row) {
      float* to = out.rows(row, 1).values<float>().data();
      simd::for_each_vector(n, [&](Index i, Index lanes) {
        simd::store(simd::load(to + i, lanes) + simd::load_wide(biases + i, lanes), to + i, lanes);
      });
    }
  });
}

}  // namespace quire
