#include "tests/bench/ceilings.h"

#include <atomic>

#include "src/simd/vector.h"

namespace quire::bench {

using simd::kAccumulators;
using simd::kLanes;
using simd::Vec;

std::uint64_t read_all(ThreadPool& threads, const std::vector<std::uint64_t>& memory) {
  std::atomic<std::uint64_t> result{0};
  const auto count = static_cast<Index>(memory.size());
  threads.parallel_for(count, 1, [&](Index begin, Index end) {
    constexpr Index kStep = 4 * kLanes / 2;  // four vectors
    simd::UVec sums[4]{};
    for (Index i = begin; i + kStep <= end; i += kStep) {
      const std::uint64_t* from = memory.data() + i;
      for (int v = 0; v < 4; ++v) sums[v] ^= simd::load<simd::UVec>(from + v * kLanes / 2);
    }
    const simd::UVec all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
    for (int lane = 0; lane < kLanes; ++lane) result ^= all[lane];
  });
  return result;
}

double multiply_add_all(ThreadPool& threads, Index rounds) {
  std::atomic<float> kept{0};
  threads.parallel_for(threads.size(), 1, [&](Index, Index) {
    Vec sums[kAccumulators];
    for (Vec& sum : sums) sum = simd::splat(1.0f);
    Vec x = simd::splat(0.5f), y = simd::splat(0.25f);
    for (Index round = 0; round < rounds; ++round) {
#pragma GCC unroll 24
      for (Vec& sum : sums) sum = simd::multiply_add(sum, x, y);
    }
    Vec total{};
    for (const Vec& sum : sums) total += sum;
    kept = simd::sum_of(total);
  });
  return 2.0 * kLanes * kAccumulators * static_cast<double>(rounds) * threads.size();
}

}  // namespace quire::bench
