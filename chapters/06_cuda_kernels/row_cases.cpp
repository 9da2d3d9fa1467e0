#include <Eigen/Core>

#include "chapters/06_cuda_kernels/kernel_case.h"
#include "chapters/06_cuda_kernels/made_up.h"
#include "kernels/add/add.h"
#include "kernels/add_bias/add_bias.h"
#include "kernels/argmax/argmax.h"
#include "kernels/copy_blocks/copy_blocks.h"
#include "kernels/embed/embed.h"
#include "kernels/gather_rows/gather_rows.h"
#include "kernels/rms_norm/rms_norm.h"
#include "kernels/silu_mul/silu_mul.h"
#include "kernels/simt/device_array.h"
#include "kernels/softmax/softmax.h"
#include "src/ops/eigen_ops.h"

namespace quire {
namespace {

using Size = MadeUpStep;
using Indices = std::vector<std::int32_t>;
using Matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index kElements = Size::rows * Size::hidden;
constexpr float kEpsilon = 1e-5f;
const Shape kRowsShape{Size::rows, Size::hidden};

KernelCase embed_case(Random& random) {
  const Halves table = halves(Size::vocabulary * Size::hidden, random);
  Indices tokens = shuffled<std::int32_t>(Size::vocabulary, random);
  tokens.resize(Size::rows);
  Floats expected(kElements);
  EigenOps().embed(weight(table, {Size::vocabulary, Size::hidden}), tensor(tokens, {Size::rows}),
                   tensor(expected, kRowsShape));
  const auto run = [=] {
    const simt::DeviceArray<BFloat16> rows(table);
    const simt::DeviceArray<std::int32_t> ids(tokens);
    const simt::DeviceArray<float> out(kElements);
    kernels::embed(out.data(), rows.data(), ids.data(), Size::rows, Size::hidden, nullptr);
    return out.to_host();
  };
  return {"embed", run, expected, no_slack(expected)};
}

// All squares are positive, so their sum is as right as its additions; the root halves its error.
constexpr double kNormRoundings = Size::hidden / 2.0 + 4;

KernelCase norm_case(Random& random) {
  const Floats x = floats(kElements, random);
  const Halves gain = halves(Size::hidden, random);
  Floats expected(x.size());
  EigenOps().rms_norm(tensor(x, kRowsShape), weight(gain, {Size::hidden}), kEpsilon,
                      tensor(expected, kRowsShape));
  const auto run = [=] {
    const simt::DeviceArray<float> in(x), out(x.size());
    const simt::DeviceArray<BFloat16> gains(gain);
    kernels::rms_norm(out.data(), in.data(), nullptr, nullptr, gains.data(), kEpsilon, Size::rows,
                      Size::hidden, nullptr);
    return out.to_host();
  };
  return {"rms_norm", run, expected, slack_of(expected, kNormRoundings)};
}

KernelCase fused_norm_case(Random& random) {
  const Floats x = floats(kElements, random), residual = floats(kElements, random);
  const Halves gain = halves(Size::hidden, random);
  Floats sum = x, normed(x.size());
  EigenOps().add(tensor(residual, kRowsShape), tensor(sum, kRowsShape));
  EigenOps().rms_norm(tensor(sum, kRowsShape), weight(gain, {Size::hidden}), kEpsilon,
                      tensor(normed, kRowsShape));
  Floats expected = normed, slack = slack_of(normed, kNormRoundings);
  append(expected, sum);
  append(slack, no_slack(sum));
  const auto run = [=] {
    const simt::DeviceArray<float> in(x), added(residual), out(x.size()), sums(x.size());
    const simt::DeviceArray<BFloat16> gains(gain);
    kernels::rms_norm(out.data(), in.data(), added.data(), sums.data(), gains.data(), kEpsilon,
                      Size::rows, Size::hidden, nullptr);
    Floats result = out.to_host();
    append(result, sums.to_host());
    return result;
  };
  return {"residual + rms_norm", run, expected, slack};
}

KernelCase add_case(Random& random) {
  const Floats x = floats(kElements, random), y = floats(kElements, random);
  Floats expected = y;
  EigenOps().add(tensor(x, kRowsShape), tensor(expected, kRowsShape));
  const auto run = [=] {
    const simt::DeviceArray<float> added(x), out(y);
    kernels::add(out.data(), added.data(), kElements, nullptr);
    return out.to_host();
  };
  return {"add", run, expected, no_slack(expected)};
}

KernelCase add_bias_case(Random& random) {
  const Floats x = floats(kElements, random);
  const Halves bias = halves(Size::hidden, random);
  Floats expected = x;
  EigenOps().add_bias(weight(bias, {Size::hidden}), tensor(expected, kRowsShape));
  const auto run = [=] {
    const simt::DeviceArray<float> out(x);
    const simt::DeviceArray<BFloat16> biases(bias);
    kernels::add_bias(out.data(), biases.data(), Size::rows, Size::hidden, nullptr);
    return out.to_host();
  };
  return {"add_bias", run, expected, no_slack(expected)};
}

KernelCase silu_mul_case(Random& random) {
  const Floats gate = floats(kElements, random), up = floats(kElements, random);
  Floats expected(gate.size());
  EigenOps().silu_mul(tensor(gate, kRowsShape), tensor(up, kRowsShape),
                      tensor(expected, kRowsShape));
  const auto run = [=] {
    const simt::DeviceArray<float> gates(gate), ups(up), out(gate.size());
    kernels::silu_mul(out.data(), gates.data(), ups.data(), kElements, nullptr);
    return out.to_host();
  };
  // An addition, a quotient and a product, and an exponential that may be off by five.
  return {"silu_mul", run, expected, slack_of(expected, 8)};
}

KernelCase softmax_case(Random& random) {
  const Floats x = floats(kElements, random);
  const Eigen::Map<const Matrix> rows(x.data(), Size::rows, Size::hidden);
  const Matrix shifted = rows.colwise() - rows.rowwise().maxCoeff();
  const Matrix powers = shifted.exp();
  const Matrix result = powers.colwise() / powers.rowwise().sum();
  const Floats expected(result.data(), result.data() + result.size());
  const auto run = [=] {
    const simt::DeviceArray<float> in(x), out(x.size());
    kernels::softmax(out.data(), in.data(), Size::rows, Size::hidden, nullptr);
    return out.to_host();
  };
  // A rounded exponent makes its power wrong by as much as it is large.
  const double roundings = Size::hidden + 8 - double(shifted.minCoeff());
  return {"softmax", run, expected, slack_of(expected, roundings)};
}

KernelCase argmax_case(Random& random) {
  const Floats logits = floats(Size::rows * Size::vocabulary, random);
  const Eigen::Map<const Matrix> rows(logits.data(), Size::rows, Size::vocabulary);
  Floats expected;
  for (Index row = 0; row < Size::rows; ++row) {
    Eigen::Index best = 0;
    rows.row(row).maxCoeff(&best);
    expected.push_back(static_cast<float>(best));
  }
  const auto run = [=] {
    const simt::DeviceArray<float> in(logits);
    const simt::DeviceArray<std::int32_t> out(Size::rows);
    kernels::argmax(out.data(), in.data(), Size::rows, Size::vocabulary, nullptr);
    const Indices best = out.to_host();
    return Floats(best.begin(), best.end());
  };
  return {"argmax", run, expected, no_slack(expected)};
}

KernelCase gather_case(Random& random) {
  const Floats x = floats(kElements, random);
  Indices picked = shuffled<std::int32_t>(Size::rows, random);
  picked.resize(2);
  Floats expected(2 * Size::hidden);
  EigenOps().gather_rows(tensor(x, kRowsShape), tensor(picked, {2}),
                         tensor(expected, {2, Size::hidden}));
  const auto run = [=] {
    const simt::DeviceArray<float> in(x), out(2 * Size::hidden);
    const simt::DeviceArray<std::int32_t> rows(picked);
    kernels::gather_rows(out.data(), in.data(), rows.data(), 2, Size::hidden, nullptr);
    return out.to_host();
  };
  return {"gather_rows", run, expected, no_slack(expected)};
}

KernelCase copy_case(Random& random) {
  const Index blocks = 4, block = Size::block_size * Size::kv_heads * Size::head_dim;
  const Halves storage = halves(blocks * block, random);
  const Indices pairs = {0, 3, 2, 1};
  Halves copied = storage;
  EigenOps().copy_blocks(
      tensor(copied, {blocks * Size::block_size, Size::kv_heads, Size::head_dim}),
      tensor(pairs, {2, 2}), static_cast<int>(Size::block_size));
  const auto run = [=] {
    const simt::DeviceArray<BFloat16> stored(storage);
    const simt::DeviceArray<std::int32_t> of_blocks(pairs);
    kernels::copy_blocks(stored.data(), of_blocks.data(), 2, block * 2, nullptr);
    return widened(stored.to_host());
  };
  const Floats expected = widened(copied);
  return {"copy_blocks", run, expected, no_slack(expected)};
}

}  // namespace

std::vector<KernelCase> row_cases(std::uint64_t seed) {
  Random random = Random::of(seed, 1);
  std::vector<KernelCase> cases;
  for (const auto& make : {embed_case, norm_case, fused_norm_case, add_case, add_bias_case,
                           silu_mul_case, softmax_case, argmax_case, gather_case, copy_case}) {
    cases.push_back(make(random));
  }
  return cases;
}

}  // namespace quire
