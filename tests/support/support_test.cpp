#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "tests/support/close.h"
#include "tests/support/shell.h"
#include "tests/support/test_random.h"
#include "tests/support/test_tensor.h"

namespace quire::test {
namespace {

TEST(Close, MeasuresByTheRowAndFindsTheWorstElement) {
  const std::vector<double> expected = {1, 100, 0.1, 0.2};
  const std::vector<double> yours = {1.5, 100, 0.1, 0.3};
  const Difference worst = worst_difference(Values(yours, 2), Values(expected, 2));
  EXPECT_EQ(worst.row, 1u);
  EXPECT_EQ(worst.element, 1u);
  EXPECT_NEAR(worst.error, 0.5, 1e-12);
}

TEST(Close, NoNumberIsCloseToNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(normalised_error(std::vector{nan, 1.0}, std::vector{1.0, 1.0})));
  EXPECT_TRUE(std::isinf(normalised_error(std::vector{0.0}, std::vector{nan})));
  EXPECT_EQ(normalised_error(std::vector{nan}, std::vector{nan}), 0);
}

TEST(Close, OnlyZerosAreCloseToZeros) {
  EXPECT_EQ(normalised_error(std::vector{0.0, -0.0}, std::vector{0.0, 0.0}), 0);
  EXPECT_TRUE(std::isinf(normalised_error(std::vector{1e-9}, std::vector{0.0})));
}

TEST(Close, ShowsYoursExpectedInvariantAndSection) {
  const std::vector<float> yours = {1, 2}, expected = {1, 4};
  const auto result =
      close(yours, expected, 0.1, {.invariant = "two and two", .section = "02#sums"});
  ASSERT_FALSE(result);
  const std::string message = result.message();
  for (const char* part : {"yours      2", "expected   4", "row 0, element 1", "error      0.5",
                           "invariant  two and two", "section    02#sums"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in\n" << message;
  }
}

TEST(Close, TheMacroFailsTheTestAndTakesAFact) {
  EXPECT_CLOSE(std::vector<float>{1}, std::vector<float>{1.0001f}, 1e-3);
  EXPECT_NONFATAL_FAILURE(
      EXPECT_CLOSE(std::vector<float>{1}, std::vector<float>{2}, 0.1, {.invariant = "equal"}),
      "equal");
  EXPECT_NONFATAL_FAILURE(EXPECT_CLOSE(std::vector<float>{}, std::vector<float>{2}, 9.0),
                          "0 numbers");
}

TEST(TestTensor, BeginsPoisoned) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const TestTensor tensor({3, 5}, dtype);
    for (const double x : Values(tensor.tensor()).numbers()) EXPECT_TRUE(std::isnan(x));
  }
  EXPECT_EQ(TestTensor({1}, DType::i32).values<std::int32_t>()[0], -1);
}

TEST(TestTensor, NoticesAWriteOnEitherSide) {
  for (const int offset : {-1, 6}) {
    TestTensor tensor({2, 3});
    EXPECT_TRUE(tensor.intact());
    *(tensor.values<float>().data() + offset) = 0;
    EXPECT_FALSE(tensor.intact());
    tensor.repair();
  }
}

TEST(TestTensor, AddsAFailureAtTheEndOfItsLife) {
  EXPECT_NONFATAL_FAILURE(
      {
        const TestTensor tensor({2, 3});
        *(tensor.values<float>().data() - 1) = 0;
      },
      "outside a F32 tensor of [2, 3]");
}

TEST(TestTensor, MovesWithItsGuardBands) {
  TestTensor first({4});
  const TestTensor second = std::move(first);
  EXPECT_TRUE(second.intact());
}

TEST(Shell, CatchesBothStreamsAndTheStatus) {
  const Result result = shell("echo one; echo two >&2; exit 3");
  EXPECT_EQ(result.output, "one\ntwo\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(shell("kill -9 $$").status, -1);
}

TEST(Shell, MeasuresTheMemoryOfACommandAndOfNoneBefore) {
  const Result large = shell("head -c 200000000 /dev/zero | tail -c 200000000 | wc -c");
  EXPECT_GT(large.peak_bytes, 190'000'000u);
  EXPECT_LT(shell("true").peak_bytes, large.peak_bytes);
}

TEST(TestRandom, IsTheSameAgainAndDifferentElsewhere) {
  EXPECT_EQ(TestRandom().bits(), TestRandom().bits());
  EXPECT_NE(TestRandom(0).bits(), TestRandom(1).bits());
}

TEST(TestRandom, PrintsItsSeedWithEveryFailure) {
  TestRandom random;
  EXPECT_NONFATAL_FAILURE(ADD_FAILURE() << random.seed(), "QUIRE_TEST_SEED");
}

TEST(RandomTensor, HasTheDeviationAskedFor) {
  TestRandom random;
  const TestTensor tensor = random_tensor(random, {100, 100}, DType::f32, 3);
  double squares = 0;
  for (const double x : Values(tensor.tensor()).numbers()) squares += x * x;
  EXPECT_NEAR(std::sqrt(squares / 1e4), 3, 0.15);
}

}  // namespace
}  // namespace quire::test
