#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

class AttendRefusals : public OpsTest {
 protected:
  AttendRefusals()
      : q(ops(), {3, 4, 8}),
        out(ops(), {3, 4, 8}),
        pool(ops(), {10, 2, 8}),
        tables(ops(), {2, 2}, DType::i32),
        spans{{.sequence = {}, .first_row = 0, .rows = 2, .context = 0},
              {.sequence = {}, .first_row = 2, .rows = 1, .context = 4}},
        view{pool, pool, 4, tables, spans} {}

  void refused(const KvView& wrong, std::initializer_list<std::string_view> parts) {
    expect_error([&] { ops().attend(q, wrong, {}, out); }, parts);
    EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
  }

  DeviceTensor q, out, pool, tables;
  std::vector<Span> spans;
  KvView view;
};

QUIRE_ON_ALL_OPS(AttendRefusals);

TEST_P(AttendRefusals, HeadsThatDoNotShareEvenly) {
  const DeviceTensor four(ops(), {10, 4, 8}), six(ops(), {3, 6, 8}), result(ops(), {3, 6, 8});
  view.k = view.v = four;
  expect_error([&] { ops().attend(six, view, {}, result); }, {"attend", "6", "4", "evenly"});
  const DeviceTensor none(ops(), {10, 0, 8});
  view.k = view.v = none;
  refused(view, {"attend", "0 KV heads"});
}

TEST_P(AttendRefusals, TensorsOfTheWrongShape) {
  const DeviceTensor flat(ops(), {10, 16}), narrow(ops(), {10, 2, 6}), fewer(ops(), {9, 2, 8});
  view.k = flat;
  refused(view, {"attend", "k is [10, 16]", "[slots, kv_heads, head_dim]"});
  view.k = narrow;
  refused(view, {"attend", "k", "[10, 2, 6]", "[10, 2, 8]"});
  view.k = pool;
  view.v = fewer;
  refused(view, {"attend", "v", "[9, 2, 8]", "[10, 2, 8]"});
  view.v = pool;
  expect_error([&] { ops().attend(q, view, {}, narrow); }, {"attend", "out", "[3, 4, 8]"});
}

TEST_P(AttendRefusals, TensorsOfTheWrongType) {
  const DeviceTensor halves(ops(), {10, 2, 8}, DType::f16), q16(ops(), {3, 4, 8}, DType::f16);
  const DeviceTensor integers(ops(), {10, 2, 8}, DType::i32), ids64(ops(), {2, 2}, DType::i64);
  view.v = halves;
  refused(view, {"attend", "v", "F16", "F32"});
  view.k = view.v = integers;
  refused(view, {"attend", "k", "I32", "F32, F16 or BF16"});
  view.k = view.v = pool;
  view.tables = ids64;
  refused(view, {"attend", "tables", "I64", "I32"});
  view.tables = tables;
  expect_error([&] { ops().attend(q16, view, {}, out); }, {"attend", "q", "F16", "F32"});
}

TEST_P(AttendRefusals, TablesThatAreNotOneForEachSpan) {
  const DeviceTensor one(ops(), {1, 2}, DType::i32);
  view.tables = one;
  refused(view, {"attend", "tables", "[1, 2]", "[2, 2]"});
}

TEST_P(AttendRefusals, TablesThatAreTooShortForASpan) {
  spans[1].context = 8;
  refused(view, {"attend", "tables are 2 blocks wide", "needs 3"});
}

TEST_P(AttendRefusals, SpansThatDoNotCoverTheRowsInOrder) {
  spans[1].first_row = 1;
  refused(view, {"attend", "row 1", "expected 2"});
  spans[1].first_row = 2;
  spans[1].rows = 2;
  refused(view, {"attend", "4 rows", "q has 3"});
  spans[1].rows = 1;
  spans[0].rows = -1;
  refused(view, {"attend", "-1 rows"});
}

TEST_P(AttendRefusals, NumbersThatMakeNoSense) {
  spans[0].context = -1;
  refused(view, {"attend", "-1"});
  spans[0].context = 0;
  view.block_size = 0;
  refused(view, {"attend", "block_size is 0", "at least 1"});
  view.block_size = 4;
  expect_error([&] { ops().attend(q, view, {.scale = 1, .window = -1}, out); },
               {"attend", "window is -1"});
}

}  // namespace
}  // namespace quire::test
