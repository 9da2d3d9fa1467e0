#include "src/simd/exp.h"
#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"

namespace quire {

void SimdOps::do_silu_mul(ConstTensor gate, ConstTensor up, Tensor out) {
  const float* gates = gate.values<float>().data();
  const float* ups = up.values<float>().data();
  float* to = out.values<float>().data();
  // An exponential and a division are some ten times an addition.
  threads_.parallel_for(out.size(), simd::kWorthAThread / 8, [&](Index begin, Index end) {
    simd::for_each_vector(end - begin, [&](Index i, Index n) {
      const Index at = begin + i;
      const simd::Vec g = simd::load(gates + at, n), u = simd::load(ups + at, n);
      simd::store(g / (1.0f + simd::exp(-g)) * u, to + at, n);
    });
  });
}

}  // namespace quire
