#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using Embed = OpsTest;

QUIRE_ON_ALL_OPS(Embed);

TEST_P(Embed, EachRowIsTheTokensRowOfTheTableExactly) {
  const std::vector<std::int32_t> tokens = {0, 96, 5, 5, 95};
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const StoredAs stored(dtype);
    for (const Index hidden : {1, 7, 64, 65}) {
      TestRandom random(static_cast<std::uint64_t>(hidden));
      const TestTensor table = random_tensor(random, {97, hidden}, dtype);
      const DeviceTensor out(ops(), {5, hidden});
      ops().embed(prepared(ops(), table), *device_ids(ops(), tokens), out);
      for (Index row = 0; row < 5; ++row) {
        const Index token = tokens[static_cast<std::size_t>(row)];
        EXPECT_CLOSE(floats_of(out.download().tensor().rows(row, 1)),
                     floats_of(table.tensor().rows(token, 1)), 0);
      }
    }
  }
}

TEST_P(Embed, NoTokensAreNoWork) {
  TestRandom random;
  const DeviceTensor out(ops(), {0, 4});
  ops().embed(prepared(ops(), random_tensor(random, {9, 4})), *device_ids(ops(), {}), out);
  EXPECT_EQ(ops().counters(), Counters());
}

TEST_P(Embed, BillsTheRowsItReadsNotTheTable) {
  TestRandom random;
  const DeviceTensor out(ops(), {3, 10});
  const Weight table = prepared(ops(), random_tensor(random, {100, 10}, DType::bf16));
  ops().embed(table, *device_ids(ops(), {1, 2, 3}), out);
  expect_bill(Operator::embed,
              {.flops = 0, .bytes_read = 3 * 4 + 3 * 10 * 2, .bytes_written = 3 * 10 * 4});
}

TEST_P(Embed, WrongArgumentsAreNamed) {
  TestRandom random;
  const Weight table = prepared(ops(), random_tensor(random, {9, 4}));
  const Weight rank_one = prepared(ops(), random_tensor(random, {9}));
  const DeviceTensor out(ops(), {2, 4}), narrow(ops(), {2, 3}), ids64(ops(), {2}, DType::i64);
  const auto tokens = device_ids(ops(), {1, 2});
  expect_error([&] { ops().embed(table, *tokens, narrow); },
               {"embed", "out", "F32 [2, 3]", "F32 [2, 4]"});
  expect_error([&] { ops().embed(table, ids64, out); }, {"embed", "tokens", "I64", "I32 [2]"});
  expect_error([&] { ops().embed(rank_one, *tokens, out); }, {"embed", "table", "[9]"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
