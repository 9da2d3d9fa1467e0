#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using CopyBlocks = OpsTest;

QUIRE_ON_ALL_OPS(CopyBlocks);

std::shared_ptr<DeviceTensor> pairs_of(Ops& ops, const std::vector<std::int32_t>& ids) {
  const auto flat = device_ids(ops, ids);
  const auto pairs =
      std::make_shared<DeviceTensor>(ops, Shape{static_cast<Index>(ids.size() / 2), 2}, DType::i32);
  ops.upload(ids.data(), *pairs);
  return pairs;
}

TEST_P(CopyBlocks, ABlockBecomesAnotherAndTheRestStays) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    const StoredAs stored(dtype);
    for (const Index block_size : {1, 3, 16}) {
      TestRandom random(static_cast<std::uint64_t>(block_size));
      const TestTensor before = random_tensor(random, {5 * block_size, 2, 3}, dtype);
      const DeviceTensor storage(ops(), before.tensor());
      ops().copy_blocks(storage, *pairs_of(ops(), {4, 1}), static_cast<int>(block_size));
      const TestTensor after = storage.download();
      for (const Index block : {0, 1, 2, 3, 4}) {
        const Index expected = block == 1 ? 4 : block;
        EXPECT_CLOSE(floats_of(after.tensor().rows(block * block_size, block_size)),
                     floats_of(before.tensor().rows(expected * block_size, block_size)), 0);
      }
    }
  }
}

TEST_P(CopyBlocks, PairsAreCopiedOneAfterTheOther) {
  TestRandom random;
  const TestTensor before = random_tensor(random, {3, 1, 2});
  const DeviceTensor storage(ops(), before.tensor());
  ops().copy_blocks(storage, *pairs_of(ops(), {0, 1, 1, 2}), 1);
  for (const Index block : {0, 1, 2}) {
    EXPECT_CLOSE(floats_of(storage.download().tensor().rows(block, 1)),
                 floats_of(before.tensor().rows(0, 1)), 0);
  }
}

TEST_P(CopyBlocks, BillsIdsAndBlocks) {
  TestRandom random;
  const DeviceTensor storage(ops(), random_tensor(random, {12, 2, 3}, DType::bf16).tensor());
  ops().copy_blocks(storage, *pairs_of(ops(), {0, 1, 0, 2}), 4);
  expect_bill(
      Operator::copy_blocks,
      {.flops = 0, .bytes_read = 2 * 2 * 4 + 2 * 4 * 6 * 2, .bytes_written = 2 * 4 * 6 * 2});
}

TEST_P(CopyBlocks, WrongArgumentsAreNamed) {
  const DeviceTensor storage(ops(), {4, 1, 2}), ids(ops(), {3}, DType::i32);
  expect_error([&] { ops().copy_blocks(storage, ids, 1); },
               {"copy_blocks", "pairs", "I32 [3]", "I32 [1, 2]"});
  expect_error(
      [&] {
        ops().copy_blocks(storage, *pairs_of(ops(), {0, 1}), 0);
      },
      {"copy_blocks", "block_size is 0"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
