#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/ops/oracle.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr float kEpsilon = 1e-5f;

class RmsNorm : public OpsTest {
 protected:
  // Numbers, their gain, and what the operator makes of them.
  struct Normed {
    std::vector<double> x, gain;
    std::vector<float> y;
  };

  Normed run(Index rows, Index n, DType dtype = DType::f32, double deviation = 1) {
    TestRandom random(++salt_);
    const TestTensor x = random_tensor(random, {rows, n}, DType::f32, deviation);
    const TestTensor gain = random_tensor(random, {n}, dtype);
    const DeviceTensor device_x(ops(), x.tensor()), y(ops(), {rows, n});
    ops().rms_norm(device_x, prepared(ops(), gain), kEpsilon, y);
    return {numbers_of(x), numbers_of(gain), y.floats()};
  }

  void expect_right(const Normed& normed) {
    EXPECT_TRUE(within_slack(normed.y, rms_norm_oracle(normed.x, normed.gain, kEpsilon, unit())))
        << normed.gain.size() << " elements a row";
  }

 private:
  std::uint64_t salt_ = 0;
};

QUIRE_ON_ALL_OPS(RmsNorm);

TEST_P(RmsNorm, EveryShapeIsNormalisedWithinItsRoundings) {
  for (const Index rows : {1, 2, 7, 65}) {
    for (const Index n : {1, 2, 3, 31, 63, 64, 65, 257, 1024}) expect_right(run(rows, n));
  }
}

TEST_P(RmsNorm, GainsAreReadAsStored) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    const StoredAs stored(dtype);
    expect_right(run(5, 67, dtype));
  }
}

TEST_P(RmsNorm, EpsilonCountsWhereARowIsTiny) {
  const Normed normed = run(3, 64, DType::f32, 1e-3);
  expect_right(normed);
  EXPECT_FALSE(within_slack(normed.y, rms_norm_oracle(normed.x, normed.gain, 0, unit())));
}

TEST_P(RmsNorm, ARowOfZerosStaysZero) {
  TestRandom random;
  const std::vector<float> zeros(64, 0.0f);
  const DeviceTensor x(ops(), {1, 64}, DType::f32, zeros), y(ops(), {1, 64});
  ops().rms_norm(x, prepared(ops(), random_tensor(random, {64})), kEpsilon, y);
  EXPECT_CLOSE(y.floats(), zeros, 0);
}

TEST_P(RmsNorm, MayWorkInPlace) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {3, 65}), gain = random_tensor(random, {65});
  const DeviceTensor device_x(ops(), x.tensor()), y(ops(), {3, 65});
  const Weight weight = prepared(ops(), gain);
  ops().rms_norm(device_x, weight, kEpsilon, y);
  ops().rms_norm(device_x, weight, kEpsilon, device_x);
  EXPECT_EQ(device_x.bytes(), y.bytes());
}

TEST_P(RmsNorm, ARowDependsOnThatRowAlone) {
  TestRandom random;
  const TestTensor x = random_tensor(random, {5, 37}), gain = random_tensor(random, {37});
  const Weight weight = prepared(ops(), gain);
  const DeviceTensor all(ops(), x.tensor()), together(ops(), {5, 37});
  ops().rms_norm(all, weight, kEpsilon, together);
  for (Index row = 0; row < 5; ++row) {
    const DeviceTensor one(ops(), x.tensor().rows(row, 1)), alone(ops(), {1, 37});
    ops().rms_norm(one, weight, kEpsilon, alone);
    EXPECT_CLOSE(alone.floats(), floats_of(together.download().tensor().rows(row, 1)), 0);
  }
}

TEST_P(RmsNorm, NormalisingByTheSumInsteadOfTheMeanIsNoticed) {
  const Normed normed = run(1, 64);
  Oracle wrong = rms_norm_oracle(normed.x, normed.gain, kEpsilon, unit());
  for (double& value : wrong.values) value /= 8;
  EXPECT_FALSE(within_slack(normed.y, wrong));
}

TEST_P(RmsNorm, NoRowsAreWrittenWhereThereAreNone) {
  TestRandom random;
  const DeviceTensor x(ops(), {0, 8}), y(ops(), {0, 8});
  ops().rms_norm(x, prepared(ops(), random_tensor(random, {8})), kEpsilon, y);
  expect_bill(Operator::rms_norm, {.flops = 0, .bytes_read = 8 * 4, .bytes_written = 0});
}

TEST_P(RmsNorm, BillsFourFlopsAnElement) {
  run(3, 10, DType::bf16);
  expect_bill(Operator::rms_norm,
              {.flops = 120, .bytes_read = 3 * 10 * 4 + 10 * 2, .bytes_written = 3 * 10 * 4});
}

TEST_P(RmsNorm, WrongArgumentsAreNamed) {
  TestRandom random;
  const DeviceTensor x(ops(), {2, 4}), narrow(ops(), {2, 3}), halves(ops(), {2, 4}, DType::f16);
  const Weight gain = prepared(ops(), random_tensor(random, {4}));
  expect_error([&] { ops().rms_norm(narrow, gain, kEpsilon, x); },
               {"rms_norm", "x", "F32 [2, 3]", "F32 [2, 4]"});
  expect_error([&] { ops().rms_norm(halves, gain, kEpsilon, x); }, {"rms_norm", "x", "F16"});
  expect_error([&] { ops().rms_norm(x, gain, kEpsilon, halves); }, {"rms_norm", "out", "F16"});
  expect_error([&] { ops().rms_norm(narrow, gain, kEpsilon, narrow); },
               {"rms_norm", "gain", "[4]", "[3]"});
  expect_error([&] { ops().rms_norm(x, gain, 0, x); }, {"rms_norm", "epsilon", "0"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
