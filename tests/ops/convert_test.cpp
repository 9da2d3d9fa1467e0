#include "src/ops/convert.h"

#include <gtest/gtest.h>

#include "tests/ops/device_tensor.h"
#include "tests/ops/oracle.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"
#include "tests/support/test_tensor.h"

namespace quire::test {
namespace {

TEST(Convert, NarrowingRoundsEachNumberToTheNearest) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    for (const double deviation : {1e-6, 1.0, 100.0}) {
      TestRandom random;
      const TestTensor x = random_tensor(random, {1000}, DType::f32, deviation);
      const TestTensor stored({1000}, dtype);
      narrow(x.values<float>(), stored);
      std::vector<double> expected;
      for (const float number : x.values<float>()) expected.push_back(stored_as(dtype, number));
      EXPECT_CLOSE(stored.tensor(), expected, 0) << name_of(dtype);
    }
  }
}

TEST(Convert, WideningGivesTheStoredNumbers) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    TestRandom random;
    const TestTensor stored = random_tensor(random, {7, 13}, dtype);
    std::vector<float> wide(7 * 13);
    widen(stored, wide);
    EXPECT_CLOSE(wide, numbers_of(stored), 0) << name_of(dtype);
  }
}

TEST(Convert, IntegersAreRefused) {
  const TestTensor integers({3}, DType::i32);
  std::vector<float> floats(3);
  expect_error([&] { widen(integers, floats); }, {"widen", "I32", "F32, F16 or BF16"});
  expect_error([&] { narrow(floats, integers); }, {"narrow", "I32", "F32, F16 or BF16"});
}

}  // namespace
}  // namespace quire::test
