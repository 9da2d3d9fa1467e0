#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"

namespace quire {

void SimdOps::do_add(ConstTensor x, Tensor out) {
  const float* from = x.values<float>().data();
  float* to = out.values<float>().data();
  threads_.parallel_for(out.size(), simd::kWorthAThread, [&](Index begin, Index end) {
    simd::for_each_vector(end - begin, [&](Index i, Index n) {
      const Index at = begin + i;
      simd::store(simd::load(to + at, n) + simd::load(from + at, n), to + at, n);
    });
  });
}

}  // namespace quire
