#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/ops/oracle.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

class Linear : public OpsTest {
 protected:
  // Runs the operator on fresh random numbers and compares it with its oracle.
  void expect_right(Index rows, Index in, Index out, DType dtype) {
    const StoredAs stored(dtype);
    SCOPED_TRACE(testing::Message()
                 << rows << " x " << in << " -> " << out << ", " << name_of(dtype));
    TestRandom random(++salt_);
    const TestTensor x = random_tensor(random, {rows, in});
    const TestTensor weight = random_tensor(random, {out, in}, dtype);
    const DeviceTensor device_x(ops(), x.tensor()), y(ops(), {rows, out});
    ops().linear(device_x, prepared(ops(), weight), y);
    const auto inputs = numbers_of(x), weights = numbers_of(weight);
    const auto oracle = linear_oracle(inputs, weights, static_cast<std::size_t>(in), unit());
    EXPECT_TRUE(within_slack(y.floats(), oracle, {.invariant = "y = x times W transposed"}));
  }

 private:
  std::uint64_t salt_ = 0;
};

QUIRE_ON_ALL_OPS(Linear);

TEST_P(Linear, EveryNumberOfRowsIsTheProductWithinItsRoundings) {
  for (const Index rows : {1, 2, 3, 7, 8, 17, 63, 64, 65}) expect_right(rows, 48, 40, DType::f32);
}

TEST_P(Linear, EverySizeOfAWeightIsTheProductWithinItsRoundings) {
  for (const Index rows : {1, 5}) {
    for (const Index in : {1, 2, 31, 64, 257}) {
      for (const Index out : {1, 3, 63, 64, 65, 127, 128, 129, 200}) {
        expect_right(rows, in, out, DType::f32);
      }
    }
  }
}

TEST_P(Linear, WeightsAreReadAsStored) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (const Index rows : {1, 3, 16}) {
      expect_right(rows, 37, 130, dtype);
      expect_right(rows, 96, 64, dtype);
    }
  }
}

TEST_P(Linear, NoRowsAreNoWork) {
  TestRandom random;
  const DeviceTensor x(ops(), {0, 5}), y(ops(), {0, 3});
  ops().linear(x, prepared(ops(), random_tensor(random, {3, 5})), y);
  expect_bill(Operator::linear, {.flops = 0, .bytes_read = 3 * 5 * 4, .bytes_written = 0});
}

TEST_P(Linear, AWeightThatIsNotTransposedIsNoticed) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {2, 8}), weight = random_tensor(random, {8, 8});
  const DeviceTensor device_x(ops(), x.tensor()), y(ops(), {2, 8});
  ops().linear(device_x, prepared(ops(), weight), y);
  std::vector<double> transposed = numbers_of(weight);
  for (std::size_t i = 0; i < 64; ++i) transposed[i] = numbers_of(weight)[i % 8 * 8 + i / 8];
  const auto inputs = numbers_of(x);
  EXPECT_FALSE(within_slack(y.floats(), linear_oracle(inputs, transposed, 8, unit())));
}

TEST_P(Linear, OneWrongProductIsBeyondTheSlack) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {1, 64}), weight = random_tensor(random, {1, 64});
  const auto inputs = numbers_of(x), weights = numbers_of(weight);
  const Oracle oracle = linear_oracle(inputs, weights, 64, unit());
  const auto wrong = static_cast<float>(oracle.values[0] - inputs[63] * weights[63]);
  EXPECT_FALSE(within_slack(std::vector<float>{wrong}, oracle));
}

TEST_P(Linear, BillsTwoFlopsAProductAndEachTensorOnce) {
  TestRandom random;
  const DeviceTensor x(ops(), random_tensor(random, {3, 10}).tensor()), y(ops(), {3, 7});
  ops().linear(x, prepared(ops(), random_tensor(random, {7, 10}, DType::bf16)), y);
  expect_bill(Operator::linear,
              {.flops = 420, .bytes_read = 3 * 10 * 4 + 7 * 10 * 2, .bytes_written = 3 * 7 * 4});
}

TEST_P(Linear, WrongArgumentsAreNamed) {
  TestRandom random;
  const DeviceTensor x(ops(), {2, 4}), y(ops(), {2, 3}), integers(ops(), {2, 4}, DType::i32);
  const DeviceTensor halves(ops(), {2, 3}, DType::f16);
  const Weight weight = prepared(ops(), random_tensor(random, {3, 4}));
  expect_error([&] { ops().linear(integers, weight, y); }, {"linear", "x", "I32", "F32 [2, 4]"});
  expect_error(
      [&] {
        ops().linear(x, prepared(ops(), random_tensor(random, {3, 5})), y);
      },
      {"linear", "weight", "[3, 5]", "[3, 4]"});
  expect_error([&] { ops().linear(x, weight, x); }, {"linear", "out", "F32 [2, 4]", "F32 [2, 3]"});
  expect_error([&] { ops().linear(x, weight, halves); }, {"linear", "out", "F16", "F32 [2, 3]"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
