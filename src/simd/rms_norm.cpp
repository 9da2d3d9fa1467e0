#include <cmath>

#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"

namespace quire {
namespace simd {
namespace {

// The sum of squares: element i is added in lane i % (4 lanes) of four vectors, which then are added
// up. The order depends on n alone.
float sum_of_squares(const float* x, Index n) {
  Vec sums[4]{};
  for_each_vector(n, [&](Index i, Index lanes) {
    const Vec v = load(x + i, lanes);
    Vec& sum = sums[i / kLanes % 4];
    sum = multiply_add(v, v, sum);
  });
  return sum_of((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

template <class Stored>
void normalise(const float* x, const Stored* gain, Index n, float epsilon, float* out) {
  const float mean_square = sum_of_squares(x, n) / static_cast<float>(n);
  const Vec scale = splat(1.0f / std::sqrt(mean_square + epsilon));
  for_each_vector(n, [&](Index i, Index lanes) {
    store(load(x + i, lanes) * scale * load_wide(gain + i, lanes), out + i, lanes);
  });
}

}  // namespace
}  // namespace simd

void SimdOps::do_rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out) {
  const Index n = out.shape().row_size();
  const float* from = x.values<float>().data();
  float* to = out.values<float>().data();
  simd::with_stored(gain.tensor, [&](const auto* gains) {
    threads_.parallel_for(out.size() / std::max<Index>(n, 1), simd::rows_worth_a_thread(n),
                          [&](Index begin, Index end) {
                            for (Index row = begin; row < end; ++row) {
                              simd::normalise(from + row * n, gains, n, epsilon, to + row * n);
                            }
                          });
  });
}

}  // namespace quire
