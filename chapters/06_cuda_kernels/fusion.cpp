#include "chapters/06_cuda_kernels/fusion.h"

#include <cmath>
#include <functional>

#include "chapters/06_cuda_kernels/kernel_case.h"
#include "chapters/06_cuda_kernels/lessons.h"
#include "chapters/06_cuda_kernels/made_up.h"
#include "kernels/add/add.h"
#include "kernels/rms_norm/rms_norm.h"
#include "kernels/rope_and_store/rope_and_store.h"
#include "kernels/simt/device_array.h"
#include "kernels/simt/launch_record.h"

namespace quire {
namespace {

using Size = MadeUpStep;

Way way_of(const std::string& name, const std::function<void()>& launches) {
  Way way{name, 0, {}};
  const auto records = simt::record_launches([&] { way.asked = simt::count_accesses(launches); });
  way.launches = static_cast<std::int64_t>(records.size());
  return way;
}

Fusion residual_and_norm(Random& random) {
  constexpr Index kElements = Size::rows * Size::hidden;
  constexpr float kEpsilon = 1e-5f;
  const Floats stream = floats(kElements, random);
  const simt::DeviceArray<float> apart(stream), fused(stream), x(floats(kElements, random));
  const simt::DeviceArray<float> apart_out(kElements), fused_out(kElements);
  const simt::DeviceArray<BFloat16> gain(halves(Size::hidden, random));
  const Way two = way_of("add, rms_norm", [&] {
    kernels::add(apart.data(), x.data(), kElements, nullptr);
    kernels::rms_norm(apart_out.data(), apart.data(), nullptr, nullptr, gain.data(), kEpsilon,
                      Size::rows, Size::hidden, nullptr);
  });
  const Way one = way_of("residual + rms_norm", [&] {
    kernels::rms_norm(fused_out.data(), fused.data(), x.data(), fused.data(), gain.data(), kEpsilon,
                      Size::rows, Size::hidden, nullptr);
  });
  return {two, one,
          apart.to_host() == fused.to_host() && apart_out.to_host() == fused_out.to_host()};
}

Floats rotation_of_rows() {
  Floats rotation;
  for (Index i = 0; i < Size::rows * Size::head_dim; ++i) {
    const double angle = static_cast<double>(i % (Size::head_dim / 2) + i / Size::head_dim) / 7;
    const bool sine = i % Size::head_dim >= Size::head_dim / 2;
    rotation.push_back(static_cast<float>(sine ? std::sin(angle) : std::cos(angle)));
  }
  return rotation;
}

// What a store leaves behind.
struct Stored {
  explicit Stored(const Floats& queries)
      : q(queries),
        keys(Size::rows * Size::kv_heads * Size::head_dim),
        values(Size::rows * Size::kv_heads * Size::head_dim) {}

  Floats all() const {
    Floats result = q.to_host();
    append(result, widened(keys.to_host()));
    append(result, widened(values.to_host()));
    return result;
  }

  simt::DeviceArray<float> q;
  simt::DeviceArray<BFloat16> keys, values;
};

Fusion rope_and_store(Random& random) {
  constexpr Index kWidth = Size::kv_heads * Size::head_dim;
  const Stored apart(floats(Size::rows * Size::heads * Size::head_dim, random));
  const Stored fused(apart.q.to_host());
  const simt::DeviceArray<float> k(floats(Size::rows * kWidth, random)), own_k(k.to_host());
  const simt::DeviceArray<float> v(floats(Size::rows * kWidth, random)),
      rotation(rotation_of_rows());
  const simt::DeviceArray<std::int64_t> slots(shuffled<std::int64_t>(Size::rows, random));
  const Way three = way_of("rotate q, rotate k, store", [&] {
    rotate_apart(apart.q.data(), rotation.data(), Size::rows, Size::heads, Size::head_dim);
    rotate_apart(own_k.data(), rotation.data(), Size::rows, Size::kv_heads, Size::head_dim);
    store_apart(apart.keys.data(), apart.values.data(), own_k.data(), v.data(), slots.data(),
                Size::rows, kWidth);
  });
  const Way one = way_of("rope_and_store", [&] {
    kernels::rope_and_store(fused.q.data(), k.data(), v.data(), rotation.data(), fused.keys.data(),
                            fused.values.data(), slots.data(),
                            {Size::rows, Size::heads, Size::kv_heads, Size::head_dim}, nullptr);
  });
  return {three, one, apart.all() == fused.all()};
}

}  // namespace

std::vector<Fusion> fusions(std::uint64_t seed) {
  Random random = Random::of(seed, 4);
  std::vector<Fusion> all;
  all.push_back(residual_and_norm(random));
  all.push_back(rope_and_store(random));
  return all;
}

std::vector<StridedLoad> strided_loads() {
  std::vector<StridedLoad> all;
  for (const unsigned stride : {1u, 2u, 3u, 4u, 8u, 32u}) {
    const simt::DeviceArray<float> in(31 * stride + 1), out(32);
    const auto counts = simt::count_accesses([&] { copy_strided(out.data(), in.data(), stride); });
    all.push_back({stride, counts.global_loads});
  }
  return all;
}

}  // namespace quire
