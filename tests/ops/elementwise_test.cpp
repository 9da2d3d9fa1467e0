#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/ops/oracle.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

const std::vector<Shape> kShapes = {{1, 1},  {1, 7},  {3, 16},  {2, 63},
                                    {5, 64}, {7, 65}, {2, 257}, {0, 5}};

using SiluMul = OpsTest;
using Add = OpsTest;

QUIRE_ON_ALL_OPS(SiluMul);
QUIRE_ON_ALL_OPS(Add);

TEST_P(SiluMul, EveryShapeIsRightWithinItsRoundings) {
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    TestRandom random(i);
    const TestTensor gate = random_tensor(random, kShapes[i], DType::f32, 3);
    const TestTensor up = random_tensor(random, kShapes[i]);
    const DeviceTensor device_gate(ops(), gate.tensor()), device_up(ops(), up.tensor());
    const DeviceTensor out(ops(), kShapes[i]);
    ops().silu_mul(device_gate, device_up, out);
    const auto gates = numbers_of(gate), ups = numbers_of(up);
    EXPECT_TRUE(within_slack(out.floats(), silu_mul_oracle(gates, ups, unit())));
  }
}

TEST_P(SiluMul, LargeGatesOfEitherSignDoNotOverflow) {
  const std::vector<float> gate = {1e4f, 200, 89,  88,   20,    0,     -20,
                                   -87,  -88, -89, -200, -1e4f, 1e30f, -1e30f};
  const std::vector<double> gates(gate.begin(), gate.end()), ones(gate.size(), 1.0);
  const auto n = static_cast<Index>(gate.size());
  const DeviceTensor device_gate(ops(), {1, n}, DType::f32, gate);
  const DeviceTensor up(ops(), {1, n}, DType::f32, std::vector<float>(gate.size(), 1.0f));
  ops().silu_mul(device_gate, up, device_gate);
  EXPECT_TRUE(within_slack(device_gate.floats(), silu_mul_oracle(gates, ones, unit())));
}

TEST_P(SiluMul, MayWriteOverEitherArgument) {
  TestRandom random;
  const TestTensor gate = random_tensor(random, {3, 65}), up = random_tensor(random, {3, 65});
  const DeviceTensor a(ops(), gate.tensor()), b(ops(), up.tensor()), out(ops(), {3, 65});
  ops().silu_mul(a, b, out);
  ops().silu_mul(a, b, a);
  EXPECT_EQ(a.bytes(), out.bytes());
  const DeviceTensor again(ops(), gate.tensor());
  ops().silu_mul(again, b, b);
  EXPECT_EQ(b.bytes(), out.bytes());
}

TEST_P(SiluMul, ARowDependsOnThatRowAlone) {
  TestRandom random;
  const TestTensor gate = random_tensor(random, {9, 37}), up = random_tensor(random, {9, 37});
  const DeviceTensor gates(ops(), gate.tensor()), ups(ops(), up.tensor());
  const DeviceTensor together(ops(), {9, 37});
  ops().silu_mul(gates, ups, together);
  for (Index row = 0; row < 9; ++row) {
    const DeviceTensor g(ops(), gate.tensor().rows(row, 1)), u(ops(), up.tensor().rows(row, 1));
    const DeviceTensor alone(ops(), {1, 37});
    ops().silu_mul(g, u, alone);
    EXPECT_CLOSE(alone.floats(), floats_of(together.download().tensor().rows(row, 1)), 0,
                 {.invariant = "a row's gate depends on that row alone, bit for bit"});
  }
}

TEST_P(SiluMul, TheOtherActivationIsNoticed) {
  TestRandom random;
  const TestTensor gate = random_tensor(random, {1, 64});
  const DeviceTensor device_gate(ops(), gate.tensor()), out(ops(), {1, 64});
  const DeviceTensor up(ops(), {1, 64}, DType::f32, std::vector<float>(64, 1.0f));
  ops().silu_mul(device_gate, up, out);
  Oracle relu{.values = numbers_of(gate), .slack = std::vector<double>(64, 64 * unit())};
  for (double& x : relu.values) x = std::max(x, 0.0);
  EXPECT_FALSE(within_slack(out.floats(), relu));
}

TEST_P(SiluMul, BillsFourFlopsAnElement) {
  TestRandom random;
  const DeviceTensor x(ops(), random_tensor(random, {3, 10}).tensor()), out(ops(), {3, 10});
  ops().silu_mul(x, x, out);
  expect_bill(Operator::silu_mul, {.flops = 120, .bytes_read = 240, .bytes_written = 120});
}

TEST_P(SiluMul, WrongArgumentsAreNamed) {
  const DeviceTensor x(ops(), {2, 4}), narrow(ops(), {2, 3}), halves(ops(), {2, 4}, DType::f16);
  expect_error([&] { ops().silu_mul(narrow, x, x); },
               {"silu_mul", "gate", "F32 [2, 3]", "F32 [2, 4]"});
  expect_error([&] { ops().silu_mul(x, halves, x); }, {"silu_mul", "up", "F16 [2, 4]"});
  expect_error([&] { ops().silu_mul(x, x, halves); }, {"silu_mul", "out", "F16 [2, 4]"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

TEST_P(Add, EverySumIsRoundedOnce) {
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    TestRandom random(i);
    const TestTensor x = random_tensor(random, kShapes[i]), y = random_tensor(random, kShapes[i]);
    const DeviceTensor device_x(ops(), x.tensor()), out(ops(), y.tensor());
    ops().add(device_x, out);
    std::vector<float> sums;
    for (std::size_t j = 0; j < x.values<float>().size(); ++j) {
      // The double sum of two floats is exact enough that rounding it again is rounding once.
      sums.push_back(static_cast<float>(double{x.values<float>()[j]} + y.values<float>()[j]));
    }
    EXPECT_CLOSE(out.floats(), sums, 0);
  }
}

TEST_P(Add, BillsOneFlopAnElement) {
  TestRandom random;
  const DeviceTensor x(ops(), random_tensor(random, {3, 10}).tensor());
  const DeviceTensor out(ops(), random_tensor(random, {3, 10}).tensor());
  ops().add(x, out);
  expect_bill(Operator::add, {.flops = 30, .bytes_read = 240, .bytes_written = 120});
}

TEST_P(Add, WrongArgumentsAreNamed) {
  const DeviceTensor x(ops(), {2, 4}), narrow(ops(), {2, 3}), halves(ops(), {2, 4}, DType::f16);
  expect_error([&] { ops().add(narrow, x); }, {"add", "x", "F32 [2, 3]", "F32 [2, 4]"});
  expect_error([&] { ops().add(x, halves); }, {"add", "x", "F32 [2, 4]"});
  expect_error([&] { ops().add(halves, halves); }, {"add", "F16 [2, 4]"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
