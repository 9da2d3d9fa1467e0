#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

const std::vector<Shape> kShapes = {{1, 1},  {1, 7},  {3, 16},  {2, 63},
                                    {5, 64}, {7, 65}, {2, 257}, {0, 5}};

using AddBias = OpsTest;

QUIRE_ON_ALL_OPS(AddBias);

// Every row of x plus the bias, each sum rounded once.
std::vector<float> sums_of(const TestTensor& x, const TestTensor& bias) {
  std::vector<float> sums;
  const std::vector<double> numbers = numbers_of(x), biases = numbers_of(bias);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // The double sum of two floats is exact enough that rounding it again is rounding once.
    sums.push_back(static_cast<float>(numbers[i] + biases[i % biases.size()]));
  }
  return sums;
}

TEST_P(AddBias, EverySumIsRoundedOnce) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const StoredAs stored(dtype);
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
      TestRandom random(i);
      const TestTensor x = random_tensor(random, kShapes[i]);
      const TestTensor bias = random_tensor(random, {kShapes[i][1]}, dtype);
      const DeviceTensor out(ops(), x.tensor());
      ops().add_bias(prepared(ops(), bias), out);
      EXPECT_CLOSE(out.floats(), sums_of(x, bias), 0,
                   {.invariant = "a bias is read as stored and added to each row"});
    }
  }
}

TEST_P(AddBias, EveryRowGetsTheSameBias) {
  const std::vector<float> bias = {1, -2, 4}, zeros(6, 0.0f);
  const TestTensor stored({3});
  assign(stored, bias);
  const DeviceTensor out(ops(), {2, 3}, DType::f32, zeros);
  ops().add_bias(prepared(ops(), stored), out);
  EXPECT_EQ(out.floats(), (std::vector<float>{1, -2, 4, 1, -2, 4}));
}

TEST_P(AddBias, ABiasThatIsOneElementOffIsNoticed) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {3, 16}), bias = random_tensor(random, {16});
  const TestTensor shifted({16});
  for (std::size_t i = 0; i < 16; ++i) {
    shifted.values<float>()[i] = bias.values<float>()[(i + 1) % 16];
  }
  const DeviceTensor out(ops(), x.tensor());
  ops().add_bias(prepared(ops(), bias), out);
  EXPECT_GT(normalised_error(out.floats(), sums_of(x, shifted)), 0.01);
}

TEST_P(AddBias, BillsOneFlopAnElementAndReadsTheBiasOnce) {
  TestRandom random;
  const DeviceTensor out(ops(), random_tensor(random, {3, 10}).tensor());
  ops().add_bias(prepared(ops(), random_tensor(random, {10}, DType::bf16)), out);
  expect_bill(Operator::add_bias, {.flops = 30, .bytes_read = 120 + 10 * 2, .bytes_written = 120});
}

TEST_P(AddBias, WrongArgumentsAreNamed) {
  TestRandom random;
  const DeviceTensor out(ops(), {2, 4}), halves(ops(), {2, 4}, DType::f16);
  const Weight bias = prepared(ops(), random_tensor(random, {4}));
  const Weight narrow = prepared(ops(), random_tensor(random, {3}));
  expect_error([&] { ops().add_bias(narrow, out); }, {"add_bias", "bias", "[3]", "[4]"});
  expect_error([&] { ops().add_bias(bias, halves); },
               {"add_bias", "out", "F16 [2, 4]", "F32 [2, 4]"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
