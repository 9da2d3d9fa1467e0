// What comparison_log_test.cpp runs: tests of operators that do not exist.
#include <gtest/gtest.h>

#include "tests/support/close.h"
#include "tests/support/comparison_log.h"

namespace quire::test {
namespace {

const std::vector<double> kOne = {1}, kTwo = {1, 2}, kThree = {3}, kNearOne = {1.25};

class AddBias : public testing::Test {
 protected:
  AddBias() { comparing({.implementation = "abacus", .variant = "2 hands"}); }
};

TEST_F(AddBias, Passes) {
  EXPECT_CLOSE(kNearOne, kOne, 0.5);
  EXPECT_CLOSE(kOne, kOne, 0);
  const StoredAs stored(DType::bf16);
  EXPECT_CLOSE(kNearOne, kOne, 1.0);
}

TEST_F(AddBias, NoticesAMistake) {
  EXPECT_FALSE(close(kThree, kOne, 0.5));
}

TEST_F(AddBias, Fails) {
  EXPECT_CLOSE(kThree, kOne, 0.5);
}

TEST_F(AddBias, IsSkipped) {
  GTEST_SKIP() << "there is no abacus";
}

TEST(Version, IsPartOfWhatIsCompared) {
  comparing({.implementation = "abacus", .variant = "2 hands", .version = "v1"});
  EXPECT_CLOSE(kOne, kTwo, 9.0);
}

TEST(Linear, IsComparedInTwoWays) {
  comparing({.implementation = "abacus", .variant = "1 hand"});
  EXPECT_CLOSE(kOne, kOne, 0);
  comparing({.implementation = "abacus", .variant = "2 hands"});
  EXPECT_CLOSE(kNearOne, kOne, 0.5);
}

TEST(NothingSaid, IsNotNoted) {
  EXPECT_CLOSE(kOne, kOne, 0);
}

}  // namespace
}  // namespace quire::test
