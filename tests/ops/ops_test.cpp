#include "tests/ops/ops_test.h"

#include "src/ops/eigen_ops.h"

namespace quire::test {
namespace {

OpsUnderTest eigen(int threads) {
  return {.name = "eigen" + std::to_string(threads),
          .make = [threads] { return std::make_unique<EigenOps>(threads); }};
}

}  // namespace

std::vector<OpsUnderTest> all_ops() {
  return {eigen(1), eigen(3)};
}

void OpsTest::expect_bill(Operator op, const Work& expected) {
  const Work& work = ops().counters().of(op);
  EXPECT_EQ(work.flops, expected.flops) << name_of(op);
  EXPECT_EQ(work.bytes_read, expected.bytes_read) << name_of(op);
  EXPECT_EQ(work.bytes_written, expected.bytes_written) << name_of(op);
}

}  // namespace quire::test
