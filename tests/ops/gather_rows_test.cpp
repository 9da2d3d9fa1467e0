#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using GatherRows = OpsTest;

QUIRE_ON_ALL_OPS(GatherRows);

TEST_P(GatherRows, EachRowIsTheOnePicked) {
  const std::vector<std::int32_t> rows = {6, 0, 3, 3};
  for (const Index width : {1, 63, 64, 65}) {
    TestRandom random(static_cast<std::uint64_t>(width));
    const TestTensor x = random_tensor(random, {7, width});
    const DeviceTensor device_x(ops(), x.tensor()), out(ops(), {4, width});
    ops().gather_rows(device_x, *device_ids(ops(), rows), out);
    for (Index i = 0; i < 4; ++i) {
      EXPECT_CLOSE(floats_of(out.download().tensor().rows(i, 1)),
                   floats_of(x.tensor().rows(rows[static_cast<std::size_t>(i)], 1)), 0);
    }
  }
}

TEST_P(GatherRows, RowsThatAreNotPickedAreNotRead) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {3, 5});
  poison(x.tensor().rows(0, 1));
  poison(x.tensor().rows(2, 1));
  const DeviceTensor device_x(ops(), x.tensor()), out(ops(), {1, 5});
  ops().gather_rows(device_x, *device_ids(ops(), {1}), out);
  EXPECT_CLOSE(out.floats(), floats_of(x.tensor().rows(1, 1)), 0);
}

TEST_P(GatherRows, NothingMayBePickedOutOfSomethingOrNothing) {
  for (const Index rows : {0, 3}) {
    const DeviceTensor x(ops(), {rows, 5}), out(ops(), {0, 5});
    ops().gather_rows(x, *device_ids(ops(), {}), out);
  }
  EXPECT_EQ(ops().counters(), Counters());
}

TEST_P(GatherRows, BillsIdsAndTheRowsPicked) {
  TestRandom random;
  const DeviceTensor x(ops(), random_tensor(random, {7, 10}).tensor()), out(ops(), {2, 10});
  ops().gather_rows(x, *device_ids(ops(), {1, 4}), out);
  expect_bill(Operator::gather_rows,
              {.flops = 0, .bytes_read = 2 * 4 + 2 * 10 * 4, .bytes_written = 2 * 10 * 4});
}

TEST_P(GatherRows, WrongArgumentsAreNamed) {
  const DeviceTensor x(ops(), {3, 5}), halves(ops(), {3, 5}, DType::f16), out(ops(), {2, 5});
  const DeviceTensor wide(ops(), {2, 6}), ids64(ops(), {2}, DType::i64);
  const auto rows = device_ids(ops(), {0, 1});
  expect_error([&] { ops().gather_rows(halves, *rows, out); }, {"gather_rows", "x", "F16", "F32"});
  expect_error([&] { ops().gather_rows(x, ids64, out); },
               {"gather_rows", "rows", "I64", "I32 [2]"});
  expect_error([&] { ops().gather_rows(x, *rows, wide); },
               {"gather_rows", "out", "F32 [2, 6]", "F32 [2, 5]"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
