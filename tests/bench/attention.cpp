#include "tests/bench/attention.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "src/core/random.h"

namespace quire::bench {
namespace {

Buffer random_floats(Ops& ops, Random& random, Shape shape) {
  std::vector<float> numbers(static_cast<std::size_t>(shape.size()));
  for (float& number : numbers) number = static_cast<float>(random.uniform()) - 0.5f;
  Buffer buffer = ops.allocate(numbers.size() * sizeof(float));
  ops.upload(numbers.data(), buffer.tensor(DType::f32, shape));
  return buffer;
}

// All blocks, none where it was (Fisher-Yates).
std::vector<BlockId> scattered(Random& random, int blocks) {
  std::vector<BlockId> table;
  for (int i = 0; i < blocks; ++i) table.push_back(BlockId{i});
  for (std::size_t i = table.size() - 1; i > 0; --i) {
    std::swap(table[i], table[random.below(i + 1)]);
  }
  return table;
}

}  // namespace

AttentionStep::AttentionStep(Ops& ops, int keys, int block_size)
    : ops_(ops), keys_(keys), block_size_(block_size) {
  Random random(2);
  span_ = {.sequence = SequenceId{0}, .first_row = 0, .rows = 1, .context = keys - 1};
  k_ = random_floats(ops, random, {keys, kKvHeads, kHeadDim});
  v_ = random_floats(ops, random, {keys, kKvHeads, kHeadDim});
  q_ = random_floats(ops, random, {1, kKvHeads * kGroup, kHeadDim});
  out_ = random_floats(ops, random, {1, kKvHeads * kGroup, kHeadDim});
  const std::vector<BlockId> blocks = scattered(random, keys / block_size);
  table_ = ops.allocate(blocks.size() * sizeof(BlockId));
  ops.upload(blocks.data(), table_.tensor(DType::i32, {1, static_cast<Index>(blocks.size())}));
}

void AttentionStep::run() {
  const Shape stored{keys_, kKvHeads, kHeadDim}, row{1, kKvHeads * kGroup, kHeadDim};
  const KvView view{.k = k_.tensor(DType::f32, stored),
                    .v = v_.tensor(DType::f32, stored),
                    .block_size = block_size_,
                    .tables = table_.tensor(DType::i32, {1, keys_ / block_size_}),
                    .spans = {&span_, 1}};
  ops_.attend(q_.tensor(DType::f32, row), view,
              {.scale = 1 / std::sqrt(static_cast<float>(kHeadDim))}, out_.tensor(DType::f32, row));
}

std::uint64_t AttentionStep::bytes() const {
  return std::uint64_t{2} * sizeof(float) * kKvHeads * kHeadDim * static_cast<std::uint64_t>(keys_);
}

}  // namespace quire::bench
