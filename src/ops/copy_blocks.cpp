#include "src/core/error.h"
#include "src/ops/check.h"
#include "src/ops/ops.h"

namespace quire {

void Ops::copy_blocks(Tensor storage, ConstTensor pairs, int block_size) {
  require(block_size > 0, "copy_blocks: block_size is {}, expected at least 1", block_size);
  check_stored(Operator::copy_blocks, "storage", storage, storage.shape());
  check_argument(Operator::copy_blocks, "pairs", pairs, DType::i32, {pairs.size() / 2, 2});
  do_copy_blocks(storage, pairs, block_size);
  const std::uint64_t block =
      count(block_size * storage.shape().row_size()) * size_of(storage.dtype());
  const std::uint64_t copied = count(pairs.extent(0)) * block;
  counters_.add(Operator::copy_blocks,
                {.flops = 0, .bytes_read = pairs.byte_count() + copied, .bytes_written = copied});
}

}  // namespace quire
