#include "tests/ops/ops_test.h"

#include "kernels/module.h"
#include "kernels/ops/kernel_ops.h"
#include "src/core/error.h"
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

OpsUnderTest emulated(simt::Order order, std::uint64_t seed, const std::string& name,
                      const std::string& variant) {
  const auto make = [order, seed] {
    simt::set_order(order, seed);
    return std::make_unique<KernelOps>("emulated");
  };
  return {.name = "emulated" + name,
          .make = make,
          .compared = {.implementation = "emulated", .variant = variant}};
}

// Asked only by its tests: the module takes its time to load.
const std::string& why_no_gpu() {
  static const std::string why = [] {
    try {
      load_kernel_ops(KernelBackend::gpu);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  }();
  return why;
}

// A fixture may want operators before its test is skipped: then it gets others.
std::unique_ptr<Ops> gpu_or_others() {
  if (!why_no_gpu().empty()) return std::make_unique<EigenOps>();
  return load_kernel_ops(KernelBackend::gpu);
}

}  // namespace

std::vector<OpsUnderTest> all_ops() {
  return {under_test<EigenOps>("eigen", 1),
          under_test<EigenOps>("eigen", 3),
          under_test<SimdOps>("simd", 1),
          under_test<SimdOps>("simd", 3),
          emulated(simt::Order::ascending, 0, "Ascending", "ascending"),
          emulated(simt::Order::descending, 0, "Descending", "descending"),
          emulated(simt::Order::shuffled, 1, "Shuffled1", "shuffled:1"),
          emulated(simt::Order::shuffled, 2, "Shuffled2", "shuffled:2"),
          {.name = "gpu",
           .make = gpu_or_others,
           .compared = {.implementation = "gpu"},
           .missing = why_no_gpu}};
}

void OpsTest::expect_bill(Operator op, const Work& expected) {
  const Work& work = ops().counters().of(op);
  EXPECT_EQ(work.flops, expected.flops) << name_of(op);
  EXPECT_EQ(work.bytes_read, expected.bytes_read) << name_of(op);
  EXPECT_EQ(work.bytes_written, expected.bytes_written) << name_of(op);
}

}  // namespace quire::test
