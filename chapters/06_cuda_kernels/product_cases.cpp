#include <algorithm>

#include "chapters/06_cuda_kernels/kernel_case.h"
#include "chapters/06_cuda_kernels/made_up.h"
#include "kernels/linear/linear.h"
#include "kernels/rope_and_store/rope_and_store.h"
#include "kernels/simt/device_array.h"
#include "src/ops/eigen_ops.h"

namespace quire {
namespace {

using Size = MadeUpStep;

template <class Stored>
using Linear = void (*)(float*, const float*, const Stored*, const kernels::LinearShape&,
                        simt::Stream);

Floats product_of(const Floats& x, const Halves& matrix, const kernels::LinearShape& shape) {
  Floats out(static_cast<std::size_t>(shape.rows * shape.outputs));
  EigenOps().linear(tensor(x, {shape.rows, shape.inputs}),
                    weight(matrix, {shape.outputs, shape.inputs}),
                    tensor(out, {shape.rows, shape.outputs}));
  return out;
}

KernelCase linear_case(const char* name, Linear<BFloat16> linear, Index rows, Random& random) {
  const kernels::LinearShape shape{rows, Size::hidden, Size::hidden};
  const Floats x = floats(shape.rows * shape.inputs, random);
  const Halves matrix = halves(shape.outputs * shape.inputs, random);
  const auto run = [=] {
    const simt::DeviceArray<float> in(x), out(static_cast<std::size_t>(shape.rows * shape.outputs));
    const simt::DeviceArray<BFloat16> of(matrix);
    linear(out.data(), in.data(), of.data(), shape, nullptr);
    return out.to_host();
  };
  // A sum of products is as right as the sum of their sizes.
  const Floats sizes = product_of(sizes_of(x), sizes_of(matrix), shape);
  return {name, run, product_of(x, matrix, shape), slack_of(sizes, Size::hidden)};
}

// What a step brings to the store; as many slots as rows, in no order.
struct Stored {
  static constexpr Index kQ = Size::rows * Size::heads * Size::head_dim;
  static constexpr Index kKv = Size::rows * Size::kv_heads * Size::head_dim;

  explicit Stored(Random& random)
      : q(floats(kQ, random)),
        k(floats(kKv, random)),
        v(floats(kKv, random)),
        slots(shuffled<std::int64_t>(Size::rows, random)) {
    for (Index i = 0; i < Size::rows * Size::head_dim; ++i) {
      const double angle = static_cast<double>(i % Size::head_dim % (Size::head_dim / 2)) / 7 +
                           static_cast<double>(i / Size::head_dim);
      const bool sine = i % Size::head_dim >= Size::head_dim / 2;
      rotation.push_back(static_cast<float>(sine ? std::sin(angle) : std::cos(angle)));
    }
  }

  Floats by_eigen() const {
    const Shape rows{Size::rows, Size::kv_heads, Size::head_dim};
    Floats rotated = q;
    Halves keys(k.size()), values(v.size());
    EigenOps().rope_and_store(
        tensor(rotated, {Size::rows, Size::heads, Size::head_dim}), tensor(k, rows),
        tensor(v, rows), tensor(rotation, {Size::rows, 2, Size::head_dim / 2}),
        {tensor(keys, rows), tensor(values, rows), tensor(slots, {Size::rows})});
    append(rotated, widened(keys));
    append(rotated, widened(values));
    return rotated;
  }

  Floats by_kernel() const {
    const simt::DeviceArray<float> qs(q), ks(k), vs(v), angles(rotation);
    const simt::DeviceArray<BFloat16> keys(k.size()), values(v.size());
    const simt::DeviceArray<std::int64_t> of_rows(slots);
    kernels::rope_and_store(qs.data(), ks.data(), vs.data(), angles.data(), keys.data(),
                            values.data(), of_rows.data(),
                            {Size::rows, Size::heads, Size::kv_heads, Size::head_dim}, nullptr);
    Floats result = qs.to_host();
    append(result, widened(keys.to_host()));
    append(result, widened(values.to_host()));
    return result;
  }

  Floats q, k, v, rotation = {};
  std::vector<std::int64_t> slots;
};

// Two products and a sum, each at most as large as the two largest numbers; a number that is stored
// may be rounded to either neighbour in BF16.
Floats slack_of_rotation(const Stored& step, const Floats& expected) {
  const Floats sizes = sizes_of(step.q), of_keys = sizes_of(step.k);
  const float largest = std::max(*std::max_element(sizes.begin(), sizes.end()),
                                 *std::max_element(of_keys.begin(), of_keys.end()));
  Floats slack(step.q.size(), 12 * largest * kUnit);
  for (std::size_t i = slack.size(); i < expected.size(); ++i) {
    const bool is_key = i < step.q.size() + step.k.size();
    slack.push_back(is_key ? std::fabs(expected[i]) * 0x1p-7f + 12 * largest * kUnit : 0.0f);
  }
  return slack;
}

KernelCase rope_case(Random& random) {
  const Stored step(random);
  const Floats expected = step.by_eigen();
  return {"rope_and_store", [=] { return step.by_kernel(); }, expected,
          slack_of_rotation(step, expected)};
}

}  // namespace

std::vector<KernelCase> product_cases(std::uint64_t seed) {
  Random random = Random::of(seed, 2);
  return {linear_case("linear, few rows", kernels::linear_few_rows<BFloat16>, Size::rows, random),
          linear_case("linear, tiled", kernels::linear_tiled<BFloat16>, Size::many_rows, random),
          rope_case(random)};
}

}  // namespace quire
