#include <Eigen/Core>

#include "chapters/06_cuda_kernels/kernel_case.h"
#include "chapters/06_cuda_kernels/made_up.h"
#include "kernels/attend/attend.h"
#include "kernels/simt/device_array.h"
#include "src/ops/eigen_ops.h"

namespace quire {
namespace {

using Size = MadeUpStep;

constexpr Index kBlocks = blocks_needed(Size::keys, Size::block_size);
constexpr float kScale = 0.125f;  // 1 / sqrt(64)

// The length of the longest head.
float longest(const Floats& heads) {
  using Matrix = Eigen::Matrix<float, Size::head_dim, Eigen::Dynamic>;
  const Index count = static_cast<Index>(heads.size()) / Size::head_dim;
  return Eigen::Map<const Matrix>(heads.data(), Size::head_dim, count).colwise().norm().maxCoeff();
}

// The last rows of a sequence whose blocks lie in no order.
struct Attention {
  explicit Attention(Random& random)
      : q(floats(Size::rows * Size::heads * Size::head_dim, random)),
        k(halves(kBlocks * Size::block_size * Size::kv_heads * Size::head_dim, random)),
        v(halves(static_cast<Index>(k.size()), random)),
        table(shuffled<std::int32_t>(kBlocks, random)) {}

  Floats by_eigen(const Floats& queries, const Halves& keys, const Halves& values) const {
    const Shape stored{kBlocks * Size::block_size, Size::kv_heads, Size::head_dim};
    const Shape rows{Size::rows, Size::heads, Size::head_dim};
    const Span span{.rows = static_cast<int>(Size::rows),
                    .context = static_cast<int>(Size::keys - Size::rows)};
    Floats out(queries.size());
    EigenOps().attend(tensor(queries, rows),
                      {.k = tensor(keys, stored),
                       .v = tensor(values, stored),
                       .block_size = static_cast<int>(Size::block_size),
                       .tables = tensor(table, {1, kBlocks}),
                       .spans = {&span, 1}},
                      {.scale = kScale}, tensor(out, rows));
    return out;
  }

  // A score is a sum of products, at most as large as the lengths of its vectors multiplied. Its error
  // makes a weight wrong by as much, above and below the line of the quotient. Weights are positive,
  // so their sum over the sizes of values says how wrong the result may be.
  Floats slack() const {
    const float largest = kScale * longest(q) * longest(widened(k));
    const double roundings = 2.0 * Size::head_dim * largest + Size::keys + 16;
    return slack_of(by_eigen(q, k, sizes_of(v)), roundings);
  }

  template <class Launch>
  Floats by_kernel(const Launch& launch) const {
    const simt::DeviceArray<float> queries(q), out(q.size());
    const simt::DeviceArray<BFloat16> keys(k), values(v);
    const simt::DeviceArray<std::int32_t> tables(table);
    std::vector<kernels::AttendRow> rows;
    for (Index row = 0; row < Size::rows; ++row) {
      rows.push_back({0, static_cast<std::int32_t>(Size::keys - Size::rows + row)});
    }
    const simt::DeviceArray<kernels::AttendRow> places(rows);
    launch({queries.data(),
            keys.data(),
            values.data(),
            tables.data(),
            places.data(),
            out.data(),
            {.rows = static_cast<int>(Size::rows),
             .heads = static_cast<int>(Size::heads),
             .kv_heads = static_cast<int>(Size::kv_heads),
             .head_dim = static_cast<int>(Size::head_dim),
             .block_size = static_cast<int>(Size::block_size),
             .table_width = kBlocks,
             .scale = kScale,
             .longest = static_cast<int>(Size::keys)}});
    return out.to_host();
  }

  Floats q;
  Halves k, v;
  std::vector<std::int32_t> table;
};

using Arguments = kernels::AttendArguments<BFloat16>;

void launch_scores(const Arguments& arguments) {
  const simt::DeviceArray<float> scores(kernels::scores_size(arguments.shape));
  kernels::attend_scores(arguments, scores.data(), nullptr);
}

void launch_online(const Arguments& arguments) {
  kernels::attend_online(arguments, nullptr);
}

void launch_split(const Arguments& arguments) {
  const simt::DeviceArray<float> partials(kernels::partials_size(arguments.shape));
  kernels::attend_split(arguments, partials.data(), nullptr);
}

}  // namespace

std::vector<KernelCase> attention_cases(std::uint64_t seed) {
  Random random = Random::of(seed, 3);
  const Attention step(random);
  const Floats expected = step.by_eigen(step.q, step.k, step.v), slack = step.slack();
  const auto make = [&](const char* name, void (*launch)(const Arguments&)) {
    return KernelCase{name, [=] { return step.by_kernel(launch); }, expected, slack};
  };
  return {make("attend v0, scores", launch_scores), make("attend v1, online", launch_online),
          make("attend v2, split", launch_split)};
}

std::vector<KernelCase> kernel_cases(std::uint64_t seed) {
  std::vector<KernelCase> all = row_cases(seed);
  for (const auto& more : {product_cases(seed), attention_cases(seed)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace quire
