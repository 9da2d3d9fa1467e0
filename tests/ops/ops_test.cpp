#include "tests/ops/ops_test.h"

#include "src/ops/eigen_ops.h"
#include "src/simd/simd_ops.h"

namespace quire::test {
namespace {

template <class Implementation>
OpsUnderTest under_test(const std::string& name, int threads) {
  return {
      .name = name + std::to_string(threads),
      .make = [threads] { return std::make_unique<Implementation>(threads); },
      .compared = {.implementation = std::string(Implementation(1).name()),
                   .variant = std::to_string(threads) + (threads == 1 ? " thread" : " threads")}};
}

}  // namespace

std::vector<OpsUnderTest> all_ops() {
  return {under_test<EigenOps>("eigen", 1), under_test<EigenOps>("eigen", 3),
          under_test<SimdOps>("simd", 1), under_test<SimdOps>("simd", 3)};
}

void OpsTest::expect_bill(Operator op, const Work& expected) {
  const Work& work = ops().counters().of(op);
  EXPECT_EQ(work.flops, expected.flops) << name_of(op);
  EXPECT_EQ(work.bytes_read, expected.bytes_read) << name_of(op);
  EXPECT_EQ(work.bytes_written, expected.bytes_written) << name_of(op);
}

}  // namespace quire::test
